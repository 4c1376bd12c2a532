/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A band that is selected on the page of latencies can be recorded as long as it is seen. */
#include "sample-window.h"

#include "charts/chart-view.h"

#define LOW_NS 5000.0
#define HIGH_NS 90000.0

static CulpritChartView *
find_chart (SampleWindow *sample)
{
  g_autoptr (GPtrArray) charts = sample_window_find (sample, CULPRIT_TYPE_CHART_VIEW);

  return charts->len > 0 ? g_ptr_array_index (charts, 0) : NULL;
}

/* The one that is seen, of @type with @label. */
static GtkWidget *
find_button (SampleWindow *sample, GType type, const char *label)
{
  g_autoptr (GPtrArray) buttons = sample_window_find (sample, type);

  for (guint i = 0; i < buttons->len; i++)
    {
      g_autofree char *own = NULL;

      g_object_get (g_ptr_array_index (buttons, i), "label", &own, NULL);
      if (g_strcmp0 (own, label) == 0)
        return g_ptr_array_index (buttons, i);
    }
  g_assert_not_reached ();
}

static gboolean
has_runs (SampleWindow *sample, gconstpointer data)
{
  return sample_window_shows_label (sample, "one") && sample_window_shows_label (sample, "two");
}

/* Brings in two runs and selects a band of them. */
static CulpritChartView *
select_band (SampleWindow *sample)
{
  const char *const names[] = { "one.txt", "two.txt" };
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  CulpritChartView *chart;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);

      for (guint k = 0; k < 1000; k++)
        g_string_append_printf (text, "%u\n", 5 + (i + 7) * k % 90);
      g_ptr_array_add (paths, g_build_filename (sample->folder, names[i], NULL));
      g_assert_true (g_file_set_contents (g_ptr_array_index (paths, i), text->str, -1, NULL));
    }
  culprit_document_import (culprit_study_window_document (sample->window), paths);
  culprit_study_window_show_page (sample->window, "latency");
  sample_window_wait_until (has_runs, sample, NULL);
  for (guint i = 0; i < paths->len; i++)
    g_assert_no_errno (remove (g_ptr_array_index (paths, i)));
  chart = find_chart (sample);
  g_assert_nonnull (chart);
  culprit_chart_view_select (chart, LOW_NS, HIGH_NS);
  return chart;
}

/* What can be pressed does something. */
static void
assert_recordable (SampleWindow *sample)
{
  GtkWidget *button = find_button (sample, GTK_TYPE_BUTTON, "Record This Band");

  g_assert_true (gtk_widget_get_sensitive (button));
  g_assert_true (sample_window_shows_label (sample, "Band 5.0 us to 90.0 us"));
  g_signal_emit_by_name (button, "clicked");
  g_assert_cmpstr (
      g_variant_get_string (g_action_group_get_action_state (G_ACTION_GROUP (sample->window), "page"), NULL), ==,
      "record");
}

static void
test_a_band_outlives_a_run_that_is_unticked (SampleWindow *sample, gconstpointer data)
{
  select_band (sample);
  gtk_menu_button_popup (GTK_MENU_BUTTON (find_button (sample, GTK_TYPE_MENU_BUTTON, "Runs")));
  sample_window_wait_us (SAMPLE_WINDOW_QUIET_US);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (find_button (sample, GTK_TYPE_CHECK_BUTTON, "one")), FALSE);
  assert_recordable (sample);
}

static void
test_a_band_outlives_a_reload (SampleWindow *sample, gconstpointer data)
{
  select_band (sample);
  culprit_document_reload (culprit_study_window_document (sample->window));
  sample_window_wait_us (2 * SAMPLE_WINDOW_QUIET_US);
  assert_recordable (sample);
}

static void
test_no_band_is_left_where_none_can_be_seen (SampleWindow *sample, gconstpointer data)
{
  g_autoptr (GPtrArray) ticks = NULL;

  select_band (sample);
  gtk_menu_button_popup (GTK_MENU_BUTTON (find_button (sample, GTK_TYPE_MENU_BUTTON, "Runs")));
  sample_window_wait_us (SAMPLE_WINDOW_QUIET_US);
  ticks = sample_window_find (sample, GTK_TYPE_CHECK_BUTTON);
  g_assert_cmpuint (ticks->len, >=, 2);
  for (guint i = 0; i < ticks->len; i++)
    gtk_check_button_set_active (g_ptr_array_index (ticks, i), FALSE);
  g_assert_false (gtk_widget_get_sensitive (find_button (sample, GTK_TYPE_BUTTON, "Record This Band")));
  g_assert_true (sample_window_shows_label (sample, "Drag in the chart to select a band"));
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  g_test_add ("/band/a-band-outlives-a-run-that-is-unticked", SampleWindow, NULL, sample_window_set_up,
              test_a_band_outlives_a_run_that_is_unticked, sample_window_tear_down);
  g_test_add ("/band/a-band-outlives-a-reload", SampleWindow, NULL, sample_window_set_up, test_a_band_outlives_a_reload,
              sample_window_tear_down);
  g_test_add ("/band/no-band-is-left-where-none-can-be-seen", SampleWindow, NULL, sample_window_set_up,
              test_no_band_is_left_where_none_can_be_seen, sample_window_tear_down);
  return g_test_run ();
}
