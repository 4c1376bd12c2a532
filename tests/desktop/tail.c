/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tail on the page of latencies: a prediction or why there is none, a deadline that is typed, and its chart. */
#include "sample-input.h"

#include "charts/chart-view.h"
#include "latency/tail-pane.h"
#include "tables/table-view.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define RUN "falling"

static gboolean
has_run (SampleWindow *sample, gconstpointer data)
{
  const GPtrArray *latencies = culprit_document_latencies (culprit_study_window_document (sample->window));

  return latencies && latencies->len == 4; /* The sample has three. */
}

/* Brings in latencies in us that fall off exponentially. */
static void
add_run (SampleWindow *sample)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < 40000; i++)
    g_string_append_printf (text, "%.0f\n", floor (20 - 15 * log ((i + 0.5) / 40000)));
  g_ptr_array_add (paths, g_build_filename (sample->folder, RUN ".txt", NULL));
  g_assert_true (g_file_set_contents (g_ptr_array_index (paths, 0), text->str, -1, NULL));
  culprit_document_import (culprit_study_window_document (sample->window), paths);
  sample_window_wait_until (has_run, sample, NULL);
  g_unlink (g_ptr_array_index (paths, 0));
}

static gpointer
find_only (SampleWindow *sample, GType type)
{
  g_autoptr (GPtrArray) found = sample_window_find (sample, type);

  g_assert_cmpuint (found->len, ==, 1);
  return g_ptr_array_index (found, 0);
}

static void
choose_kind (SampleWindow *sample, ChartKind kind)
{
  g_autoptr (GPtrArray) kinds = sample_window_find (sample, GTK_TYPE_DROP_DOWN);

  gtk_drop_down_set_selected (g_ptr_array_index (kinds, 0), kind);
  sample_window_settle ();
}

static void
show_tail (SampleWindow *sample)
{
  culprit_study_window_show_page (sample->window, "latency");
  sample_window_settle ();
  choose_kind (sample, CHART_TAIL);
}

static gboolean
has_chart (SampleWindow *sample, gconstpointer title)
{
  const Chart *chart = culprit_chart_view_chart (find_only (sample, CULPRIT_TYPE_CHART_VIEW));

  return chart && g_str_equal (chart_title (chart), title);
}

/* The last row of the table. */
static void
select_run (SampleWindow *sample)
{
  CulpritTableView *table = find_only (sample, CULPRIT_TYPE_TABLE_VIEW);

  sample_window_wait_until (has_chart, sample, "Tail of latencies, with its 95 % interval");
  sample_window_settle ();
  for (guint i = 0; i < 4; i++)
    {
      culprit_table_view_step (table, 1);
      sample_window_settle ();
    }
}

/* Types into the field with the number @place. */
static void
enter (SampleWindow *sample, guint place, const char *text)
{
  g_autoptr (GPtrArray) entries = sample_window_find (sample, GTK_TYPE_ENTRY);

  gtk_widget_grab_focus (g_ptr_array_index (entries, place));
  gtk_editable_select_region (GTK_EDITABLE (g_ptr_array_index (entries, place)), 0, -1);
  sample_input_type (sample, text);
  sample_input_key (sample, GDK_KEY_Return, 0);
}

static void
test_a_tail_that_cannot_be_predicted_says_why (SampleWindow *sample, gconstpointer data)
{
  show_tail (sample);
  sample_window_wait_until (sample_window_tells, sample, "Not predicted: 123 wake-ups, at about 32.3 us");
  sample_window_wait_until (has_chart, sample, "Tail of latencies, with its 95 % interval");
  g_assert_false (sample_window_tells (sample, "95 % interval"));
  enter (sample, 0, "500us");
  sample_window_wait_until (sample_window_tells, sample,
                            "Late by 500.0 us or more: 8 of 3,000 wake-ups were; by counting");
}

static void
test_the_selected_run_is_predicted_for_a_deadline_that_is_typed (SampleWindow *sample, gconstpointer data)
{
  g_autofree char *path = g_build_filename (sample->folder, "tail.svg", NULL);
  g_autofree char *picture = NULL;

  add_run (sample);
  show_tail (sample);
  select_run (sample);
  sample_window_wait_until (sample_window_tells, sample, "Fitted are the 1,991 wake-ups above 65.0 us");
  g_assert_true (sample_window_shows_label (sample, "1,000,000,000"));
  g_assert_true (sample_window_tells (sample, "Enter a deadline"));
  enter (sample, 0, "400us");
  sample_window_wait_until (sample_window_tells, sample,
                            "Late by 400.0 us or more: 0 of 40,000 wake-ups were; predicted");
  enter (sample, 1, "1e5");
  sample_window_wait_until (sample_window_tells, sample, "at most one in 100,000: tested long enough");
  enter (sample, 1, "1e10");
  sample_window_wait_until (sample_window_tells, sample, "Not tested long enough for one in 10,000,000,000");
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "export-picture-to", g_variant_new_string (path));
  g_assert_true (g_file_get_contents (path, &picture, NULL, NULL));
  g_assert_nonnull (
      strstr (picture, RUN " (n = 40,000, median 30.0 us, max 189.0 us, peak 20.0 us, predicted, deadline 400.0 us)"));
  g_unlink (path);
}

static void
test_what_is_no_deadline_is_marked_and_changes_nothing (SampleWindow *sample, gconstpointer data)
{
  g_autoptr (GPtrArray) entries = NULL;

  show_tail (sample);
  sample_window_wait_until (sample_window_tells, sample, "Enter a deadline");
  entries = sample_window_find (sample, GTK_TYPE_ENTRY);
  enter (sample, 0, "soon");
  g_assert_true (gtk_widget_has_css_class (g_ptr_array_index (entries, 0), "error"));
  enter (sample, 1, "1");
  g_assert_true (gtk_widget_has_css_class (g_ptr_array_index (entries, 1), "error"));
  g_assert_true (sample_window_tells (sample, "Enter a deadline"));
}

static void
test_another_chart_has_the_page_again (SampleWindow *sample, gconstpointer data)
{
  show_tail (sample);
  g_assert_true (sample_window_shows (sample, GSIZE_TO_POINTER (CULPRIT_TYPE_TAIL_PANE)));
  choose_kind (sample, CHART_HISTOGRAM);
  sample_window_wait_until (has_chart, sample, "Histogram of latencies");
  g_assert_false (sample_window_shows (sample, GSIZE_TO_POINTER (CULPRIT_TYPE_TAIL_PANE)));
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
#define ADD(test) sample_window_add ("/tail/" #test, test_##test)
  ADD (a_tail_that_cannot_be_predicted_says_why);
  ADD (the_selected_run_is_predicted_for_a_deadline_that_is_typed);
  ADD (what_is_no_deadline_is_marked_and_changes_nothing);
  ADD (another_chart_has_the_page_again);
  return g_test_run ();
}
