/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the window tells besides the list: how many there are of a class, what was undone, and which files failed. */
#include "sample-window.h"

#include "triage.h"
#include "verdict/case.h"

#include <glib/gstdio.h>
#include <string.h>

#define BAD_FILES 11

static gboolean
offers (SampleWindow *sample, gconstpointer text)
{
  g_autoptr (GPtrArray) choices = sample_window_find (sample, GTK_TYPE_DROP_DOWN);

  for (guint i = 0; i < choices->len; i++)
    {
      GListModel *model = gtk_drop_down_get_model (g_ptr_array_index (choices, i));

      for (guint k = 0; model && k < g_list_model_get_n_items (model); k++)
        {
          g_autoptr (GObject) item = g_list_model_get_item (model, k);

          if (GTK_IS_STRING_OBJECT (item) &&
              g_str_equal (gtk_string_object_get_string (GTK_STRING_OBJECT (item)), text))
            return TRUE;
        }
    }
  return FALSE;
}

static void
choose_class (SampleWindow *sample, guint place)
{
  g_autoptr (GPtrArray) choices = sample_window_find (sample, GTK_TYPE_DROP_DOWN);

  gtk_drop_down_set_selected (g_ptr_array_index (choices, 0), place);
  sample_window_settle ();
}

static void
test_classes_are_offered_with_their_counts (SampleWindow *sample, gconstpointer data)
{
  culprit_study_window_show_page (sample->window, "outliers");
  sample_window_wait_until (offers, sample, "called too often (8)");
  g_assert_true (offers (sample, "blind stall (5)"));
  g_assert_true (offers (sample, "mixed (0)"));
  choose_class (sample, 1 + CULPRIT_CLASS_BLIND_STALL);
  g_assert_true (sample_window_tells (sample, "5 of 13"));
}

/* Sets the state of the first @n captures. */
static void
triage (SampleWindow *sample, guint n, const char *state, const char *note)
{
  CulpritDocument *document = culprit_study_window_document (sample->window);
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (rows, g_list_model_get_item (G_LIST_MODEL (culprit_document_outliers (document)), i));
  triage_set (document, rows, state, note);
}

static void
undo (SampleWindow *sample)
{
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "undo", NULL);
}

static gboolean
offers_undo (SampleWindow *sample, gconstpointer offers)
{
  return (sample_window_button (sample, "Undo") != NULL) == GPOINTER_TO_INT (offers);
}

static void
test_a_notice_offers_to_undo_only_the_last_change (SampleWindow *sample, gconstpointer data)
{
  triage (sample, 3, "seen", NULL);
  sample_window_wait_until (offers_undo, sample, GINT_TO_POINTER (TRUE));
  triage (sample, 1, "explained", NULL);
  sample_window_wait_until (offers_undo, sample, GINT_TO_POINTER (FALSE));
  triage (sample, 2, NULL, "hello");
  sample_window_wait_until (offers_undo, sample, GINT_TO_POINTER (TRUE));
  undo (sample);
  sample_window_wait_until (offers_undo, sample, GINT_TO_POINTER (FALSE));
}

static void
test_a_notice_does_not_offer_to_undo_what_was_before_it (SampleWindow *sample, gconstpointer data)
{
  triage (sample, 1, "explained", NULL);
  triage (sample, 3, "seen", NULL);
  sample_window_wait_until (sample_window_shows_label, sample, "Marked 3 late wake-ups as seen");
  /* Of these, none changes: the last change is the one before. */
  triage (sample, 3, "seen", NULL);
  sample_window_settle ();
  g_assert_true (offers_undo (sample, GINT_TO_POINTER (FALSE)));
  triage (sample, 5, "seen", NULL);
  sample_window_wait_until (sample_window_shows_label, sample, "Marked 2 late wake-ups as seen");
  g_assert_true (offers_undo (sample, GINT_TO_POINTER (TRUE)));
}

static void
test_what_is_undone_is_told (SampleWindow *sample, gconstpointer data)
{
  culprit_study_window_show_page (sample->window, "outliers");
  sample_window_settle ();
  triage (sample, 3, "seen", NULL);
  undo (sample);
  sample_window_wait_until (sample_window_shows_label, sample, "Undone: the states of 3 captures");
  triage (sample, 1, "explained", NULL);
  undo (sample);
  sample_window_wait_until (sample_window_shows_label, sample, "Undone: capture 1 is marked as new again");
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "redo", NULL);
  sample_window_wait_until (sample_window_shows_label, sample, "Redone: capture 1 is marked as explained");
  triage (sample, 1, NULL, "a note");
  undo (sample);
  sample_window_wait_until (sample_window_shows_label, sample, "Undone: the note of capture 1");
}

/* The window above that of the study; NULL: there is none. */
static GtkWidget *
find_dialog (SampleWindow *sample)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *list = windows; list; list = list->next)
    if (gtk_window_get_transient_for (list->data) == GTK_WINDOW (sample->window) && gtk_widget_get_mapped (list->data))
      return list->data;
  return NULL;
}

static GtkWidget *
find_below (GtkWidget *widget, GType type)
{
  GtkWidget *found = g_type_is_a (G_OBJECT_TYPE (widget), type) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child && !found;
       child = gtk_widget_get_next_sibling (child))
    found = find_below (child, type);
  return found;
}

static void
on_text (GObject *clipboard, GAsyncResult *result, gpointer data)
{
  char **text = data;

  *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);
}

/* Copies what the dialog says and closes it. */
static char *
take_report (SampleWindow *sample)
{
  GtkWidget *dialog = find_dialog (sample);
  char *text = NULL;

  g_assert_nonnull (dialog);
  g_signal_emit_by_name (find_below (dialog, GTK_TYPE_BUTTON), "clicked");
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (dialog), NULL, on_text, &text);
  sample_window_settle ();
  gtk_window_close (GTK_WINDOW (dialog));
  sample_window_settle ();
  g_assert_null (find_dialog (sample));
  return text;
}

static void
test_all_files_that_failed_are_listed_with_their_reasons (SampleWindow *sample, gconstpointer data)
{
  GActionGroup *actions = G_ACTION_GROUP (sample->window);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *report = NULL;
  g_autofree char *later = NULL;

  g_assert_false (g_action_group_get_action_enabled (actions, "import-report"));
  for (guint i = 0; i < BAD_FILES; i++)
    {
      g_autofree char *name = g_strdup_printf ("bad-%u.dat", i);

      g_ptr_array_add (paths, g_build_filename (sample->folder, name, NULL));
      g_assert_true (g_file_set_contents (g_ptr_array_index (paths, i), "not a capture\n", -1, NULL));
    }
  culprit_document_import (culprit_study_window_document (sample->window), paths);
  sample_window_wait_until (sample_window_tells, sample,
                            G_STRINGIFY (BAD_FILES) " of " G_STRINGIFY (BAD_FILES) " files were not imported");
  g_signal_emit_by_name (sample_window_button (sample, "Details…"), "clicked");
  sample_window_settle ();
  report = take_report (sample);
  g_assert_true (g_str_has_prefix (report, "Not imported\n"));
  g_assert_nonnull (strstr (report, "expected a capture saved by trace-cmd or culprit, or latency results"));
  for (guint i = 0; i < BAD_FILES; i++)
    {
      g_autofree char *line = g_strdup_printf ("bad-%u.dat: not a trace-cmd file", i);

      g_assert_nonnull (strstr (report, line));
      g_assert_cmpint (g_unlink (g_ptr_array_index (paths, i)), ==, 0);
    }
  g_action_group_activate_action (actions, "dismiss", NULL);
  g_action_group_activate_action (actions, "import-report", NULL);
  sample_window_settle ();
  later = take_report (sample);
  g_assert_cmpstr (later, ==, report);
}

static gboolean
is_open_again (SampleWindow *sample, gconstpointer data)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *list = windows; list; list = list->next)
    if (CULPRIT_IS_STUDY_WINDOW (list->data))
      sample->window = list->data;
  return sample->window && find_dialog (sample);
}

/* Also what waits for another import, and of which nothing has begun. */
static void
test_files_that_failed_after_their_window_was_closed_are_listed (SampleWindow *sample, gconstpointer data)
{
  CulpritDocument *document = culprit_study_window_document (sample->window);
  g_autoptr (GPtrArray) known = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) bad = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *report = NULL;

  g_ptr_array_add (known, g_build_filename (sample->captures, "slides-001.dat", NULL));
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *name = g_strdup_printf ("bad-%u.dat", i);

      g_ptr_array_add (bad, g_build_filename (sample->folder, name, NULL));
      g_assert_true (g_file_set_contents (g_ptr_array_index (bad, i), "not a capture\n", -1, NULL));
    }
  culprit_document_import (document, known);
  culprit_document_import (document, bad);
  gtk_window_destroy (GTK_WINDOW (g_steal_pointer (&sample->window)));
  sample_window_wait_until (is_open_again, sample, NULL);
  g_assert_true (sample_window_tells (sample, "2 of 2 files were not imported"));
  report = take_report (sample);
  for (guint i = 0; i < bad->len; i++)
    {
      g_autofree char *line = g_strdup_printf ("bad-%u.dat: not a trace-cmd file", i);

      g_assert_nonnull (strstr (report, line));
      g_assert_cmpint (g_unlink (g_ptr_array_index (bad, i)), ==, 0);
    }
}

static gboolean
has_imported (SampleWindow *sample, gconstpointer data)
{
  CulpritDocument *document = culprit_study_window_document (sample->window);

  return !culprit_document_doing (document) && culprit_document_imported (document);
}

static void
test_what_waits_for_a_cancelled_import_is_listed (SampleWindow *sample, gconstpointer data)
{
  CulpritDocument *document = culprit_study_window_document (sample->window);
  g_autoptr (GPtrArray) known = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) folder = g_ptr_array_new_with_free_func (g_free);
  const char *listed;

  g_ptr_array_add (known, g_build_filename (sample->captures, "slides-001.dat", NULL));
  g_ptr_array_add (folder, g_strdup (sample->folder));
  culprit_document_import (document, known);
  culprit_document_import (document, folder);
  culprit_document_cancel (document);
  sample_window_wait_until (has_imported, sample, NULL);
  listed = strstr (culprit_document_imported (document), "Not imported, as that was cancelled\n");
  g_assert_true (listed && g_str_has_suffix (listed, sample->folder));
}

static void
test_a_report_that_was_written_takes_off_no_failure_of_a_table (SampleWindow *sample, gconstpointer data)
{
  GActionGroup *actions = G_ACTION_GROUP (sample->window);
  g_autofree char *report = g_build_filename (sample->folder, "report.html", NULL);

  culprit_study_window_show_page (sample->window, "outliers");
  g_action_group_activate_action (actions, "export-table-to", g_variant_new_string ("/nowhere/a.csv"));
  g_action_group_activate_action (actions, "report-to", g_variant_new_string (report));
  sample_window_wait_until (sample_window_wrote, sample, report);
  sample_window_wait_until (sample_window_tells, sample, "Saved report.html");
  g_assert_true (sample_window_tells (sample, "/nowhere/a.csv"));
  g_assert_no_errno (g_unlink (report));
}

/* A number and its unit stay on one line. */
static void
test_a_share_is_not_broken_between_lines (SampleWindow *sample, gconstpointer data)
{
  g_autoptr (GPtrArray) labels = NULL;
  guint found = 0;

  culprit_study_window_show_page (sample->window, "outliers");
  sample_window_choose (sample, 1);
  sample_window_wait_until (sample_window_tells, sample, "more than usual (99 %)");
  labels = sample_window_find (sample, GTK_TYPE_LABEL);
  for (guint i = 0; i < labels->len; i++)
    {
      GtkLabel *label = g_ptr_array_index (labels, i);
      const char *text = gtk_label_get_text (label);
      const char *share = strstr (text, "(99 %)");

      for (int width = 60; share && width < 700; width += 7)
        {
          g_autoptr (PangoLayout) layout = pango_layout_copy (gtk_label_get_layout (label));
          int digit;
          int sign;

          pango_layout_set_width (layout, width * PANGO_SCALE);
          pango_layout_index_to_line_x (layout, share + 2 - text, FALSE, &digit, NULL);
          pango_layout_index_to_line_x (layout, share + 4 - text, FALSE, &sign, NULL);
          g_assert_cmpint (digit, ==, sign);
          found++;
        }
    }
  g_assert_cmpuint (found, >, 0);
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  sample_window_add ("/told/a-notice-offers-to-undo-only-the-last-change",
                     test_a_notice_offers_to_undo_only_the_last_change);
  sample_window_add ("/told/a-notice-does-not-offer-to-undo-what-was-before-it",
                     test_a_notice_does_not_offer_to_undo_what_was_before_it);
  sample_window_add ("/told/all-files-that-failed-are-listed",
                     test_all_files_that_failed_are_listed_with_their_reasons);
  sample_window_add ("/told/files-that-failed-after-their-window-was-closed-are-listed",
                     test_files_that_failed_after_their_window_was_closed_are_listed);
  sample_window_add ("/told/what-waits-for-a-cancelled-import-is-listed",
                     test_what_waits_for_a_cancelled_import_is_listed);
  sample_window_add ("/told/a-report-that-was-written-takes-off-no-failure-of-a-table",
                     test_a_report_that_was_written_takes_off_no_failure_of_a_table);
  sample_window_add ("/told/classes-are-offered-with-their-counts", test_classes_are_offered_with_their_counts);
  sample_window_add ("/told/what-is-undone-is-told", test_what_is_undone_is_told);
  sample_window_add ("/told/a-share-is-not-broken-between-lines", test_a_share_is_not_broken_between_lines);
  return g_test_run ();
}
