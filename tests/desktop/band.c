/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A band that is selected on the page of latencies says how much lies there, and can be recorded as long as it is seen:
 * first it is asked whose latencies are meant. */
#include "sample-input.h"

#include "charts/chart-view.h"
#include "latency/statistics.h"
#include "pages.h"
#include "study/profiles.h"
#include "tables/table-view.h"

#include <string.h>

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
  const GPtrArray *latencies = culprit_document_latencies (culprit_study_window_document (sample->window));

  return latencies && latencies->len == 5; /* The sample has three; there is not always room for all their rows. */
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
  sample_window_settle ();
  for (guint i = 0; i < paths->len; i++)
    g_assert_no_errno (remove (g_ptr_array_index (paths, i)));
  chart = find_chart (sample);
  g_assert_nonnull (chart);
  culprit_chart_view_select (chart, LOW_NS, HIGH_NS);
  return chart;
}

/* Opens what asks whose latencies are meant. */
static void
ask (SampleWindow *sample)
{
  GtkWidget *button = find_button (sample, GTK_TYPE_MENU_BUTTON, "Record This Band");

  g_assert_true (gtk_widget_get_sensitive (button));
  gtk_menu_button_popup (GTK_MENU_BUTTON (button));
  sample_window_settle ();
}

/* What can be pressed does something. */
static void
assert_recordable (SampleWindow *sample, const char *counted)
{
  g_assert_true (sample_window_shows_label (sample, counted));
  ask (sample);
  g_signal_emit_by_name (find_button (sample, GTK_TYPE_BUTTON, "Fill In the Form"), "clicked");
  g_assert_cmpstr (
      g_variant_get_string (g_action_group_get_action_state (G_ACTION_GROUP (sample->window), "page"), NULL), ==,
      "record");
}

static void
test_a_band_outlives_a_run_that_is_unticked (SampleWindow *sample, gconstpointer data)
{
  select_band (sample);
  gtk_menu_button_popup (GTK_MENU_BUTTON (find_button (sample, GTK_TYPE_MENU_BUTTON, "Runs")));
  sample_window_settle ();
  gtk_check_button_set_active (GTK_CHECK_BUTTON (find_button (sample, GTK_TYPE_CHECK_BUTTON, "one")), FALSE);
  assert_recordable (sample, "Band 5.0 us to 90.0 us: 3,948 of 7,829 wake-ups (50.43 %)");
}

static void
test_a_band_outlives_a_reload (SampleWindow *sample, gconstpointer data)
{
  select_band (sample);
  culprit_document_reload (culprit_study_window_document (sample->window));
  sample_window_settle ();
  assert_recordable (sample, "Band 5.0 us to 90.0 us: 4,904 of 8,829 wake-ups (55.54 %)");
}

static void
test_no_band_is_left_where_none_can_be_seen (SampleWindow *sample, gconstpointer data)
{
  g_autoptr (GPtrArray) ticks = NULL;

  select_band (sample);
  gtk_menu_button_popup (GTK_MENU_BUTTON (find_button (sample, GTK_TYPE_MENU_BUTTON, "Runs")));
  sample_window_settle ();
  ticks = sample_window_find (sample, GTK_TYPE_CHECK_BUTTON);
  g_assert_cmpuint (ticks->len, >=, 2);
  for (guint i = 0; i < ticks->len; i++)
    gtk_check_button_set_active (g_ptr_array_index (ticks, i), FALSE);
  g_assert_false (gtk_widget_get_sensitive (find_button (sample, GTK_TYPE_MENU_BUTTON, "Record This Band")));
  g_assert_true (sample_window_shows_label (sample, "Drag in the chart to select a band"));
}

/* The choice of the kind of chart. */
static GtkDropDown *
find_kinds (SampleWindow *sample)
{
  g_autoptr (GPtrArray) choices = sample_window_find (sample, GTK_TYPE_DROP_DOWN);

  for (guint i = 0; i < choices->len; i++)
    if (gtk_widget_get_ancestor (g_ptr_array_index (choices, i), LATENCY_TYPE_PAGE))
      return g_ptr_array_index (choices, i);
  g_assert_not_reached ();
}

/* Finding peaks takes a while: the chart before is shown until the next one is ready. */
static void
test_a_chart_is_made_beside_the_main_loop (SampleWindow *sample, gconstpointer data)
{
  CulpritChartView *chart = select_band (sample);

  gtk_drop_down_set_selected (find_kinds (sample), CHART_QUANTILES);
  g_assert_cmpstr (chart_title (culprit_chart_view_chart (chart)), ==, "Histogram of latencies");
  sample_window_settle ();
  g_assert_cmpstr (chart_title (culprit_chart_view_chart (chart)), ==, "Quantiles of latencies");
}

/* The other charts have shares, or latencies of a fit, where these have latencies. */
static void
test_bands_are_selected_in_histogram_and_density (SampleWindow *sample, gconstpointer data)
{
  const gboolean possible[] = { TRUE, TRUE, FALSE, FALSE };
  GtkDropDown *kinds;

  select_band (sample);
  kinds = find_kinds (sample);
  for (guint kind = 0; kind < G_N_ELEMENTS (possible); kind++)
    {
      GtkWidget *record = find_button (sample, GTK_TYPE_MENU_BUTTON, "Record This Band");

      gtk_drop_down_set_selected (kinds, kind);
      culprit_chart_view_select (find_chart (sample), LOW_NS, HIGH_NS);
      g_assert_cmpint (gtk_widget_get_sensitive (record), ==, possible[kind]);
    }
  g_assert_true (sample_window_shows_label (sample, "Bands are selected in the histogram or density"));
}

/* The run that is meant, and what is said of it. */
static void
choose_meant (SampleWindow *sample, const char *run)
{
  g_autoptr (GPtrArray) choices = sample_window_find (sample, GTK_TYPE_DROP_DOWN);
  GtkDropDown *runs = NULL;

  for (guint i = 0; i < choices->len; i++)
    if (gtk_widget_get_ancestor (g_ptr_array_index (choices, i), GTK_TYPE_POPOVER))
      runs = g_ptr_array_index (choices, i);
  g_assert_nonnull (runs);
  for (guint i = 0; i < g_list_model_get_n_items (gtk_drop_down_get_model (runs)); i++)
    {
      g_autoptr (GtkStringObject) title = g_list_model_get_item (gtk_drop_down_get_model (runs), i);

      if (g_str_has_prefix (gtk_string_object_get_string (title), run))
        gtk_drop_down_set_selected (runs, i);
    }
  sample_window_settle ();
}

/* Puts @after where the form has @before. */
static void
edit (SampleWindow *sample, const char *before, const char *after)
{
  g_autoptr (GPtrArray) entries = sample_window_find (sample, GTK_TYPE_ENTRY);
  guint found = 0;

  for (guint i = 0; i < entries->len; i++)
    {
      if (g_strcmp0 (gtk_editable_get_text (g_ptr_array_index (entries, i)), before) == 0 && found++ == 0)
        gtk_editable_set_text (g_ptr_array_index (entries, i), after);
    }
  g_assert_cmpuint (found, >, 0);
}

static void
test_it_is_asked_whose_latencies_are_meant (SampleWindow *sample, gconstpointer data)
{
  culprit_study_window_show_page (sample->window, "latency");
  sample_window_settle ();
  culprit_chart_view_select (find_chart (sample), 200000, 5000000);
  ask (sample);
  choose_meant (sample, "slides/on-1: 3,000 of 3,000 wake-ups (100");
  g_assert_true (sample_window_shows_label (sample, "Record wake-ups later than 200.0 us"));
  g_assert_true (sample_window_tells (sample, "already refers to traced latencies, from “slides/on-1”"));
  choose_meant (sample, "slides/off-1: 8 of 3,000 wake-ups (0.27 %)");
  g_assert_false (sample_window_shows_label (sample, "Record wake-ups later than 200.0 us"));
  g_assert_true (sample_window_shows_label (sample, "Record wake-ups later than 1.280 ms"));
  g_assert_true (sample_window_tells (
      sample, "With tracing, ordinary wake-ups reach 602.2 us, and late ones begin at 2.702 ms. This "
              "catches 0.13 % of ordinary wake-ups and 100.00 % of the late ones."));
  g_signal_emit_by_name (find_button (sample, GTK_TYPE_BUTTON, "Fill In the Form"), "clicked");
  sample_window_settle ();
  g_assert_true (sample_window_tells (sample, "Mapped from 200.0 us to 5.000 ms without tracing"));
  edit (sample, "5ms", "4ms");
  g_assert_true (sample_window_tells (sample, "Mapped from 200.0 us to 5.000 ms without tracing"));
  edit (sample, "1280us", "500us");
  g_assert_false (sample_window_tells (sample, "Mapped from 200.0 us to 5.000 ms without tracing"));
}

/* Clicks @above pixels over the axis, at @latency_ns. */
static void
click_on (SampleWindow *sample, double latency_ns, double above)
{
  CulpritChartView *view = find_chart (sample);
  const Chart *chart = culprit_chart_view_chart (view);
  int width = gtk_widget_get_width (GTK_WIDGET (view));
  int height = gtk_widget_get_height (GTK_WIDGET (view));
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_t *cr = cairo_create (surface);
  ChartFrame frame = chart_draw (chart, CHART_LIGHT, cr, width, height, NULL);

  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  sample_input_click_at (sample, GTK_WIDGET (view), chart_place_of_latency (chart, &frame, latency_ns),
                         frame.bottom - above, 1);
}

static void
test_a_click_on_late_wake_ups_selects_them_and_lists_their_captures (SampleWindow *sample, gconstpointer data)
{
  double low;
  double high;

  culprit_study_window_show_page (sample->window, "latency");
  sample_window_settle ();
  click_on (sample, 1e6, 20);
  g_assert_false (culprit_chart_view_selection (find_chart (sample), &low, &high));
  click_on (sample, 1.4e6, 20);
  g_assert_true (sample_window_tells (sample, "Band 1.315 ms to 1.856 ms: 13 of 6,829 wake-ups"));
  g_assert_true (gtk_widget_get_sensitive (find_button (sample, GTK_TYPE_BUTTON, "Show 5 Captures")));
  click_on (sample, 3e6, 20);
  g_assert_true (sample_window_tells (sample, "Band 2.702 ms to 3.701 ms: 12 of 6,829 wake-ups"));
  g_signal_emit_by_name (find_button (sample, GTK_TYPE_BUTTON, "Show 8 Captures"), "clicked");
  sample_window_settle ();
  g_assert_true (sample_window_shows_label (sample, "Only those of 2.702 ms to 3.701 ms"));
  g_assert_true (sample_window_shows_label (sample, "8 of 13 late wake-ups"));
}

/* The ordinary wake-ups with tracing are at 295 us, and the peaks after them at 315 and 374 us. */
static void
test_a_mapped_band_stays_clear_of_ordinary_wake_ups (SampleWindow *sample, gconstpointer data)
{
  culprit_study_window_show_page (sample->window, "latency");
  sample_window_settle ();
  culprit_chart_view_select (find_chart (sample), 19500, 20500);
  ask (sample);
  choose_meant (sample, "slides/off-1: 151 of 3,000 wake-ups");
  g_assert_true (sample_window_tells (sample, "Band to record: 351.3 us to 368.6 us"));
  g_assert_true (sample_window_tells (sample,
                                      "With tracing, no latency separates late wake-ups from ordinary ones. This "
                                      "catches 0.00 % of ordinary wake-ups and 100.00 % of the late ones."));
  g_assert_false (sample_window_tells (sample, "are ordinary"));
}

/* Where the table has a row selected, the band is meant of that run. */
static void
test_the_selected_run_is_the_likely_one (SampleWindow *sample, gconstpointer data)
{
  g_autoptr (GPtrArray) tables = NULL;
  g_autoptr (GPtrArray) choices = NULL;

  culprit_study_window_show_page (sample->window, "latency");
  sample_window_settle ();
  culprit_chart_view_select (find_chart (sample), 290000, 400000);
  tables = sample_window_find (sample, CULPRIT_TYPE_TABLE_VIEW);
  culprit_table_view_step (g_ptr_array_index (tables, 0), 0);
  culprit_table_view_step (g_ptr_array_index (tables, 0), 2);
  ask (sample);
  choices = sample_window_find (sample, GTK_TYPE_DROP_DOWN);
  for (guint i = 0; i < choices->len; i++)
    if (gtk_widget_get_ancestor (g_ptr_array_index (choices, i), GTK_TYPE_POPOVER))
      g_assert_cmpuint (gtk_drop_down_get_selected (g_ptr_array_index (choices, i)), ==, 2);
}

static void
test_a_band_of_ordinary_wake_ups_is_warned_of (SampleWindow *sample, gconstpointer data)
{
  culprit_study_window_show_page (sample->window, "latency");
  sample_window_settle ();
  culprit_chart_view_select (find_chart (sample), 290000, 300000);
  ask (sample);
  choose_meant (sample, "slides/on-1");
  g_assert_true (sample_window_shows_label (sample, "It contains most wake-ups."));
  g_assert_true (sample_window_tells (sample, "These are ordinary wake-ups, no later than half of all"));
}

/* A peak is offered with the part around it, and how often wake-ups are there. */
static void
test_peaks_are_offered_with_their_bands (SampleWindow *sample, gconstpointer data)
{
  double low;
  double high;
  GtkListBox *list;
  g_autoptr (GPtrArray) lists = NULL;

  culprit_study_window_show_page (sample->window, "latency");
  sample_window_settle ();
  gtk_menu_button_popup (GTK_MENU_BUTTON (find_button (sample, GTK_TYPE_MENU_BUTTON, "Peaks")));
  sample_window_settle ();
  g_assert_true (
      sample_window_shows_label (sample, "slides/off-1: 20.0 us, band 19.5 us to 20.5 us, about 1 in 20 wake-ups"));
  lists = sample_window_find (sample, GTK_TYPE_LIST_BOX);
  g_assert_cmpuint (lists->len, ==, 1);
  list = g_ptr_array_index (lists, 0);
  g_signal_emit_by_name (list, "row-activated", gtk_list_box_get_row_at_index (list, 3));
  g_assert_true (culprit_chart_view_selection (find_chart (sample), &low, &high));
  g_assert_cmpfloat_with_epsilon (low, 19500, 1);
  g_assert_cmpfloat_with_epsilon (high, 20500, 1);
}

/* Also who cannot see the chart. */
static void
test_the_chart_tells_what_it_shows (SampleWindow *sample, gconstpointer data)
{
  static const char told[] =
      "Horizontal axis: latency, logarithmic (us). Vertical axis: latencies in each 1/40 decade. 5 runs: slides/off-1 "
      "(n = 3,000, "
      "median 8.8 us, max 1.856 ms, peaks 7.3 us, 8.8 us, 20.0 us, 23.1 us, 26.1 us, 29.2 us, 32.3 us, 8 late: 1.315 "
      "ms to "
      "1.856 ms); slides/on-1 (n = 3,000, median 295.2 us, max 3.701 ms, peaks 231.4 us, 295.1 us, 314.5 us, 374.4 us, "
      "396.7 us, 3.678 ms, 12 late: 2.702 ms to 3.701 ms); "
      "firmware (n = 829, median 320.4 us, max 1.848 ms, peaks 237.7 us, 301.0 us, 345.3 us, 1.836 ms, 5 late: 1.802 "
      "ms to 1.848 ms); one (n = "
      "1,000, median 49.0 us, max 94.0 us, peak 10.0 us); two (n = 1,000, median 49.0 us, max 93.0 us, peak 9.0 us). "
      "Selected: 4,904 of 8,829 wake-ups (55.54 %). Marked: capture 1: 3.158 ms. Marked: threshold 700.0 us.";
  CulpritChartView *chart = select_band (sample);

  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (chart), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, told);
}

static gboolean
chart_tells (SampleWindow *sample, gconstpointer part)
{
  CulpritChartView *view = find_chart (sample);
  g_autofree char *text =
      gtk_test_accessible_check_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "");

  return text && strstr (text, part);
}

/* Its tool knows of a longer latency than its histogram has. */
static void
test_a_run_has_one_maximum_where_it_is_compared_too (SampleWindow *sample, gconstpointer data)
{
  static const char table[] = "# Histogram\n000000 000000\n000007 000316\n# Total: 000000316\n# Min Latencies: 00007\n"
                              "# Avg Latencies: 00007\n# Max Latencies: 00009\n# Histogram Overflows: 00084\n";
  static const char told[] = "cut (n = 316, median 7.0 us, max 9.0 us";
  g_autofree char *path = g_build_filename (sample->folder, "cut.txt", NULL);
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  g_autoptr (CulpritStudy) study = NULL;
  g_autoptr (CulpritSide) side = NULL;

  g_assert_true (g_file_set_contents (path, table, -1, NULL));
  g_ptr_array_add (paths, path);
  culprit_document_import (culprit_study_window_document (sample->window), paths);
  culprit_study_window_show_page (sample->window, "latency");
  sample_window_wait_until (chart_tells, sample, told);
  study = culprit_study_open (sample->study, CULPRIT_STUDY_READ, NULL);
  side = culprit_side_read (study, "cut", CULPRIT_SIDE_RUNS, "cut", NULL);
  g_assert_cmpfloat (culprit_moments (side->compared.profile).max_ns, ==, 9000);
  g_assert_no_errno (remove (path));
}

static void
test_zooming_can_be_taken_back (SampleWindow *sample, gconstpointer data)
{
  GtkWidget *reset;
  CulpritChartView *chart = select_band (sample);
  double low;
  double high;

  reset = find_button (sample, GTK_TYPE_BUTTON, "Reset Zoom");
  g_assert_false (gtk_widget_get_sensitive (reset));
  culprit_chart_view_zoom_to_selection (chart);
  chart_range (culprit_chart_view_chart (chart), &low, &high);
  g_assert_cmpfloat_with_epsilon (low, LOW_NS, 1);
  g_assert_cmpfloat_with_epsilon (high, HIGH_NS, 1);
  g_assert_true (gtk_widget_get_sensitive (reset));
  g_signal_emit_by_name (reset, "clicked");
  g_assert_false (chart_is_zoomed (culprit_chart_view_chart (chart)));
  g_assert_false (gtk_widget_get_sensitive (reset));
  g_assert_true (culprit_chart_view_selection (chart, &low, &high));
}

/* What is chosen stays, whatever the runs that are shown would have by themselves. */
static void
test_the_scale_follows_from_the_runs_until_it_is_chosen (SampleWindow *sample, gconstpointer data)
{
  CulpritChartView *chart = select_band (sample);
  GtkWidget *scale = find_button (sample, GTK_TYPE_TOGGLE_BUTTON, "Log");

  g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (scale)));
  gtk_menu_button_popup (GTK_MENU_BUTTON (find_button (sample, GTK_TYPE_MENU_BUTTON, "Runs")));
  sample_window_settle ();
  gtk_check_button_set_active (GTK_CHECK_BUTTON (find_button (sample, GTK_TYPE_CHECK_BUTTON, "slides/off-1")), FALSE);
  sample_window_settle ();
  g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (scale)));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (find_button (sample, GTK_TYPE_CHECK_BUTTON, "one")), FALSE);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (find_button (sample, GTK_TYPE_CHECK_BUTTON, "two")), FALSE);
  sample_window_settle ();
  g_assert_false (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (scale)));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (scale), TRUE);
  sample_window_settle ();
  g_assert_true (chart_is_logarithmic (culprit_chart_view_chart (chart)));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (scale), FALSE);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (find_button (sample, GTK_TYPE_CHECK_BUTTON, "slides/off-1")), TRUE);
  sample_window_settle ();
  g_assert_false (chart_is_logarithmic (culprit_chart_view_chart (chart)));
}

#define BLUE "rgb(0%,44.705882%,69.803922%)"
#define RED "rgb(83.529412%,36.862745%,0%)"

/* The chart that is seen, as SVG; colours without the spaces that cairo 1.18 puts into them. */
static char *
export_chart (SampleWindow *sample)
{
  g_autofree char *path = g_build_filename (sample->folder, "chart.svg", NULL);
  g_autofree char *svg = NULL;
  g_auto (GStrv) parts = NULL;
  g_autoptr (GError) error = NULL;

  sample_window_settle ();
  culprit_chart_view_export (find_chart (sample), NULL, path, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &svg, NULL, NULL));
  g_assert_no_errno (remove (path));
  parts = g_strsplit (svg, "%, ", -1);
  return g_strjoinv ("%,", parts);
}

/* The second run keeps its colour when the first one is not shown, and has it on another page too. */
static void
test_a_run_has_one_colour (SampleWindow *sample, gconstpointer data)
{
  g_autofree char *both = NULL;
  g_autofree char *second = NULL;
  g_autofree char *compared = NULL;

  culprit_study_window_show_page (sample->window, "latency");
  sample_window_settle ();
  gtk_menu_button_popup (GTK_MENU_BUTTON (find_button (sample, GTK_TYPE_MENU_BUTTON, "Runs")));
  sample_window_settle ();
  both = export_chart (sample);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (find_button (sample, GTK_TYPE_CHECK_BUTTON, "slides/off-1")), FALSE);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (find_button (sample, GTK_TYPE_CHECK_BUTTON, "firmware")), FALSE);
  second = export_chart (sample);
  culprit_study_window_show_page (sample->window, "compare");
  sample_window_wait_until (sample_window_tells, sample, "slides/on-1 against slides/off-1");
  compared = export_chart (sample);
  g_assert_nonnull (strstr (both, BLUE));
  g_assert_nonnull (strstr (both, RED));
  g_assert_null (strstr (second, BLUE));
  g_assert_nonnull (strstr (second, RED));
  g_assert_nonnull (strstr (compared, BLUE));
  g_assert_nonnull (strstr (compared, RED));
}

/* A run with late wake-ups may have none that overran the deadline. */
static void
test_overruns_are_not_called_late (SampleWindow *sample, gconstpointer data)
{
  culprit_study_window_show_page (sample->window, "latency");
  sample_window_settle ();
  g_assert_true (sample_window_shows_label (sample, "Overruns"));
  g_assert_false (sample_window_shows_label (sample, "Late"));
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  /* First: others leave popovers open, which take the clicks of later windows. */
  sample_window_add ("/band/a-click-on-late-wake-ups-selects-them-and-lists-their-captures",
                     test_a_click_on_late_wake_ups_selects_them_and_lists_their_captures);
  sample_window_add ("/band/a-chart-is-made-beside-the-main-loop", test_a_chart_is_made_beside_the_main_loop);
  sample_window_add ("/band/a-band-outlives-a-run-that-is-unticked", test_a_band_outlives_a_run_that_is_unticked);
  sample_window_add ("/band/a-run-has-one-maximum-where-it-is-compared-too",
                     test_a_run_has_one_maximum_where_it_is_compared_too);
  sample_window_add ("/band/a-band-outlives-a-reload", test_a_band_outlives_a_reload);
  sample_window_add ("/band/no-band-is-left-where-none-can-be-seen", test_no_band_is_left_where_none_can_be_seen);
  sample_window_add ("/band/it-is-asked-whose-latencies-are-meant", test_it_is_asked_whose_latencies_are_meant);
  sample_window_add ("/band/a-mapped-band-stays-clear-of-ordinary-wake-ups",
                     test_a_mapped_band_stays_clear_of_ordinary_wake_ups);
  sample_window_add ("/band/a-band-of-ordinary-wake-ups-is-warned-of", test_a_band_of_ordinary_wake_ups_is_warned_of);
  sample_window_add ("/band/the-selected-run-is-the-likely-one", test_the_selected_run_is_the_likely_one);
  sample_window_add ("/band/peaks-are-offered-with-their-bands", test_peaks_are_offered_with_their_bands);
  sample_window_add ("/band/bands-are-selected-in-histogram-and-density",
                     test_bands_are_selected_in_histogram_and_density);
  sample_window_add ("/chart/it-tells-what-it-shows", test_the_chart_tells_what_it_shows);
  sample_window_add ("/chart/zooming-can-be-taken-back", test_zooming_can_be_taken_back);
  sample_window_add ("/chart/the-scale-follows-from-the-runs-until-it-is-chosen",
                     test_the_scale_follows_from_the_runs_until_it_is_chosen);
  sample_window_add ("/chart/a-run-has-one-colour", test_a_run_has_one_colour);
  sample_window_add ("/table/overruns-are-not-called-late", test_overruns_are_not_called_late);
  return g_test_run ();
}
