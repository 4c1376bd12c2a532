/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is chosen is what is shown and meant: in a table that was not seen before, in a timeline of another capture,
 * under a filter that hides it. */
#include "sample-window.h"

#include "charts/timeline/view.h"
#include "outliers/capture-timeline.h"
#define OTHER 9

static gboolean
has_functions (SampleWindow *sample, gconstpointer data)
{
  return culprit_document_functions (culprit_study_window_document (sample->window)) != NULL;
}

static void
test_a_chosen_function_is_in_view (SampleWindow *sample, gconstpointer data)
{
  CulpritDocument *document = culprit_study_window_document (sample->window);
  g_autoptr (GPtrArray) lists = NULL;
  g_autoptr (CulpritRow) last = NULL;
  g_autofree char *key = NULL;
  GtkAdjustment *scrolled;
  GListModel *rows;

  sample_window_wait_until (has_functions, sample, NULL);
  rows = G_LIST_MODEL (culprit_document_functions (document));
  last = g_list_model_get_item (rows, g_list_model_get_n_items (rows) - 1);
  key = culprit_row_function (last);
  culprit_document_choose_function (document, key);
  culprit_study_window_show_page (sample->window, "functions");
  sample_window_settle ();
  lists = sample_window_find (sample, GTK_TYPE_COLUMN_VIEW);
  scrolled = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (g_ptr_array_index (lists, 0)));
  g_assert_cmpfloat (gtk_adjustment_get_upper (scrolled), >, 2 * gtk_adjustment_get_page_size (scrolled));
  g_assert_cmpfloat (gtk_adjustment_get_value (scrolled), >, 0);
}

/* The entry beside the timeline. */
static GtkEditable *
find_search (SampleWindow *sample)
{
  g_autoptr (GPtrArray) entries = sample_window_find (sample, GTK_TYPE_SEARCH_ENTRY);

  for (guint i = 0; i < entries->len; i++)
    if (gtk_widget_get_ancestor (g_ptr_array_index (entries, i), CULPRIT_TYPE_CAPTURE_TIMELINE))
      return g_ptr_array_index (entries, i);
  g_assert_not_reached ();
}

/* What it says of the matches: "17 calls". */
static char *
read_matches (SampleWindow *sample)
{
  GtkWidget *matches = gtk_widget_get_next_sibling (GTK_WIDGET (find_search (sample)));

  while (matches && !GTK_IS_LABEL (matches))
    matches = gtk_widget_get_next_sibling (matches);
  return g_strdup (gtk_label_get_text (GTK_LABEL (matches)));
}

static gboolean
tells_matches (SampleWindow *sample, gconstpointer data)
{
  g_autofree char *matches = read_matches (sample);

  return g_str_has_suffix (matches, " calls");
}

static void
test_matches_are_of_the_timeline_that_is_shown (SampleWindow *sample, gconstpointer data)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *again = NULL;

  sample_window_show_timeline (sample);
  culprit_document_choose_function (culprit_study_window_document (sample->window), NULL);
  gtk_editable_set_text (find_search (sample), "irq");
  sample_window_wait_until (tells_matches, sample, NULL);
  before = read_matches (sample);
  sample_window_choose (sample, OTHER);
  sample_window_wait_until (sample_window_shows, sample, GSIZE_TO_POINTER (CULPRIT_TYPE_TIMELINE_VIEW));
  after = read_matches (sample);
  culprit_document_choose_function (culprit_study_window_document (sample->window), NULL);
  gtk_editable_set_text (find_search (sample), "");
  sample_window_settle ();
  gtk_editable_set_text (find_search (sample), "irq");
  sample_window_wait_until (tells_matches, sample, NULL);
  again = read_matches (sample);
  g_assert_cmpstr (before, !=, again);
  g_assert_cmpstr (after, ==, again);
}

static CulpritDocument *
document_of (SampleWindow *sample)
{
  return culprit_study_window_document (sample->window);
}

static void
search (SampleWindow *sample, const char *text)
{
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "search-for", g_variant_new_string (text));
  sample_window_settle ();
}

static void
test_what_is_told_is_listed (SampleWindow *sample, gconstpointer data)
{
  culprit_study_window_show_page (sample->window, "outliers");
  sample_window_choose (sample, SAMPLE_WINDOW_CAPTURE);
  search (sample, "hypervisor");
  g_assert_cmpint (culprit_document_capture (document_of (sample)), ==, OTHER);
  sample_window_choose (sample, OTHER + 1);
  search (sample, "nothing is so");
  g_assert_true (sample_window_shows_label (sample, "Nothing matches the search and filters above"));
  g_assert_cmpint (culprit_document_capture (document_of (sample)), ==, 0);
  g_assert_true (sample_window_tells (sample, "Select a late wake-up"));
  search (sample, "hyper");
  g_assert_cmpint (culprit_document_capture (document_of (sample)), ==, OTHER + 1);
  search (sample, "");
  g_assert_cmpint (culprit_document_capture (document_of (sample)), ==, OTHER + 1);
}

/* Of the states to filter by: the choice that has "Any state" first. */
static void
show_state (SampleWindow *sample, const char *state)
{
  g_autoptr (GPtrArray) choices = sample_window_find (sample, GTK_TYPE_DROP_DOWN);

  for (guint i = 0; i < choices->len; i++)
    {
      GListModel *model = gtk_drop_down_get_model (g_ptr_array_index (choices, i));

      for (guint k = 0; k < g_list_model_get_n_items (model); k++)
        if (g_str_equal (gtk_string_list_get_string (GTK_STRING_LIST (model), 0), "Any state") &&
            g_str_equal (gtk_string_list_get_string (GTK_STRING_LIST (model), k), state))
          gtk_drop_down_set_selected (g_ptr_array_index (choices, i), k);
    }
  sample_window_settle ();
}

static void
test_what_was_triaged_makes_way_for_the_next (SampleWindow *sample, gconstpointer data)
{
  culprit_study_window_show_page (sample->window, "outliers");
  sample_window_choose (sample, SAMPLE_WINDOW_CAPTURE);
  show_state (sample, "new");
  g_assert_cmpint (culprit_document_capture (document_of (sample)), ==, SAMPLE_WINDOW_CAPTURE);
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "triage", g_variant_new_string ("seen"));
  sample_window_wait_until (sample_window_tells, sample, "12 of 13 late wake-ups");
  g_assert_cmpint (culprit_document_capture (document_of (sample)), ==, SAMPLE_WINDOW_CAPTURE + 1);
  sample_window_wait_until (sample_window_stores, sample, "seen: ");
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "undo", NULL);
  sample_window_wait_until (sample_window_shows_label, sample, "13 late wake-ups");
  g_assert_cmpint (culprit_document_capture (document_of (sample)), ==, SAMPLE_WINDOW_CAPTURE + 1);
}

static void
test_ignored_captures_can_be_hidden (SampleWindow *sample, gconstpointer data)
{
  culprit_study_window_show_page (sample->window, "outliers");
  sample_window_choose (sample, SAMPLE_WINDOW_CAPTURE);
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "triage", g_variant_new_string ("seen"));
  show_state (sample, "Not ignored");
  g_assert_true (sample_window_shows_label (sample, "13 late wake-ups"));
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "triage", g_variant_new_string ("ignored"));
  sample_window_wait_until (sample_window_tells, sample, "12 of 13 late wake-ups");
  g_assert_cmpint (culprit_document_capture (document_of (sample)), ==, SAMPLE_WINDOW_CAPTURE + 1);
  show_state (sample, "ignored");
  g_assert_true (sample_window_tells (sample, "1 of 13 late wake-ups"));
}

static void
test_smaller_parts_are_no_function (SampleWindow *sample, gconstpointer data)
{
  const guint parts = 1; /* the place of their row, behind the culprit's */
  g_autoptr (GPtrArray) lists = NULL;

  culprit_study_window_show_page (sample->window, "outliers");
  sample_window_wait_until (sample_window_tells, sample, "slides-001.dat of slides/on-1: 3.158 ms late");
  sample_window_wait_until (sample_window_tells, sample, "smaller parts)");
  lists = sample_window_find (sample, GTK_TYPE_COLUMN_VIEW);
  g_signal_emit_by_name (g_ptr_array_index (lists, 1), "activate", parts);
  g_assert_cmpstr (culprit_document_function (document_of (sample)), ==, "qh_completions [culprit_fault]");
  g_assert_true (sample_window_tells (sample, "smaller parts)"));
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  sample_window_add ("/choosing/a-chosen-function-is-in-view", test_a_chosen_function_is_in_view);
  sample_window_add ("/choosing/matches-are-of-the-timeline-that-is-shown",
                     test_matches_are_of_the_timeline_that_is_shown);
  sample_window_add ("/choosing/what-is-told-is-listed", test_what_is_told_is_listed);
  sample_window_add ("/choosing/what-was-triaged-makes-way-for-the-next", test_what_was_triaged_makes_way_for_the_next);
  sample_window_add ("/choosing/ignored-captures-can-be-hidden", test_ignored_captures_can_be_hidden);
  sample_window_add ("/choosing/smaller-parts-are-no-function", test_smaller_parts_are_no_function);
  return g_test_run ();
}
