/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The late wake-ups are there before the verdict, which then changes nothing but what it says of them. */
#include "sample-window.h"

#include "application.h"
#include "document.h"

#define COMPUTING "computing…"
#define CLASS "called too often"
#define NO_VERDICT "No verdict: the study could not be read"
#define RUN "slides/on-1"
#define FIRST 2 /* places of the rows that are selected */
#define ROWS 3
#define SCROLLED 60

typedef struct
{
  SampleWindow *sample;
  void (*meanwhile) (SampleWindow *sample);
  gboolean done;
} Hold;

/* The verdict is asked for when all have heard of the late wake-ups: it waits for who takes his time here. */
static void
on_changed (CulpritDocument *document, guint part, Hold *hold)
{
  if (part != CULPRIT_PART_OUTLIERS || hold->done)
    return;
  hold->done = TRUE;
  sample_window_wait_until (sample_window_shows_label, hold->sample, COMPUTING);
  g_assert_null (culprit_document_verdict (document));
  g_assert_false (sample_window_shows_label (hold->sample, CLASS));
  hold->meanwhile (hold->sample);
}

static CulpritDocument *
document_of (SampleWindow *sample)
{
  return culprit_study_window_document (sample->window);
}

static gboolean
is_judged (SampleWindow *sample, gconstpointer data)
{
  return !culprit_document_is_judging (document_of (sample));
}

/* Opens the study anew, and does @meanwhile before there is a verdict. */
static void
open_again (SampleWindow *sample, void (*meanwhile) (SampleWindow *sample))
{
  Hold hold = { .sample = sample, .meanwhile = meanwhile };
  gulong handler;

  gtk_window_destroy (GTK_WINDOW (sample->window));
  sample->window = culprit_application_begin (sample->application, sample->study, NULL);
  handler = g_signal_connect (document_of (sample), "changed", G_CALLBACK (on_changed), &hold);
  sample_window_wait_until (is_judged, sample, NULL);
  g_assert_true (hold.done);
  g_signal_handler_disconnect (document_of (sample), handler);
  sample_window_settle ();
}

static GtkColumnView *
find_list (SampleWindow *sample)
{
  g_autoptr (GPtrArray) lists = sample_window_find (sample, GTK_TYPE_COLUMN_VIEW);

  return g_ptr_array_index (lists, 0);
}

static GtkAdjustment *
scrolled (SampleWindow *sample)
{
  return gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (find_list (sample)));
}

/* The numbers of the captures that are selected, in the order shown. */
static char *
selected (SampleWindow *sample)
{
  CulpritPage *page = CULPRIT_PAGE (sample_window_child (sample, "outliers"));
  g_autoptr (GPtrArray) rows = culprit_table_view_selected (culprit_page_table (page));
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < rows->len; i++)
    g_string_append_printf (text, "%" G_GINT64_FORMAT " ",
                            culprit_row_integer (g_ptr_array_index (rows, i), "capture"));
  return g_string_free (text, FALSE);
}

static void
select_rows (SampleWindow *sample)
{
  gtk_selection_model_select_range (gtk_column_view_get_model (find_list (sample)), FIRST, ROWS, TRUE);
}

/* Makes rows so high that the list has to be scrolled. */
static void
make_rows_high (void)
{
  g_autoptr (GtkCssProvider) style = gtk_css_provider_new ();

  gtk_css_provider_load_from_data (style, "columnview row { min-height: 60px; }", -1);
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (style),
                                              GTK_STYLE_PROVIDER_PRIORITY_USER);
}

static void
select_and_scroll (SampleWindow *sample)
{
  select_rows (sample);
  sample_window_settle ();
  gtk_adjustment_set_value (scrolled (sample), SCROLLED);
  sample_window_settle ();
  g_assert_cmpfloat (gtk_adjustment_get_value (scrolled (sample)), ==, SCROLLED);
}

static void
test_the_verdict_fills_the_rows_that_are_there (SampleWindow *sample, gconstpointer data)
{
  g_autofree char *after = NULL;

  open_again (sample, select_and_scroll);
  g_assert_true (sample_window_shows_label (sample, CLASS));
  g_assert_cmpuint (sample_window_count_labels (sample, COMPUTING), ==, 0);
  g_assert_true (sample_window_tells (sample, "clearly exceed"));
  after = selected (sample);
  g_assert_cmpstr (after, ==, "3 4 5 ");
  g_assert_cmpint (culprit_document_capture (document_of (sample)), ==, FIRST + 1);
  g_assert_cmpfloat (gtk_adjustment_get_value (scrolled (sample)), ==, SCROLLED);
}

static double list_top;

/* Where the list begins in the window, in pixels. */
static double
find_top (SampleWindow *sample)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (find_list (sample)), GTK_WIDGET (sample->window), &bounds));
  return bounds.origin.y;
}

static void
note_top (SampleWindow *sample)
{
  sample_window_settle ();
  list_top = find_top (sample);
}

static void
test_the_list_stays_where_it_is (SampleWindow *sample, gconstpointer data)
{
  open_again (sample, note_top);
  g_assert_cmpfloat (find_top (sample), ==, list_top);
}

/* So many rows that not all are seen. */
static void
show_stalls (SampleWindow *sample)
{
  gtk_window_set_default_size (GTK_WINDOW (sample->window), 800, 600);
  culprit_study_window_show_page (sample->window, "stalls");
  sample_window_settle ();
}

static void
test_stalls_begin_with_the_longest (SampleWindow *sample, gconstpointer data)
{
  GtkAdjustment *along;

  open_again (sample, show_stalls);
  along = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (find_list (sample)));
  g_assert_cmpfloat (gtk_adjustment_get_upper (along), >, gtk_adjustment_get_page_size (along));
  g_assert_cmpfloat (gtk_adjustment_get_value (along), ==, 0);
}

static void
sort_by_excess (SampleWindow *sample)
{
  GListModel *columns = gtk_column_view_get_columns (find_list (sample));

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      if (g_str_equal (gtk_column_view_column_get_title (column), "Excess"))
        gtk_column_view_sort_by_column (find_list (sample), column, GTK_SORT_DESCENDING);
    }
  select_rows (sample);
  sample_window_settle ();
}

static void
test_the_verdict_sorts_by_what_it_fills (SampleWindow *sample, gconstpointer data)
{
  g_autofree char *after = NULL;
  double before = G_MAXDOUBLE;
  GListModel *rows;

  open_again (sample, sort_by_excess);
  rows = G_LIST_MODEL (gtk_column_view_get_model (find_list (sample)));
  g_assert_cmpuint (g_list_model_get_n_items (rows), >, ROWS);
  for (guint i = 0; i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (CulpritRow) row = g_list_model_get_item (rows, i);

      g_assert_cmpfloat (culprit_row_real (row, "excess_ns"), <=, before);
      before = culprit_row_real (row, "excess_ns");
    }
  after = selected (sample);
  g_assert_cmpstr (after, ==, "4 5 3 ");
  g_assert_cmpint (culprit_document_capture (document_of (sample)), ==, FIRST + 1);
}

static void
group (SampleWindow *sample)
{
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "group", NULL);
  select_rows (sample);
}

/* In a group those come first that are latest. */
static void
test_groups_come_with_the_verdict (SampleWindow *sample, gconstpointer data)
{
  g_autoptr (CulpritRow) first = NULL;
  g_autofree char *after = NULL;

  open_again (sample, group);
  first = g_list_model_get_item (G_LIST_MODEL (gtk_column_view_get_model (find_list (sample))), 0);
  g_assert_cmpint (culprit_row_integer (first, "capture"), ==, 7);
  after = selected (sample);
  g_assert_cmpstr (after, ==, "4 5 3 ");
}

static void
triage (SampleWindow *sample)
{
  select_rows (sample);
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "triage", g_variant_new_string ("ignored"));
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "note", g_variant_new_string ("known"));
}

static gboolean
counts_less (SampleWindow *sample, gconstpointer data)
{
  const CulpritVerdict *verdict = culprit_document_verdict (document_of (sample));

  return !culprit_document_is_judging (document_of (sample)) && verdict->ignored == ROWS;
}

static void
test_what_is_decided_meanwhile_counts (SampleWindow *sample, gconstpointer data)
{
  open_again (sample, triage);
  sample_window_wait_until (counts_less, sample, NULL);
  for (gint64 capture = FIRST + 1; capture <= FIRST + ROWS; capture++)
    {
      CulpritRow *row = culprit_rows_find (culprit_document_outliers (document_of (sample)), "capture", capture);

      g_assert_cmpstr (culprit_row_text (row, "triage"), ==, "ignored");
      g_assert_cmpstr (culprit_row_text (row, "note"), ==, "known");
    }
}

static void
choose_run (SampleWindow *sample)
{
  culprit_document_choose_run (document_of (sample), RUN);
}

static void
test_another_run_has_a_verdict_of_its_own (SampleWindow *sample, gconstpointer data)
{
  Hold hold = { .sample = sample, .meanwhile = select_rows };

  g_signal_connect (document_of (sample), "changed", G_CALLBACK (on_changed), &hold);
  choose_run (sample);
  sample_window_wait_until (is_judged, sample, NULL);
  g_assert_true (hold.done);
  g_assert_cmpuint (culprit_document_verdict (document_of (sample))->captures, ==, 8);
  g_signal_handlers_disconnect_by_data (document_of (sample), &hold);
}

static void
damage (SampleWindow *sample)
{
  sample_window_execute (sample, "CREATE TABLE another (x)");
}

static void
test_a_verdict_that_fails_is_not_awaited (SampleWindow *sample, gconstpointer data)
{
  open_again (sample, damage);
  g_assert_true (sample_window_tells (sample, "its schema is not that of a study"));
  g_assert_true (sample_window_tells (sample, NO_VERDICT));
  g_assert_cmpuint (sample_window_count_labels (sample, COMPUTING), ==, 0);
  sample_window_execute (sample, "DROP TABLE another");
  culprit_document_reload (document_of (sample));
  sample_window_wait_until (sample_window_shows_label, sample, CLASS);
  g_assert_false (sample_window_tells (sample, NO_VERDICT));
}

static void
damage_functions (SampleWindow *sample)
{
  sample_window_execute (sample, "UPDATE run_function SET self_ns = self_ns + 9200000000000000000");
}

static void
test_another_part_that_fails_does_not_stop_it (SampleWindow *sample, gconstpointer data)
{
  open_again (sample, damage_functions);
  sample_window_wait_until (sample_window_tells, sample, "numbers are too large");
  g_assert_true (sample_window_shows_label (sample, CLASS));
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  make_rows_high ();
  sample_window_add ("/verdict/it-fills-the-rows-that-are-there", test_the_verdict_fills_the_rows_that_are_there);
  sample_window_add ("/verdict/stalls-begin-with-the-longest", test_stalls_begin_with_the_longest);
  sample_window_add ("/verdict/the-list-stays-where-it-is", test_the_list_stays_where_it_is);
  sample_window_add ("/verdict/it-sorts-by-what-it-fills", test_the_verdict_sorts_by_what_it_fills);
  sample_window_add ("/verdict/groups-come-with-it", test_groups_come_with_the_verdict);
  sample_window_add ("/verdict/what-is-decided-meanwhile-counts", test_what_is_decided_meanwhile_counts);
  sample_window_add ("/verdict/another-run-has-one-of-its-own", test_another_run_has_a_verdict_of_its_own);
  sample_window_add ("/verdict/one-that-fails-is-not-awaited", test_a_verdict_that_fails_is_not_awaited);
  sample_window_add ("/verdict/another-part-that-fails-does-not-stop-it",
                     test_another_part_that_fails_does_not_stop_it);
  return g_test_run ();
}
