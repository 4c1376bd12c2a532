/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A note and a state that were given while another writes to the study are both stored, and none is lost on the way. */
#include "sample-window.h"

#include <glib/gstdio.h>
#include <sqlite3.h>

#define OTHER 1
#define BUSY_MS 5000
#define ROUNDS 30

/* The caller owns it. */
static char *
capture_path (SampleWindow *sample)
{
  return g_build_filename (sample->captures, "slides-003.dat", NULL);
}

/* Begins to write to the study, so that nobody else can. */
static sqlite3 *
hold (SampleWindow *sample)
{
  sqlite3 *study;

  g_assert_cmpint (sqlite3_open (sample->study, &study), ==, SQLITE_OK);
  sqlite3_busy_timeout (study, BUSY_MS);
  g_assert_cmpint (sqlite3_exec (study, "BEGIN IMMEDIATE", NULL, NULL, NULL), ==, SQLITE_OK);
  return study;
}

static void
let_go (sqlite3 *study)
{
  g_assert_cmpint (sqlite3_exec (study, "ROLLBACK", NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (study);
}

static void
give_state (SampleWindow *sample, const char *state)
{
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "triage", g_variant_new_string (state));
}

/* The entry of the chosen capture's note, into which the focus goes. */
static GtkEditable *
enter_note (SampleWindow *sample)
{
  g_autoptr (GPtrArray) entries = NULL;

  culprit_study_window_show_page (sample->window, "outliers");
  sample_window_choose (sample, SAMPLE_WINDOW_CAPTURE);
  entries = sample_window_find (sample, GTK_TYPE_ENTRY);
  g_assert_cmpuint (entries->len, ==, 1);
  g_assert_true (gtk_widget_grab_focus (g_ptr_array_index (entries, 0)));
  return g_ptr_array_index (entries, 0);
}

static void
leave_note (SampleWindow *sample)
{
  g_autoptr (GPtrArray) lists = sample_window_find (sample, GTK_TYPE_COLUMN_VIEW);

  g_assert_true (gtk_widget_grab_focus (g_ptr_array_index (lists, 0)));
  sample_window_settle ();
}

static void
test_a_note_outlives_a_visit_elsewhere (SampleWindow *sample, gconstpointer data)
{
  GtkEditable *note = enter_note (sample);
  sqlite3 *other = hold (sample);

  gtk_editable_set_text (note, "hello");
  sample_window_choose (sample, OTHER);
  g_assert_cmpstr (gtk_editable_get_text (note), ==, "");
  sample_window_choose (sample, SAMPLE_WINDOW_CAPTURE);
  g_assert_cmpstr (gtk_editable_get_text (note), ==, "hello");
  let_go (other);
  sample_window_wait_until (sample_window_stores, sample, "new: hello");
  leave_note (sample);
  sample_window_settle ();
  g_assert_cmpstr (gtk_editable_get_text (note), ==, "hello");
  g_assert_true (sample_window_stores (sample, "new: hello"));
}

static void
test_a_state_keeps_the_note_that_is_being_stored (SampleWindow *sample, gconstpointer data)
{
  GtkEditable *note = enter_note (sample);
  sqlite3 *other = hold (sample);

  gtk_editable_set_text (note, "hello");
  leave_note (sample);
  give_state (sample, "explained");
  sample_window_settle ();
  let_go (other);
  sample_window_wait_until (sample_window_stores, sample, "explained: hello");
}

/* The last one counts, though the first was not stored when it was given. */
static void
test_what_was_taken_back_by_hand_stays_so (SampleWindow *sample, gconstpointer data)
{
  sqlite3 *other;

  enter_note (sample);
  other = hold (sample);
  give_state (sample, "explained");
  give_state (sample, "new");
  sample_window_settle ();
  let_go (other);
  give_state (sample, "seen");
  sample_window_wait_until (sample_window_stores, sample, "seen: ");
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "undo", NULL);
  sample_window_wait_until (sample_window_stores, sample, "new: ");
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "undo", NULL);
  sample_window_wait_until (sample_window_stores, sample, "explained: ");
}

static gboolean
is_read (SampleWindow *sample, gconstpointer data)
{
  return !culprit_document_is_judging (culprit_study_window_document (sample->window));
}

static gboolean
shows_state (SampleWindow *sample, gconstpointer state)
{
  CulpritRows *outliers = culprit_document_outliers (culprit_study_window_document (sample->window));

  return is_read (sample, NULL) &&
         g_str_equal (culprit_row_text (culprit_rows_find (outliers, "capture", SAMPLE_WINDOW_CAPTURE), "triage"),
                      state);
}

/* What was read before it was stored may come after it. */
static void
test_a_state_given_while_the_study_is_read_is_shown (SampleWindow *sample, gconstpointer data)
{
  culprit_study_window_show_page (sample->window, "outliers");
  sample_window_choose (sample, SAMPLE_WINDOW_CAPTURE);
  for (guint round = 0; round < ROUNDS; round++)
    {
      const char *state = round % 2 == 0 ? "seen" : "explained";
      g_autofree char *stored = g_strconcat (state, ": ", NULL);

      g_action_group_activate_action (G_ACTION_GROUP (sample->window), "reload", NULL);
      give_state (sample, state);
      sample_window_wait_until (sample_window_stores, sample, stored);
      sample_window_wait_until (shows_state, sample, state);
    }
}

static gboolean
tells_no (SampleWindow *sample, gconstpointer text)
{
  return !sample_window_tells (sample, text);
}

/* Captures of the same numbers, which nobody has seen here, are not marked. */
static void
test_a_state_goes_to_no_other_capture (SampleWindow *sample, gconstpointer data)
{
  culprit_study_window_show_page (sample->window, "outliers");
  sample_window_choose (sample, SAMPLE_WINDOW_CAPTURE);
  sample_window_execute (sample, "UPDATE capture SET sha256 = " SAMPLE_WINDOW_OTHER_DIGEST);
  give_state (sample, "explained");
  sample_window_wait_until (sample_window_tells, sample, "is another one than the window shows");
  g_assert_true (sample_window_stores (sample, "new: "));
  sample_window_wait_until (shows_state, sample, "new");
  sample_window_choose (sample, SAMPLE_WINDOW_CAPTURE);
  give_state (sample, "seen");
  sample_window_wait_until (sample_window_stores, sample, "seen: ");
}

/* Also what was typed, but not entered yet. */
static void
test_a_note_goes_to_no_other_capture (SampleWindow *sample, gconstpointer data)
{
  GtkEditable *note = enter_note (sample);

  gtk_editable_set_text (note, "hello");
  sample_window_replace (sample, "");
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "reload", NULL);
  sample_window_wait_until (sample_window_tells, sample, "anew-1.dat");
  sample_window_choose (sample, SAMPLE_WINDOW_CAPTURE);
  g_assert_cmpstr (gtk_editable_get_text (note), ==, "");
  leave_note (sample);
  sample_window_wait_until (sample_window_tells, sample, "; it was “hello”");
  g_assert_true (sample_window_stores (sample, "new: "));
}

/* Gives the capture a digest of the older kind. */
static void
age (SampleWindow *sample)
{
  g_autofree char *path = capture_path (sample);
  g_autofree char *content = NULL;
  g_autofree char *digest = NULL;
  g_autofree char *sql = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &content, &length, NULL));
  digest = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) content, length);
  sql = g_strdup_printf ("UPDATE capture SET sha256 = '%s', read_version = 6 WHERE capture_id = %d", digest,
                         SAMPLE_WINDOW_CAPTURE);
  sample_window_execute (sample, sql);
}

static gboolean
is_imported_again (SampleWindow *sample, gconstpointer data)
{
  return sample_window_execute (sample, "UPDATE capture SET note = note WHERE read_version = 6") == 0 &&
         !culprit_document_doing (culprit_study_window_document (sample->window)) && is_read (sample, NULL);
}

/* It has another digest then, but is the same: what was chosen, typed and can be undone stays. */
static void
test_a_note_goes_to_a_capture_that_was_imported_again (SampleWindow *sample, gconstpointer data)
{
  CulpritDocument *document = culprit_study_window_document (sample->window);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  GtkEditable *note;

  sample_window_wait_until (is_read, sample, NULL);
  age (sample);
  culprit_document_reload (document);
  sample_window_wait_until (is_read, sample, NULL);
  note = enter_note (sample);
  give_state (sample, "seen");
  sample_window_wait_until (sample_window_stores, sample, "seen: ");
  gtk_editable_set_text (note, "hello");
  g_ptr_array_add (paths, capture_path (sample));
  culprit_document_import (document, paths);
  sample_window_wait_until (is_imported_again, sample, NULL);
  sample_window_settle ();
  g_assert_cmpint (culprit_document_capture (document), ==, SAMPLE_WINDOW_CAPTURE);
  g_assert_cmpstr (gtk_editable_get_text (note), ==, "hello");
  leave_note (sample);
  sample_window_wait_until (sample_window_stores, sample, "seen: hello");
  for (guint i = 0; i < 2; i++)
    g_action_group_activate_action (G_ACTION_GROUP (sample->window), "undo", NULL);
  sample_window_wait_until (sample_window_stores, sample, "new: ");
}

/* Nobody knows of a digest of the older kind whose it is, but of the times. */
static void
test_a_state_goes_to_no_other_capture_of_an_older_study (SampleWindow *sample, gconstpointer data)
{
  sample_window_wait_until (is_read, sample, NULL);
  enter_note (sample);
  age (sample);
  sample_window_execute (sample, "UPDATE capture SET last_ns = last_ns + 1");
  give_state (sample, "explained");
  sample_window_wait_until (sample_window_tells, sample, "is another one than the window shows");
  g_assert_true (sample_window_stores (sample, "new: "));
}

static gboolean
has_seen_other (SampleWindow *sample, gconstpointer data)
{
  return sample_window_execute (sample, "UPDATE capture SET triage = 'seen' WHERE triage = 'seen'") == 1;
}

static void
test_what_was_not_stored_is_told_until_it_is (SampleWindow *sample, gconstpointer data)
{
  g_autofree char *away = g_strconcat (sample->study, ".away", NULL);
  GActionGroup *actions = G_ACTION_GROUP (sample->window);

  enter_note (sample);
  g_assert_no_errno (g_rename (sample->study, away));
  give_state (sample, "explained");
  sample_window_wait_until (sample_window_tells, sample, "A state or note was not stored: ");
  g_assert_no_errno (g_rename (away, sample->study));
  give_state (sample, "explained");
  sample_window_wait_until (tells_no, sample, "A state or note was not stored: ");
  sample_window_execute (sample, "UPDATE capture SET sha256 = " SAMPLE_WINDOW_OTHER_DIGEST
                                 " WHERE capture_id = " G_STRINGIFY (SAMPLE_WINDOW_CAPTURE));
  g_action_group_activate_action (actions, "note", g_variant_new_string ("hello"));
  g_action_group_activate_action (actions, "capture", g_variant_new_int64 (OTHER));
  give_state (sample, "seen");
  sample_window_wait_until (has_seen_other, sample, NULL);
  sample_window_settle ();
  g_assert_true (sample_window_tells (sample, "; it was “hello”"));
}

/* Whoever moves the study without its log would leave that behind. */
static void
test_what_a_reader_keeps_in_the_log_is_told (SampleWindow *sample, gconstpointer data)
{
  sqlite3 *reader = NULL;

  sample_window_wait_until (is_read, sample, NULL);
  enter_note (sample);
  g_assert_cmpint (sqlite3_open (sample->study, &reader), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (reader, "PRAGMA journal_mode = WAL; BEGIN; SELECT 1 FROM capture", NULL, NULL, NULL),
                   ==, SQLITE_OK);
  give_state (sample, "explained");
  sample_window_wait_until (sample_window_tells, sample, "-wal for now, as another program has the study open");
  let_go (reader);
  g_assert_true (sample_window_stores (sample, "explained: "));
}

static void
test_where_none_is_chosen_nothing_is_stored (SampleWindow *sample, gconstpointer data)
{
  g_autofree char *away = g_strconcat (sample->study, ".away", NULL);

  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "search-for",
                                  g_variant_new_string ("nothing is so"));
  sample_window_settle ();
  g_assert_no_errno (g_rename (sample->study, away));
  give_state (sample, "seen");
  sample_window_settle ();
  g_assert_false (sample_window_tells (sample, "not stored"));
}

static gboolean
shows_note (SampleWindow *sample, gconstpointer note)
{
  CulpritRows *outliers = culprit_document_outliers (culprit_study_window_document (sample->window));

  return is_read (sample, NULL) &&
         g_str_equal (culprit_row_text (culprit_rows_find (outliers, "capture", SAMPLE_WINDOW_CAPTURE), "note"), note);
}

/* Another program gives all captures @note. */
static void
note_elsewhere (SampleWindow *sample, const char *note)
{
  char *sql = sqlite3_mprintf ("UPDATE capture SET note = %Q", note);

  sample_window_execute (sample, sql);
  sqlite3_free (sql);
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "reload", NULL);
  sample_window_wait_until (shows_note, sample, note);
}

/* All that the field does not show would be lost. */
static void
test_what_is_added_to_a_note_leaves_the_rest (SampleWindow *sample, gconstpointer data)
{
  g_autofree char *longer = g_strnfill (3000, 'n');
  const char *notes[] = { longer, "نمی\u200cخواهم", "שלום\u200f", "👩\u200d💻", "lat\u00adency" };
  GtkEditable *note = enter_note (sample);

  for (guint i = 0; i < G_N_ELEMENTS (notes); i++)
    {
      g_autofree char *wanted = g_strconcat ("new: ", notes[i], "x", NULL);
      int end = -1;

      note_elsewhere (sample, notes[i]);
      sample_window_choose (sample, OTHER);
      sample_window_choose (sample, SAMPLE_WINDOW_CAPTURE);
      g_assert_true (gtk_widget_grab_focus (GTK_WIDGET (note)));
      end = g_utf8_strlen (gtk_editable_get_text (note), -1);
      gtk_editable_insert_text (note, "x", -1, &end);
      leave_note (sample);
      sample_window_wait_until (sample_window_stores, sample, wanted);
    }
}

static void
test_a_note_that_cannot_be_shown_cannot_be_edited (SampleWindow *sample, gconstpointer data)
{
  static const char *const notes[] = { "one\ntwo", "one\ttwo", "turned\u202eround" };
  GtkEditable *note = enter_note (sample);

  for (guint i = 0; i < G_N_ELEMENTS (notes); i++)
    {
      note_elsewhere (sample, notes[i]);
      sample_window_settle ();
      g_assert_false (gtk_editable_get_editable (note));
    }
  note_elsewhere (sample, "one");
  sample_window_settle ();
  g_assert_true (gtk_editable_get_editable (note));
}

/* Both lines stay, on one. */
static void
test_what_is_pasted_stays_editable (SampleWindow *sample, gconstpointer data)
{
  GtkEditable *note = enter_note (sample);

  gtk_editable_set_text (note, "one\ntwo");
  leave_note (sample);
  sample_window_wait_until (sample_window_stores, sample, "new: one two");
  g_assert_true (gtk_editable_get_editable (note));
}

/* Ctrl+Z in the field takes back what was typed there, and not what was shown for another capture. */
static void
test_the_field_takes_back_no_other_note (SampleWindow *sample, gconstpointer data)
{
  GtkEditable *note = enter_note (sample);
  GtkWidget *text = GTK_WIDGET (gtk_editable_get_delegate (note));

  note_elsewhere (sample, "of all");
  sample_window_execute (sample, "UPDATE capture SET note = 'of another' WHERE capture_id = 1");
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "reload", NULL);
  sample_window_wait_until (is_read, sample, NULL);
  sample_window_choose (sample, OTHER);
  sample_window_choose (sample, SAMPLE_WINDOW_CAPTURE);
  g_assert_cmpstr (gtk_editable_get_text (note), ==, "of all");
  g_assert_true (gtk_widget_grab_focus (GTK_WIDGET (note)));
  for (guint i = 0; i < 5; i++)
    gtk_widget_activate_action (text, "text.undo", NULL);
  g_assert_cmpstr (gtk_editable_get_text (note), ==, "of all");
}

/* Undo takes back what was done here, and nothing that somebody else did. */
static void
test_undo_leaves_what_others_wrote (SampleWindow *sample, gconstpointer data)
{
  GtkEditable *note = enter_note (sample);

  give_state (sample, "explained");
  sample_window_wait_until (sample_window_stores, sample, "explained: ");
  note_elsewhere (sample, "theirs");
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "undo", NULL);
  sample_window_wait_until (sample_window_stores, sample, "new: theirs");
  gtk_editable_set_text (note, "mine");
  leave_note (sample);
  sample_window_wait_until (sample_window_stores, sample, "new: mine");
  note_elsewhere (sample, "theirs again");
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "undo", NULL);
  sample_window_wait_until (sample_window_tells, sample, "Not undone: another window or program has changed");
  g_assert_true (sample_window_stores (sample, "new: theirs again"));
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  sample_window_add ("/notes/a-note-outlives-a-visit-elsewhere", test_a_note_outlives_a_visit_elsewhere);
  sample_window_add ("/notes/a-state-keeps-the-note-that-is-being-stored",
                     test_a_state_keeps_the_note_that_is_being_stored);
  sample_window_add ("/notes/what-was-taken-back-by-hand-stays-so", test_what_was_taken_back_by_hand_stays_so);
  sample_window_add ("/notes/a-state-given-while-the-study-is-read-is-shown",
                     test_a_state_given_while_the_study_is_read_is_shown);
  sample_window_add ("/notes/a-state-goes-to-no-other-capture", test_a_state_goes_to_no_other_capture);
  sample_window_add ("/notes/a-note-goes-to-no-other-capture", test_a_note_goes_to_no_other_capture);
  sample_window_add ("/notes/a-note-goes-to-a-capture-that-was-imported-again",
                     test_a_note_goes_to_a_capture_that_was_imported_again);
  sample_window_add ("/notes/a-state-goes-to-no-other-capture-of-an-older-study",
                     test_a_state_goes_to_no_other_capture_of_an_older_study);
  sample_window_add ("/notes/what-was-not-stored-is-told-until-it-is", test_what_was_not_stored_is_told_until_it_is);
  sample_window_add ("/notes/what-a-reader-keeps-in-the-log-is-told", test_what_a_reader_keeps_in_the_log_is_told);
  sample_window_add ("/notes/where-none-is-chosen-nothing-is-stored", test_where_none_is_chosen_nothing_is_stored);
  sample_window_add ("/notes/what-is-added-to-a-note-leaves-the-rest", test_what_is_added_to_a_note_leaves_the_rest);
  sample_window_add ("/notes/a-note-that-cannot-be-shown-cannot-be-edited",
                     test_a_note_that_cannot_be_shown_cannot_be_edited);
  sample_window_add ("/notes/what-is-pasted-stays-editable", test_what_is_pasted_stays_editable);
  sample_window_add ("/notes/the-field-takes-back-no-other-note", test_the_field_takes_back_no_other_note);
  sample_window_add ("/notes/undo-leaves-what-others-wrote", test_undo_leaves_what_others_wrote);
  return g_test_run ();
}
