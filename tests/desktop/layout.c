/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The timeline is worth looking at in small windows too, and all large tables have their columns chosen. */
#include "sample-input.h"

#include "chart/chart.h"
#include "charts/timeline/view.h"

#define LEAST_HEIGHT 250 /* ten rows or so */

static gboolean
is_whole (SampleWindow *sample, gconstpointer data)
{
  g_autoptr (GPtrArray) views = sample_window_find (sample, CULPRIT_TYPE_TIMELINE_VIEW);
  graphene_rect_t bounds;

  return views->len == 1 &&
         gtk_widget_compute_bounds (g_ptr_array_index (views, 0), GTK_WIDGET (sample->window), &bounds) &&
         bounds.size.height >= LEAST_HEIGHT &&
         bounds.origin.y + bounds.size.height <= gtk_widget_get_height (GTK_WIDGET (sample->window));
}

static void
show_timeline_in (SampleWindow *sample, int width, int height)
{
  gtk_window_set_default_size (GTK_WINDOW (sample->window), width, height);
  culprit_study_window_show_page (sample->window, "outliers");
  sample_window_choose (sample, SAMPLE_WINDOW_CAPTURE);
  sample_window_settle ();
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "details", g_variant_new_string ("timeline"));
  sample_window_wait_until (is_whole, sample, NULL);
}

static void
test_the_timeline_is_whole_in_a_window_of_1366_pixels (SampleWindow *sample, gconstpointer data)
{
  show_timeline_in (sample, SAMPLE_WINDOW_WIDTH, SAMPLE_WINDOW_HEIGHT);
}

static void
test_the_timeline_is_whole_in_a_window_of_800_pixels (SampleWindow *sample, gconstpointer data)
{
  show_timeline_in (sample, 800, 600);
}

/* Whether the buttons that lead to the other details, of the scrolled window that holds them, are within it. */
static gboolean
is_way_back_seen (SampleWindow *sample, gconstpointer data)
{
  g_autoptr (GPtrArray) switchers = sample_window_find (sample, GTK_TYPE_STACK_SWITCHER);

  for (guint i = 0; i < switchers->len; i++)
    {
      GtkWidget *room = gtk_widget_get_ancestor (g_ptr_array_index (switchers, i), GTK_TYPE_SCROLLED_WINDOW);
      graphene_rect_t bounds;

      if (room && gtk_widget_compute_bounds (g_ptr_array_index (switchers, i), room, &bounds))
        return bounds.origin.y >= 0 && bounds.origin.y + bounds.size.height <= gtk_widget_get_height (room);
    }
  return FALSE;
}

static void
test_who_leaves_full_size_in_a_window_of_800_pixels_sees_the_way_back (SampleWindow *sample, gconstpointer data)
{
  show_timeline_in (sample, 800, 600);
  sample_input_key (sample, GDK_KEY_Escape, 0);
  sample_window_wait_until (is_way_back_seen, sample, NULL);
  sample_window_settle ();
  g_assert_true (is_way_back_seen (sample, NULL));
}

/* The table of the page that has the column @column. */
static GtkWidget *
find_list (SampleWindow *sample, const char *column)
{
  g_autoptr (GPtrArray) lists = sample_window_find (sample, GTK_TYPE_COLUMN_VIEW);

  for (guint i = 0; i < lists->len; i++)
    {
      GListModel *columns = gtk_column_view_get_columns (g_ptr_array_index (lists, i));

      for (guint k = 0; k < g_list_model_get_n_items (columns); k++)
        {
          g_autoptr (GtkColumnViewColumn) one = g_list_model_get_item (columns, k);

          if (g_str_equal (gtk_column_view_column_get_title (one), column))
            return g_ptr_array_index (lists, i);
        }
    }
  g_assert_not_reached ();
}

static gboolean
is_all_seen (GtkAdjustment *along)
{
  return gtk_adjustment_get_upper (along) <= gtk_adjustment_get_page_size (along);
}

#define LEAST_ROWS 75 /* Three rows and their headings take more. */

/* All columns of the tables of the page are seen, the first rows of each, and of what was tested for stalls all. */
static void
show_stalls_in (SampleWindow *sample, int width, int height)
{
  const char *const named[] = { "Others", "Struck", "Or More" };

  gtk_window_set_default_size (GTK_WINDOW (sample->window), width, height);
  culprit_study_window_show_page (sample->window, "stalls");
  sample_window_settle ();
  for (guint i = 0; i < G_N_ELEMENTS (named); i++)
    {
      GtkScrollable *list = GTK_SCROLLABLE (find_list (sample, named[i]));
      graphene_rect_t bounds;

      g_test_message ("%s", named[i]);
      g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (list), GTK_WIDGET (sample->window), &bounds));
      g_assert_true (is_all_seen (gtk_scrollable_get_hadjustment (list)));
      g_assert_cmpfloat (gtk_adjustment_get_value (gtk_scrollable_get_vadjustment (list)), ==, 0);
      g_assert_cmpfloat (MIN (bounds.origin.y + bounds.size.height, height) - bounds.origin.y, >, LEAST_ROWS);
    }
  g_assert_true (is_all_seen (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (find_list (sample, "Struck")))));
}

static void
test_the_tables_of_stalls_are_seen_in_a_window_of_1366_pixels (SampleWindow *sample, gconstpointer data)
{
  show_stalls_in (sample, SAMPLE_WINDOW_WIDTH, SAMPLE_WINDOW_HEIGHT);
}

static void
test_the_tables_of_stalls_are_seen_in_a_window_of_800_pixels (SampleWindow *sample, gconstpointer data)
{
  show_stalls_in (sample, 800, 600);
}

#define LONG "a message about something that went wrong, which takes several lines in a window as small as this one is"

static void
test_no_notice_covers_what_is_wrong_with_a_form (SampleWindow *sample, gconstpointer data)
{
  CulpritNotices *notices = sample_window_child (sample, "notices");
  graphene_rect_t wrong;
  graphene_rect_t notice;

  gtk_window_set_default_size (GTK_WINDOW (sample->window), 800, 600);
  culprit_study_window_show_page (sample->window, "record");
  sample_window_settle ();
  gtk_editable_set_text (GTK_EDITABLE (sample_window_named (sample, "period")), "never");
  culprit_notices_fail (notices, CULPRIT_ABOUT_STUDY, LONG);
  culprit_notices_done (notices, LONG, "Undo", "win.page::outliers");
  sample_window_settle ();
  g_assert_true (gtk_widget_compute_bounds (sample_window_of_class (sample, "record-problem"),
                                            GTK_WIDGET (sample->window), &wrong));
  g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (notices), GTK_WIDGET (sample->window), &notice));
  g_assert_cmpfloat (notice.origin.x, >=, wrong.origin.x + wrong.size.width);
  g_assert_cmpfloat (notice.origin.x + notice.size.width, <=, 800);
  culprit_study_window_show_page (sample->window, "outliers");
  sample_window_settle ();
  g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (notices), GTK_WIDGET (sample->window), &notice));
  g_assert_cmpfloat (notice.size.width, >, 400);
}

/* Where the frame of @chart begins below its legend. */
static double
find_frame (const Chart *chart, double width)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) width, 300);
  cairo_t *cr = cairo_create (surface);
  double top = chart_draw (chart, CHART_LIGHT, cr, width, 300, NULL).top;

  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return top;
}

static void
test_a_legend_too_wide_for_a_line_has_two (SampleWindow *sample, gconstpointer data)
{
  g_autoptr (CulpritProfile) profile = culprit_profile_new (1000);
  const ChartSeries series = { "a run with a rather long name", profile, 0 };
  g_autoptr (Chart) chart = NULL;

  g_assert_true (culprit_profile_add (profile, 5000, 10));
  culprit_profile_finish (profile);
  chart = chart_new (CHART_HISTOGRAM, &series, 1, CULPRIT_FITS, CHART_SCALE_AUTOMATIC);
  g_assert_cmpfloat (find_frame (chart, 250), >, find_frame (chart, 1000) + 10);
}

static void
test_columns_are_chosen_on_all_pages_with_a_table (SampleWindow *sample, gconstpointer data)
{
  const char *const pages[] = { "latency", "outliers", "functions", "stalls", "compare" };

  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      g_autoptr (GPtrArray) buttons = NULL;
      guint choosers = 0;

      culprit_study_window_show_page (sample->window, pages[i]);
      sample_window_settle ();
      buttons = sample_window_find (sample, GTK_TYPE_MENU_BUTTON);
      for (guint k = 0; k < buttons->len; k++)
        choosers +=
            g_strcmp0 (gtk_widget_get_tooltip_text (g_ptr_array_index (buttons, k)), "Columns and their order") == 0;
      g_test_message ("%s", pages[i]);
      g_assert_cmpuint (choosers, ==, 1);
    }
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  sample_window_add ("/layout/the-timeline-is-whole-in-a-window-of-1366-pixels",
                     test_the_timeline_is_whole_in_a_window_of_1366_pixels);
  sample_window_add ("/layout/the-timeline-is-whole-in-a-window-of-800-pixels",
                     test_the_timeline_is_whole_in_a_window_of_800_pixels);
  sample_window_add ("/layout/who-leaves-full-size-in-a-window-of-800-pixels-sees-the-way-back",
                     test_who_leaves_full_size_in_a_window_of_800_pixels_sees_the_way_back);
  sample_window_add ("/layout/the-tables-of-stalls-are-seen-in-a-window-of-1366-pixels",
                     test_the_tables_of_stalls_are_seen_in_a_window_of_1366_pixels);
  sample_window_add ("/layout/the-tables-of-stalls-are-seen-in-a-window-of-800-pixels",
                     test_the_tables_of_stalls_are_seen_in_a_window_of_800_pixels);
  sample_window_add ("/layout/no-notice-covers-what-is-wrong-with-a-form",
                     test_no_notice_covers_what_is_wrong_with_a_form);
  sample_window_add ("/layout/a-legend-too-wide-for-a-line-has-two", test_a_legend_too_wide_for_a_line_has_two);
  sample_window_add ("/layout/columns-are-chosen-on-all-pages-with-a-table",
                     test_columns_are_chosen_on_all_pages_with_a_table);
  return g_test_run ();
}
