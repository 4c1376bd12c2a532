/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said of several captures goes to all of them, and what cannot be done says why. */
#include "sample-window.h"

#include "tables/table-view.h"

static GtkColumnView *
find_list (SampleWindow *sample)
{
  g_autoptr (GPtrArray) lists = sample_window_find (sample, GTK_TYPE_COLUMN_VIEW);

  return g_ptr_array_index (lists, 0);
}

static GtkEditable *
find_note (SampleWindow *sample)
{
  g_autoptr (GPtrArray) entries = sample_window_find (sample, GTK_TYPE_ENTRY);

  g_assert_cmpuint (entries->len, ==, 1);
  return g_ptr_array_index (entries, 0);
}

static void
select_three (SampleWindow *sample)
{
  culprit_study_window_show_page (sample->window, "outliers");
  sample_window_choose (sample, SAMPLE_WINDOW_CAPTURE);
  gtk_selection_model_select_range (gtk_column_view_get_model (find_list (sample)), SAMPLE_WINDOW_CAPTURE - 1, 3, TRUE);
  sample_window_settle ();
}

static const char *
note_of (SampleWindow *sample, gint64 capture)
{
  CulpritRows *rows = culprit_document_outliers (culprit_study_window_document (sample->window));

  return culprit_row_text (culprit_rows_find (rows, "capture", capture), "note");
}

static gboolean
stores_note (SampleWindow *sample, gconstpointer note)
{
  return sample_window_stores (sample, note);
}

static void
test_a_note_goes_to_all_that_are_selected (SampleWindow *sample, gconstpointer data)
{
  select_three (sample);
  g_assert_cmpstr (gtk_entry_get_placeholder_text (GTK_ENTRY (find_note (sample))), ==, "Note for all 3 selected");
  gtk_editable_set_text (find_note (sample), "hello");
  g_signal_emit_by_name (find_note (sample), "activate");
  sample_window_wait_until (stores_note, sample, "new: hello");
  for (gint64 capture = SAMPLE_WINDOW_CAPTURE; capture < SAMPLE_WINDOW_CAPTURE + 3; capture++)
    g_assert_cmpstr (note_of (sample, capture), ==, "hello");
  g_assert_cmpstr (note_of (sample, 1), ==, "");
  sample_window_wait_until (sample_window_tells, sample, "Wrote the note to 3 late wake-ups");
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "undo", NULL);
  sample_window_wait_until (stores_note, sample, "new: ");
  sample_window_settle ();
  g_assert_cmpstr (note_of (sample, SAMPLE_WINDOW_CAPTURE + 2), ==, "");
  sample_window_choose (sample, 1);
  g_assert_cmpstr (gtk_entry_get_placeholder_text (GTK_ENTRY (find_note (sample))), ==, "Note");
}

static void
test_the_details_stay_when_more_rows_are_selected (SampleWindow *sample, gconstpointer data)
{
  CulpritDocument *document = culprit_study_window_document (sample->window);

  culprit_study_window_show_page (sample->window, "outliers");
  sample_window_choose (sample, SAMPLE_WINDOW_CAPTURE);
  gtk_selection_model_select_range (gtk_column_view_get_model (find_list (sample)), SAMPLE_WINDOW_CAPTURE, 2, FALSE);
  sample_window_settle ();
  g_assert_cmpint (culprit_document_capture (document), ==, SAMPLE_WINDOW_CAPTURE);
  sample_window_choose (sample, 1);
  g_assert_cmpint (culprit_document_capture (document), ==, 1);
}

static void
test_what_a_page_has_not_is_grey_and_says_why (SampleWindow *sample, gconstpointer data)
{
  GMenuModel *menu = G_MENU_MODEL (sample_window_child (sample, "export_menu"));
  const char *pages[][2] = { { "latency", "Export Picture…" },
                             { "functions", "Export Picture: none on this page" },
                             { "outliers", "Export Picture: show the timeline first" },
                             { "record", "Export Picture…" } };

  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      g_autofree char *label = NULL;

      culprit_study_window_show_page (sample->window, pages[i][0]);
      sample_window_settle ();
      g_menu_model_get_item_attribute (menu, 2, G_MENU_ATTRIBUTE_LABEL, "s", &label);
      g_assert_cmpstr (label, ==, pages[i][1]);
    }
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  sample_window_add ("/selected/a-note-goes-to-all-that-are-selected", test_a_note_goes_to_all_that_are_selected);
  sample_window_add ("/selected/the-details-stay-when-more-rows-are-selected",
                     test_the_details_stay_when_more_rows_are_selected);
  sample_window_add ("/selected/what-a-page-has-not-is-grey-and-says-why",
                     test_what_a_page_has_not_is_grey_and_says_why);
  return g_test_run ();
}
