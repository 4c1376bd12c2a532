/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of tables: they fit the page, are chosen by users, and sort what is looked for first to the top. Their
 * rows have menus. */
#include "sample-input.h"

#include "application.h"
#include "charts/swatch.h"
#include "document.h"
#include "show.h"

#define ROW 5 /* the place of one that is not selected */

static GtkColumnView *
find_list (SampleWindow *sample)
{
  g_autoptr (GPtrArray) lists = sample_window_find (sample, GTK_TYPE_COLUMN_VIEW);

  return g_ptr_array_index (lists, 0);
}

static void
show (SampleWindow *sample, const char *page)
{
  culprit_study_window_show_page (sample->window, page);
  sample_window_settle ();
}

static void
check_columns_are_seen (SampleWindow *sample, int width, int height)
{
  const char *const pages[] = { "outliers", "functions", "stalls" };

  gtk_window_set_default_size (GTK_WINDOW (sample->window), width, height);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      GtkAdjustment *across;

      show (sample, pages[i]);
      across = gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (find_list (sample)));
      g_test_message ("%s: %g of %g", pages[i], gtk_adjustment_get_page_size (across),
                      gtk_adjustment_get_upper (across));
      g_assert_cmpfloat (gtk_adjustment_get_upper (across), <=, gtk_adjustment_get_page_size (across));
    }
}

static void
test_all_columns_are_seen (SampleWindow *sample, gconstpointer data)
{
  check_columns_are_seen (sample, SAMPLE_WINDOW_WIDTH, SAMPLE_WINDOW_HEIGHT);
  check_columns_are_seen (sample, 800, 600);
}

static GtkWidget *
find_label (SampleWindow *sample, const char *text)
{
  g_autoptr (GPtrArray) labels = sample_window_find (sample, GTK_TYPE_LABEL);

  for (guint i = 0; i < labels->len; i++)
    if (g_str_equal (gtk_label_get_text (g_ptr_array_index (labels, i)), text))
      return g_ptr_array_index (labels, i);
  g_error ("no label \"%s\"", text);
}

/* The capture in the first row. */
static gint64
first_capture (SampleWindow *sample)
{
  GListModel *rows = G_LIST_MODEL (gtk_column_view_get_model (find_list (sample)));
  g_autoptr (CulpritRow) row = g_list_model_get_item (rows, 0);

  return culprit_row_integer (row, "capture");
}

static void
test_a_first_click_brings_the_worst_to_the_top (SampleWindow *sample, gconstpointer data)
{
  show (sample, "outliers");
  sample_input_click (sample, find_label (sample, "Latency"), GDK_BUTTON_PRIMARY);
  g_assert_cmpint (first_capture (sample), ==, 7);
  sample_input_click (sample, find_label (sample, "Latency"), GDK_BUTTON_PRIMARY);
  g_assert_cmpint (first_capture (sample), ==, 9);
  sample_input_click (sample, find_label (sample, "Latency"), GDK_BUTTON_PRIMARY);
  g_assert_cmpint (first_capture (sample), ==, 7);
  sample_input_click (sample, find_label (sample, "#"), GDK_BUTTON_PRIMARY);
  g_assert_cmpint (first_capture (sample), ==, 1);
}

static void
test_stalls_begin_with_the_longest (SampleWindow *sample, gconstpointer data)
{
  show (sample, "stalls");
  g_assert_cmpint (first_capture (sample), ==, 10);
}

static void
activate (SampleWindow *sample, const char *action, const char *value)
{
  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (find_list (sample)), action,
                                                     value ? g_variant_new_string (value) : NULL));
  sample_window_settle ();
}

static void
test_columns_are_chosen (SampleWindow *sample, gconstpointer data)
{
  show (sample, "outliers");
  g_assert_false (sample_window_shows_label (sample, "slides-001.dat"));
  activate (sample, "columns.show-file", NULL);
  g_assert_true (sample_window_shows_label (sample, "slides-001.dat"));
  activate (sample, "columns.show-file", NULL);
  g_assert_false (sample_window_shows_label (sample, "slides-001.dat"));
  /* Sorting needs no pointer. */
  activate (sample, "columns.sort", "latency_ns");
  g_assert_cmpint (first_capture (sample), ==, 7);
}

/* What the patch beside the name of @run is drawn in, on the page that is shown. */
static GdkRGBA
colour_of_run (SampleWindow *sample, const char *run)
{
  g_autoptr (GPtrArray) swatches = sample_window_find (sample, CULPRIT_TYPE_SWATCH);

  for (guint i = 0; i < swatches->len; i++)
    {
      GtkWidget *swatch = g_ptr_array_index (swatches, i);
      g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
      g_autoptr (GskRenderNode) node = NULL;

      if (!gtk_widget_get_mapped (swatch) ||
          !g_str_equal (gtk_label_get_text (GTK_LABEL (gtk_widget_get_next_sibling (swatch))), run))
        continue;
      GTK_WIDGET_GET_CLASS (swatch)->snapshot (swatch, snapshot);
      node = gtk_snapshot_to_node (snapshot);
      return *gsk_color_node_get_color (gsk_rounded_clip_node_get_child (node));
    }
  g_error ("no patch beside \"%s\"", run);
}

static void
test_a_run_has_one_colour_on_all_pages (SampleWindow *sample, gconstpointer data)
{
  const char *const runs[] = { "slides/on-1", "firmware" };
  GdkRGBA colours[G_N_ELEMENTS (runs)];

  show (sample, "latency");
  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    colours[i] = colour_of_run (sample, runs[i]);
  g_assert_false (gdk_rgba_equal (&colours[0], &colours[1]));
  show (sample, "outliers");
  activate (sample, "columns.show-run", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    {
      GdkRGBA there = colour_of_run (sample, runs[i]);

      g_assert_true (gdk_rgba_equal (&there, &colours[i]));
    }
  activate (sample, "columns.show-run", NULL);
}

static void
open_again (SampleWindow *sample)
{
  gtk_window_destroy (GTK_WINDOW (sample->window));
  sample->window = culprit_application_begin (sample->application, sample->study, NULL);
  sample_window_wait_until (sample_window_shows_label, sample, "3.701 ms");
  sample_window_settle ();
}

static GtkColumnViewColumn *
find_column (SampleWindow *sample, const char *title)
{
  GListModel *columns = gtk_column_view_get_columns (find_list (sample));

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      if (g_str_equal (gtk_column_view_column_get_title (column), title))
        return column;
    }
  g_assert_not_reached ();
}

/* A list sorts while nothing else is to be done. */
static gboolean
is_sorted (SampleWindow *sample, gconstpointer data)
{
  return first_capture (sample) == *(const gint64 *) data;
}

static void
test_the_choice_is_there_in_the_next_window (SampleWindow *sample, gconstpointer data)
{
  gint64 first;

  show (sample, "outliers");
  activate (sample, "columns.show-file", NULL);
  activate (sample, "columns.show-share", NULL);
  activate (sample, "columns.sort", "latency_ns");
  gtk_column_view_column_set_fixed_width (find_column (sample, "Class"), 177);
  first = first_capture (sample);
  open_again (sample);
  g_assert_true (sample_window_shows_label (sample, "slides-001.dat"));
  g_assert_false (gtk_column_view_column_get_visible (find_column (sample, "Share")));
  sample_window_wait_until (is_sorted, sample, &first);
  g_assert_cmpint (gtk_column_view_column_get_fixed_width (find_column (sample, "Class")), ==, 177);
}

static gboolean
has_sign (SampleWindow *sample, gconstpointer note)
{
  g_autoptr (GPtrArray) signs = sample_window_find (sample, GTK_TYPE_IMAGE);

  for (guint i = 0; i < signs->len; i++)
    if (g_strcmp0 (gtk_widget_get_tooltip_text (gtk_widget_get_parent (g_ptr_array_index (signs, i))), note) == 0)
      return TRUE;
  return FALSE;
}

static void
test_a_class_is_a_badge_on_all_pages (SampleWindow *sample, gconstpointer data)
{
  const char *const pages[] = { "outliers", "stalls" };

  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      show (sample, pages[i]);
      g_test_message ("%s", pages[i]);
      g_assert_true (gtk_widget_has_css_class (find_label (sample, "blind stall"), "class-blind-stall"));
    }
}

static void
test_a_row_with_a_note_has_a_sign (SampleWindow *sample, gconstpointer data)
{
  show (sample, "outliers");
  g_assert_false (has_sign (sample, "hello"));
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "note", g_variant_new_string ("hello"));
  sample_window_wait_until (has_sign, sample, "hello");
}

static GtkWidget *
find_row (SampleWindow *sample, const char *cell)
{
  return gtk_widget_get_parent (gtk_widget_get_parent (find_label (sample, cell)));
}

static void
test_groups_have_headings (SampleWindow *sample, gconstpointer data)
{
  show (sample, "outliers");
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "group", NULL);
  sample_window_settle ();
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (find_row (sample, "3.701 ms")),
                                       GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                       "qh_completions: 8 late wake-ups, 12.603 ms excess");
  g_assert_true (gtk_widget_has_css_class (find_row (sample, "3.701 ms"), "group-start"));
  g_assert_false (gtk_widget_has_css_class (find_row (sample, "3.678 ms"), "group-start"));
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "group", NULL);
  sample_window_settle ();
  g_assert_false (gtk_widget_has_css_class (find_row (sample, "3.701 ms"), "group-start"));
}

static gboolean
is_open (SampleWindow *sample)
{
  g_autoptr (GPtrArray) menus = sample_window_find (sample, GTK_TYPE_POPOVER_MENU);

  return menus->len == 1;
}

static void
test_a_row_has_a_menu (SampleWindow *sample, gconstpointer data)
{
  CulpritDocument *document = culprit_study_window_document (sample->window);
  GtkSelectionModel *rows;
  g_autoptr (GPtrArray) labels = NULL;

  show (sample, "outliers");
  rows = gtk_column_view_get_model (find_list (sample));
  g_assert_false (gtk_selection_model_is_selected (rows, ROW));
  sample_input_click (sample, find_label (sample, "3.678 ms"), GDK_BUTTON_SECONDARY);
  g_assert_true (is_open (sample));
  g_assert_true (gtk_selection_model_is_selected (rows, ROW));
  g_assert_cmpint (culprit_document_capture (document), ==, ROW + 1);
  sample_input_click (sample, find_label (sample, "Explained"), GDK_BUTTON_PRIMARY);
  g_assert_false (is_open (sample));
  g_assert_true (sample_window_shows_label (sample, "explained"));
  g_assert_true (gtk_widget_grab_focus (GTK_WIDGET (find_list (sample))));
  sample_input_key (sample, GDK_KEY_F10, GDK_KEY_Shift_L);
  g_assert_true (is_open (sample));
  sample_input_key (sample, GDK_KEY_Escape, 0);
  g_assert_false (is_open (sample));
}

static void
test_groups_begin_with_the_heading_of_the_first (SampleWindow *sample, gconstpointer data)
{
  GtkAdjustment *down;

  gtk_window_set_default_size (GTK_WINDOW (sample->window), 800, 600);
  show (sample, "outliers");
  sample_window_choose (sample, 1);
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "group", NULL);
  sample_window_settle ();
  down = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (find_list (sample)));
  g_assert_cmpfloat (gtk_adjustment_get_upper (down), >, gtk_adjustment_get_page_size (down));
  g_assert_cmpfloat (gtk_adjustment_get_value (down), ==, 0);
}

static void
test_a_cell_has_the_beginning_of_a_long_text (SampleWindow *sample, gconstpointer data)
{
  g_autofree char *name = g_strnfill (8000, 'n');
  GtkWidget *cell = g_object_ref_sink (gtk_label_new (NULL));

  show_line (cell, name);
  g_assert_cmpint (g_utf8_strlen (gtk_label_get_text (GTK_LABEL (cell)), -1), ==, 301);
  gtk_label_set_wrap (GTK_LABEL (cell), TRUE);
  show_line (cell, name);
  g_assert_cmpint (g_utf8_strlen (gtk_label_get_text (GTK_LABEL (cell)), -1), ==, 1001);
  g_object_unref (cell);
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  sample_window_add ("/columns/all-are-seen", test_all_columns_are_seen);
  sample_window_add ("/columns/a-first-click-brings-the-worst-to-the-top",
                     test_a_first_click_brings_the_worst_to_the_top);
  sample_window_add ("/columns/stalls-begin-with-the-longest", test_stalls_begin_with_the_longest);
  sample_window_add ("/columns/a-row-has-a-menu", test_a_row_has_a_menu);
  sample_window_add ("/columns/they-are-chosen", test_columns_are_chosen);
  sample_window_add ("/columns/a-run-has-one-colour-on-all-pages", test_a_run_has_one_colour_on_all_pages);
  sample_window_add ("/columns/a-class-is-a-badge-on-all-pages", test_a_class_is_a_badge_on_all_pages);
  sample_window_add ("/columns/a-row-with-a-note-has-a-sign", test_a_row_with_a_note_has_a_sign);
  sample_window_add ("/columns/a-cell-has-the-beginning-of-a-long-text", test_a_cell_has_the_beginning_of_a_long_text);
  sample_window_add ("/columns/groups-have-headings", test_groups_have_headings);
  sample_window_add ("/columns/groups-begin-with-the-heading-of-the-first",
                     test_groups_begin_with_the_heading_of_the_first);
  /* Last, as what is kept stays; so does the order of those before. */
  sample_window_add ("/columns/the-choice-is-there-in-the-next-window", test_the_choice_is_there_in_the_next_window);
  return g_test_run ();
}
