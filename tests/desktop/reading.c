/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is read is shown in the end, however often it is asked for and whatever failed before. */
#include "sample-window.h"

#include "charts/timeline/view.h"
#include "study/triage.h"

#include <glib/gstdio.h>
#include <unistd.h>

#define CAPTURE 3
#define READS_US 3000000

typedef struct
{
  CulpritDocument *document;
  guint times[CULPRIT_PARTS]; /* how often a part came */
} Reads;

static gboolean
reload (gpointer data)
{
  culprit_document_reload (data);
  return G_SOURCE_CONTINUE;
}

static void
on_changed (CulpritDocument *document, guint part, Reads *reads)
{
  reads->times[part]++;
}

/* As while a recording goes on, whose captures come faster than the study is read. */
static void
test_who_asks_again_and_again_gets_all_parts (SampleWindow *sample, gconstpointer data)
{
  CulpritDocument *document = culprit_study_window_document (sample->window);
  Reads reads = { 0 };
  guint source = g_timeout_add (1, reload, document);
  gulong handler = g_signal_connect (document, "changed", G_CALLBACK (on_changed), &reads);

  sample_window_wait_us (READS_US);
  g_source_remove (source);
  for (guint part = 0; part < CULPRIT_PARTS; part++)
    g_assert_cmpuint (reads.times[part], >, 1);
  g_signal_handler_disconnect (document, handler);
}

/* The last that is asked for counts what came before it. */
static void
test_what_came_while_it_was_read_is_read (SampleWindow *sample, gconstpointer data)
{
  CulpritDocument *document = culprit_study_window_document (sample->window);
  g_autoptr (CulpritStudy) study = culprit_study_open (sample->study, CULPRIT_STUDY_CREATE, NULL);
  const gint64 capture = CAPTURE;
  g_autoptr (GArray) changes = culprit_study_triage (study, &capture, 1, NULL);
  CulpritTriage *triage = &g_array_index (changes, CulpritTriage, 0);
  CulpritTriageChanged changed;

  culprit_document_reload (document);
  sample_window_wait_us (1000);
  g_free (triage->state);
  triage->state = g_strdup (CULPRIT_TRIAGE_IGNORED);
  g_assert_true (culprit_study_change_triage (study, changes, NULL, &changed, NULL));
  culprit_triage_changed_clear (&changed);
  culprit_document_reload (document);
  culprit_study_window_show_page (sample->window, "functions");
  sample_window_wait_until (sample_window_tells, sample, "Means over 12 late and ");
}

/* Adds so much to the functions' times that their sum is none, or takes it away again. */
static void
damage_functions (SampleWindow *sample, char sign)
{
  g_autofree char *sql = g_strdup_printf ("UPDATE run_function SET self_ns = self_ns %c 9200000000000000000", sign);

  sample_window_execute (sample, sql);
}

/* Part of it fails; what comes of another part meanwhile changes nothing. */
static void
test_a_study_that_failed_is_read_again (SampleWindow *sample, gconstpointer data)
{
  Reads reads = { 0 };
  CulpritDocument *document = culprit_study_window_document (sample->window);
  gulong handler = g_signal_connect (document, "changed", G_CALLBACK (on_changed), &reads);

  sample_window_settle ();
  damage_functions (sample, '+');
  culprit_document_reload (document);
  sample_window_wait_until (sample_window_tells, sample, "its numbers are too large");
  sample_window_settle ();
  damage_functions (sample, '-');
  reads = (Reads) { 0 };
  culprit_document_reload (document);
  sample_window_wait_us (READS_US);
  for (guint part = 0; part < CULPRIT_PARTS; part++)
    g_assert_cmpuint (reads.times[part], ==, 1);
  g_signal_handler_disconnect (document, handler);
}

#define RUN "slides/on-1"

static gboolean
lists_outliers (SampleWindow *sample, gconstpointer data)
{
  CulpritDocument *document = culprit_study_window_document (sample->window);

  return culprit_document_outliers (document) && culprit_document_functions (document) &&
         !culprit_document_is_judging (document);
}

static gboolean
shows_on_page (SampleWindow *sample, const char *page, const char *text)
{
  culprit_study_window_show_page (sample->window, page);
  sample_window_settle ();
  return sample_window_shows_label (sample, text);
}

/* What was shown before is of other captures than the name beside it. */
static void
test_a_run_that_cannot_be_read_shows_no_other (SampleWindow *sample, gconstpointer data)
{
  CulpritDocument *document = culprit_study_window_document (sample->window);

  sample_window_wait_until (lists_outliers, sample, NULL);
  culprit_study_window_show_page (sample->window, "flame");
  sample_window_settle ();
  g_assert_true (sample_window_tells (sample, "13 late wake-ups"));
  sample_window_execute (sample, "CREATE TABLE another (x)");
  culprit_document_choose_run (document, RUN);
  sample_window_wait_until (sample_window_tells, sample, "its schema is not that of a study");
  sample_window_settle ();
  g_assert_false (sample_window_tells (sample, "13 late wake-ups"));
  g_assert_null (culprit_document_outliers (document));
  g_assert_true (shows_on_page (sample, "outliers", "This study cannot be read"));
  g_assert_true (shows_on_page (sample, "functions", "This study cannot be read"));
  g_assert_true (shows_on_page (sample, "stalls", "They cannot be read"));
  sample_window_execute (sample, "DROP TABLE another");
  culprit_document_reload (document);
  sample_window_wait_until (lists_outliers, sample, NULL);
  g_assert_false (shows_on_page (sample, "outliers", "This study cannot be read"));
  g_assert_false (shows_on_page (sample, "functions", "This study cannot be read"));
}

/* The rest of it can be read. */
static void
test_functions_that_cannot_be_read_are_not_those_of_another_run (SampleWindow *sample, gconstpointer data)
{
  CulpritDocument *document = culprit_study_window_document (sample->window);

  culprit_document_choose_run (document, RUN);
  sample_window_wait_until (lists_outliers, sample, NULL);
  sample_window_settle ();
  damage_functions (sample, '+');
  culprit_document_choose_run (document, NULL);
  sample_window_wait_until (sample_window_tells, sample, "its numbers are too large");
  g_assert_true (shows_on_page (sample, "functions", "The functions cannot be read"));
  g_assert_nonnull (culprit_document_outliers (document));
}

/* The captures of another study are noticed only when it is read. */
static void
test_functions_that_cannot_be_read_are_not_those_of_another_study (SampleWindow *sample, gconstpointer data)
{
  CulpritDocument *document = culprit_study_window_document (sample->window);

  sample_window_wait_until (lists_outliers, sample, NULL);
  sample_window_execute (sample, SAMPLE_WINDOW_OTHERS);
  damage_functions (sample, '+');
  culprit_document_reload (document);
  sample_window_wait_until (sample_window_tells, sample, "its numbers are too large");
  g_assert_true (shows_on_page (sample, "functions", "The functions cannot be read"));
  g_assert_nonnull (culprit_document_outliers (document));
}

static void
count (CulpritDocument *document, guint part, guint *times)
{
  (*times)++;
}

/* What cannot be read is not read again and again because the rows that stay are of another study. */
static void
test_another_study_that_cannot_be_read_is_read_once (SampleWindow *sample, gconstpointer data)
{
  CulpritDocument *document = culprit_study_window_document (sample->window);
  guint times = 0;
  gulong handler;

  culprit_study_window_show_page (sample->window, "outliers");
  culprit_document_choose_run (document, RUN);
  sample_window_wait_until (lists_outliers, sample, NULL);
  sample_window_settle ();
  sample_window_execute (sample, "UPDATE capture SET sha256 = " SAMPLE_WINDOW_OTHER_DIGEST ";"
                                 "UPDATE run SET name = 'anew' WHERE name = '" RUN "'");
  handler = g_signal_connect (document, "changed", G_CALLBACK (count), &times);
  sample_window_choose (sample, 2);
  sample_window_wait_until (sample_window_tells, sample, RUN);
  sample_window_wait_us (READS_US);
  g_assert_cmpuint (times, <, 2 * CULPRIT_PARTS);
  g_signal_handler_disconnect (document, handler);
}

static void
check_class (CulpritDocument *document, guint part, gboolean *read)
{
  if (part != CULPRIT_PART_OUTLIERS)
    return;
  g_assert_cmpstr (culprit_row_text (culprit_document_row (document, 1), "class"), ==, "");
  *read = TRUE;
}

static gboolean
is_set (SampleWindow *sample, gconstpointer flag)
{
  return *(const gboolean *) flag;
}

static void
test_captures_of_another_study_are_not_judged_by_the_verdict_before (SampleWindow *sample, gconstpointer data)
{
  CulpritDocument *document = culprit_study_window_document (sample->window);
  gboolean read = FALSE;
  gulong handler;

  sample_window_wait_until (lists_outliers, sample, NULL);
  g_assert_cmpstr (culprit_row_text (culprit_document_row (document, 1), "class"), !=, "");
  sample_window_replace (sample, "");
  handler = g_signal_connect (document, "changed", G_CALLBACK (check_class), &read);
  culprit_document_reload (document);
  sample_window_wait_until (is_set, sample, &read);
  g_signal_handler_disconnect (document, handler);
}

/* Whether there are @data rows, and no more is read; to be waited for. */
static gboolean
lists_so_many (SampleWindow *sample, gconstpointer data)
{
  CulpritDocument *document = culprit_study_window_document (sample->window);

  return lists_outliers (sample, NULL) &&
         g_list_model_get_n_items (G_LIST_MODEL (culprit_document_outliers (document))) == GPOINTER_TO_UINT (data);
}

#define CAPTURES GUINT_TO_POINTER (13)

static void
reload_until (SampleWindow *sample, gpointer captures)
{
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "reload", NULL);
  sample_window_wait_until (lists_so_many, sample, captures);
  sample_window_settle ();
}

#define COPIES 16

typedef struct
{
  const char *study;
  int stop; /* atomic */
} Replacing;

/* Puts one of several files in place of the study, as fast as can be. */
static gpointer
replace_again_and_again (gpointer data)
{
  Replacing *replacing = data;
  g_autofree char *next = g_strconcat (replacing->study, ".next", NULL);

  for (guint i = 0; !g_atomic_int_get (&replacing->stop); i++)
    {
      g_autofree char *copy = g_strdup_printf ("%s.%u", replacing->study, i % COPIES);

      g_assert_no_errno (link (copy, next));
      g_assert_no_errno (g_rename (next, replacing->study));
      g_usleep (10);
    }
  return NULL;
}

/* It is not read for ever, but says so. */
static void
test_a_study_that_is_replaced_faster_than_it_is_read_is_given_up (SampleWindow *sample, gconstpointer data)
{
  CulpritDocument *document = culprit_study_window_document (sample->window);
  Replacing replacing = { .study = sample->study };
  g_autofree char *content = NULL;
  GThread *thread;
  gsize length;

  g_assert_true (g_file_get_contents (sample->study, &content, &length, NULL));
  for (guint i = 0; i < COPIES; i++)
    {
      g_autofree char *copy = g_strdup_printf ("%s.%u", sample->study, i);

      g_assert_true (g_file_set_contents (copy, content, length, NULL));
    }
  thread = g_thread_new ("replacing", replace_again_and_again, &replacing);
  culprit_document_reload (document);
  sample_window_wait_until (sample_window_tells, sample, "another study has replaced the one that the window shows");
  sample_window_settle ();
  for (gint64 end = g_get_monotonic_time () + READS_US; g_get_monotonic_time () < end; sample_window_wait_us (1000))
    g_assert_false (culprit_document_is_reading (document));
  g_atomic_int_set (&replacing.stop, TRUE);
  g_thread_join (thread);
  for (guint i = 0; i < COPIES; i++)
    {
      g_autofree char *copy = g_strdup_printf ("%s.%u", sample->study, i);

      g_assert_no_errno (g_unlink (copy));
    }
  reload_until (sample, CAPTURES);
}

static void
show_only_some (SampleWindow *sample)
{
  const gint64 captures[] = { CAPTURE, CAPTURE + 2 };
  GVariant *some =
      g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, captures, G_N_ELEMENTS (captures), sizeof *captures);

  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "captures",
                                  g_variant_new ("(s@ax)", "somebody", some));
  sample_window_settle ();
  g_assert_true (sample_window_shows_label (sample, "Only those of somebody"));
}

/* One that is made anew has none at first. */
static void
test_captures_that_come_to_another_study_later_are_others (SampleWindow *sample, gconstpointer data)
{
  g_autofree char *content = NULL;
  gsize length;

  sample_window_wait_until (lists_outliers, sample, NULL);
  culprit_study_window_show_page (sample->window, "outliers");
  show_only_some (sample);
  sample_window_show_timeline (sample);
  sample_window_replace (sample, "");
  g_assert_true (g_file_get_contents (sample->study, &content, &length, NULL));
  sample_window_replace (sample, "PRAGMA foreign_keys = ON; DELETE FROM capture");
  reload_until (sample, GUINT_TO_POINTER (0));
  g_assert_true (g_file_set_contents (sample->study, content, length, NULL));
  reload_until (sample, CAPTURES);
  g_assert_false (sample_window_shows_label (sample, "Only those of somebody"));
  sample_window_choose (sample, CAPTURE);
  sample_window_wait_until (sample_window_tells, sample, "the capture file is missing");
}

static void
test_captures_that_another_run_hid_meanwhile_are_others (SampleWindow *sample, gconstpointer data)
{
  CulpritDocument *document = culprit_study_window_document (sample->window);

  sample_window_wait_until (lists_outliers, sample, NULL);
  culprit_study_window_show_page (sample->window, "outliers");
  show_only_some (sample);
  culprit_document_choose_run (document, "firmware");
  sample_window_wait_until (lists_so_many, sample, GUINT_TO_POINTER (5));
  sample_window_execute (sample, "UPDATE capture SET sha256 = " SAMPLE_WINDOW_OTHER_DIGEST " WHERE capture_id <= 8");
  culprit_document_choose_run (document, NULL);
  sample_window_wait_until (lists_so_many, sample, CAPTURES);
  sample_window_settle ();
  g_assert_false (sample_window_shows_label (sample, "Only those of somebody"));
}

/* It is the same when it is back. */
static void
test_a_study_that_was_away_is_no_other (SampleWindow *sample, gconstpointer data)
{
  CulpritDocument *document = culprit_study_window_document (sample->window);
  g_autofree char *away = g_strconcat (sample->study, ".away", NULL);

  sample_window_wait_until (lists_outliers, sample, NULL);
  culprit_study_window_show_page (sample->window, "outliers");
  show_only_some (sample);
  sample_window_choose (sample, CAPTURE + 2);
  g_assert_no_errno (g_rename (sample->study, away));
  culprit_document_choose_run (document, RUN);
  sample_window_wait_until (sample_window_tells, sample, "no such study");
  g_assert_no_errno (g_rename (away, sample->study));
  reload_until (sample, GUINT_TO_POINTER (8));
  g_assert_true (sample_window_shows_label (sample, "Only those of somebody"));
  g_assert_cmpint (culprit_document_capture (document), ==, CAPTURE + 2);
}

/* A report asked for before anybody has noticed; what was selected is not in it. */
static void
ask_for_report (SampleWindow *sample, void (*replace) (SampleWindow *sample, const char *sql))
{
  g_autofree char *report = g_build_filename (sample->folder, "report.html", NULL);

  sample_window_wait_until (lists_outliers, sample, NULL);
  culprit_study_window_show_page (sample->window, "outliers");
  replace (sample, "");
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "report-to", g_variant_new_string (report));
  sample_window_wait_until (sample_window_tells, sample, "another study has replaced the one that the window shows");
  g_assert_false (g_file_test (report, G_FILE_TEST_EXISTS));
  sample_window_wait_until (sample_window_tells, sample, "anew-1.dat");
}

static void
test_nothing_is_reported_of_another_study (SampleWindow *sample, gconstpointer data)
{
  ask_for_report (sample, sample_window_replace);
}

/* As by cp, which leaves the file its inode. */
static void
write_over (SampleWindow *sample, const char *sql)
{
  sample_window_execute (sample, SAMPLE_WINDOW_OTHERS);
}

static void
test_nothing_is_reported_of_a_study_that_was_written_over (SampleWindow *sample, gconstpointer data)
{
  ask_for_report (sample, write_over);
}

/* Latencies of another tool have no captures to know them by. What is added to them is of the same study. */
static void
test_other_latencies_of_the_same_name_are_another_study (SampleWindow *sample, gconstpointer data)
{
  CulpritDocument *document = culprit_study_window_document (sample->window);
  GActionGroup *actions = G_ACTION_GROUP (sample->window);
  g_autofree char *report = g_build_filename (sample->folder, "report.html", NULL);

  sample_window_execute (sample, "INSERT INTO run (name, source, cycles) VALUES ('idle', 'profile', 9);"
                                 "INSERT INTO run_latency SELECT run_id, 0, 2000, 9 FROM run WHERE name = 'idle'");
  culprit_document_choose_run (document, "idle");
  sample_window_wait_until (lists_so_many, sample, GUINT_TO_POINTER (0));
  sample_window_execute (sample, "INSERT INTO run (name, source, cycles) VALUES ('load', 'profile', 9);"
                                 "INSERT INTO run_latency SELECT run_id, 0, 3000, 9 FROM run WHERE name = 'load'");
  g_action_group_activate_action (actions, "report-to", g_variant_new_string (report));
  sample_window_wait_until (sample_window_wrote, sample, report);
  sample_window_settle ();
  g_assert_no_errno (g_unlink (report));
  sample_window_execute (sample, "UPDATE run_latency SET latency_ns = latency_ns + 500000 WHERE count = 9");
  g_action_group_activate_action (actions, "report-to", g_variant_new_string (report));
  sample_window_wait_until (sample_window_tells, sample, "another study has replaced the one that the window shows");
  g_assert_false (g_file_test (report, G_FILE_TEST_EXISTS));
}

/* Puts a copy of the study in its place in which @sql was executed; and gives that before another name, if it has one.
 */
static void
put_in_place (SampleWindow *sample, const char *sql, const char *away)
{
  g_autofree char *next = g_strconcat (sample->study, ".next", NULL);
  g_autofree char *content = NULL;
  char *was = sample->study;
  gsize length;

  g_assert_true (g_file_get_contents (sample->study, &content, &length, NULL));
  g_assert_true (g_file_set_contents (next, content, length, NULL));
  sample->study = next;
  sample_window_execute (sample, sql);
  sample->study = was;
  g_assert_no_errno (g_rename (sample->study, away));
  g_assert_no_errno (g_rename (next, sample->study));
}

/* What was asked for while another was there is refused; that it cannot be read is told. */
static void
test_a_study_that_is_put_back_is_asked_again (SampleWindow *sample, gconstpointer data)
{
  CulpritDocument *document = culprit_study_window_document (sample->window);
  GActionGroup *actions = G_ACTION_GROUP (sample->window);
  g_autofree char *report = g_build_filename (sample->folder, "report.html", NULL);
  g_autofree char *away = g_strconcat (sample->study, ".away", NULL);

  culprit_document_choose_run (document, "slides/on-1");
  sample_window_settle ();
  put_in_place (sample, "UPDATE run SET name = 'other' WHERE name = 'slides/on-1'", away);
  g_action_group_activate_action (actions, "report-to", g_variant_new_string (report));
  sample_window_wait_until (sample_window_tells, sample, "no run \"slides/on-1\"");
  g_assert_no_errno (g_rename (away, sample->study));
  for (guint i = 0; i < 2; i++)
    {
      g_action_group_activate_action (actions, "report-to", g_variant_new_string (report));
      sample_window_settle ();
    }
  sample_window_wait_until (sample_window_wrote, sample, report);
  g_assert_no_errno (g_unlink (report));
}

static void
show (SampleWindow *sample, const char *details)
{
  culprit_study_window_show_page (sample->window, "outliers");
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "details", g_variant_new_string (details));
}

static gboolean
is_there (SampleWindow *sample, gconstpointer details)
{
  g_autoptr (GPtrArray) timelines = sample_window_find (sample, CULPRIT_TYPE_TIMELINE_VIEW);

  return g_str_equal (details, "tree") ? sample_window_shows_label (sample, "With Callees") : timelines->len > 0;
}

static void
test_a_tree_needs_no_capture (SampleWindow *sample, gconstpointer data)
{
  g_autofree char *away = g_strconcat (sample->captures, "-away", NULL);

  g_assert_no_errno (g_rename (sample->captures, away));
  show (sample, "tree");
  sample_window_wait_until (is_there, sample, "tree");
}

/* @data: which. */
static void
test_what_failed_is_read_again (SampleWindow *sample, gconstpointer data)
{
  g_autofree char *away = g_strconcat (sample->captures, "-away", NULL);

  g_assert_no_errno (g_rename (sample->captures, away));
  show (sample, data);
  sample_window_wait_until (sample_window_tells, sample, "the capture file is missing");
  g_assert_false (is_there (sample, data));
  g_assert_no_errno (g_rename (away, sample->captures));
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "reload", NULL);
  sample_window_wait_until (is_there, sample, data);
}

/* A copy of a capture in the new folder @name. The caller owns it. */
static char *
copy_capture (SampleWindow *sample, const char *name)
{
  g_autofree char *from = g_build_filename (sample->captures, "slides-003.dat", NULL);
  g_autofree char *folder = g_build_filename (sample->folder, name, NULL);
  char *to = g_build_filename (folder, "x.dat", NULL);
  g_autoptr (GFile) source = g_file_new_for_path (from);
  g_autoptr (GFile) target = g_file_new_for_path (to);

  g_assert_no_errno (g_mkdir (folder, 0700));
  g_assert_true (g_file_copy (source, target, G_FILE_COPY_NONE, NULL, NULL, NULL, NULL));
  return to;
}

static void
import_into_new (CulpritStudyWindow *window, char *path)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();

  g_ptr_array_add (paths, path);
  culprit_study_window_import (window, paths);
  sample_window_settle ();
}

/* The dialog that asks for the name of a file; NULL: there is none. */
static GtkDialog *
find_chooser (void)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *one = windows; one; one = one->next)
    if (GTK_IS_FILE_CHOOSER (one->data) && gtk_widget_get_mapped (one->data))
      return one->data;
  return NULL;
}

/* Accepts each once: it looks for the file before it closes, and would do so again. */
static gboolean
has_no_chooser (SampleWindow *sample, gconstpointer data)
{
  GtkDialog *chooser = find_chooser ();

  if (chooser && !g_object_get_data (G_OBJECT (chooser), "accepted"))
    {
      g_object_set_data (G_OBJECT (chooser), "accepted", chooser);
      gtk_dialog_response (chooser, GTK_RESPONSE_ACCEPT);
    }
  return !chooser;
}

/* Whether the new study in the folder @name has a capture; to be waited for. */
static gboolean
has_capture (SampleWindow *sample, gconstpointer name)
{
  g_autofree char *file = g_strconcat (name, ".culprit", NULL);
  g_autofree char *path = g_build_filename (sample->folder, name, file, NULL);
  g_autoptr (CulpritStudy) study = culprit_study_open (path, CULPRIT_STUDY_READ, NULL);
  const gint64 capture = 1;
  g_autoptr (GArray) found = study ? culprit_study_triage (study, &capture, 1, NULL) : NULL;

  return found != NULL;
}

static void
remove_new (SampleWindow *sample, const char *name)
{
  g_autofree char *folder = g_build_filename (sample->folder, name, NULL);
  g_autoptr (GDir) opened = g_dir_open (folder, 0, NULL);

  for (const char *file; (file = g_dir_read_name (opened));)
    {
      g_autofree char *path = g_build_filename (folder, file, NULL);

      g_assert_no_errno (g_unlink (path));
    }
  g_assert_no_errno (g_rmdir (folder));
}

static void
test_files_opened_one_after_the_other_without_a_study_are_all_imported (SampleWindow *sample, gconstpointer data)
{
  CulpritStudyWindow *empty = culprit_study_window_new (sample->application);
  g_autofree char *first = copy_capture (sample, "first");
  g_autofree char *second = copy_capture (sample, "second");

  gtk_window_present (GTK_WINDOW (empty));
  import_into_new (empty, first);
  import_into_new (empty, second);
  sample_window_wait_until (has_no_chooser, sample, NULL);
  sample_window_wait_until (has_capture, sample, "first");
  sample_window_wait_until (has_capture, sample, "second");
  sample_window_settle ();
  for (GList *list = g_list_copy (gtk_application_get_windows (sample->application)); list;
       list = g_list_delete_link (list, list))
    if (list->data != sample->window)
      gtk_window_destroy (list->data);
  sample_window_settle ();
  remove_new (sample, "first");
  remove_new (sample, "second");
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  sample_window_add ("/reading/a-study-that-is-put-back-is-asked-again", test_a_study_that_is_put_back_is_asked_again);
  sample_window_add ("/reading/who-asks-again-and-again-gets-all-parts", test_who_asks_again_and_again_gets_all_parts);
  sample_window_add ("/reading/what-came-while-it-was-read-is-read", test_what_came_while_it_was_read_is_read);
  sample_window_add ("/reading/a-study-that-failed-is-read-again", test_a_study_that_failed_is_read_again);
  sample_window_add ("/reading/a-run-that-cannot-be-read-shows-no-other",
                     test_a_run_that_cannot_be_read_shows_no_other);
  sample_window_add ("/reading/functions-that-cannot-be-read-are-not-those-of-another-run",
                     test_functions_that_cannot_be_read_are_not_those_of_another_run);
  sample_window_add ("/reading/functions-that-cannot-be-read-are-not-those-of-another-study",
                     test_functions_that_cannot_be_read_are_not_those_of_another_study);
  sample_window_add ("/reading/another-study-that-cannot-be-read-is-read-once",
                     test_another_study_that_cannot_be_read_is_read_once);
  sample_window_add ("/reading/a-study-that-is-replaced-faster-than-it-is-read-is-given-up",
                     test_a_study_that_is_replaced_faster_than_it_is_read_is_given_up);
  sample_window_add ("/reading/captures-of-another-study-are-not-judged-by-the-verdict-before",
                     test_captures_of_another_study_are_not_judged_by_the_verdict_before);
  sample_window_add ("/reading/captures-that-come-to-another-study-later-are-others",
                     test_captures_that_come_to_another_study_later_are_others);
  sample_window_add ("/reading/captures-that-another-run-hid-meanwhile-are-others",
                     test_captures_that_another_run_hid_meanwhile_are_others);
  sample_window_add ("/reading/a-study-that-was-away-is-no-other", test_a_study_that_was_away_is_no_other);
  sample_window_add ("/reading/nothing-is-reported-of-another-study", test_nothing_is_reported_of_another_study);
  sample_window_add ("/reading/nothing-is-reported-of-a-study-that-was-written-over",
                     test_nothing_is_reported_of_a_study_that_was_written_over);
  sample_window_add ("/reading/other-latencies-of-the-same-name-are-another-study",
                     test_other_latencies_of_the_same_name_are_another_study);
  sample_window_add ("/reading/a-tree-needs-no-capture", test_a_tree_needs_no_capture);
  g_test_add ("/reading/a-timeline-that-failed-is-read-again", SampleWindow, "timeline", sample_window_set_up,
              test_what_failed_is_read_again, sample_window_tear_down);
  sample_window_add ("/reading/files-opened-one-after-the-other-without-a-study-are-all-imported",
                     test_files_opened_one_after_the_other_without_a_study_are_all_imported);
  return g_test_run ();
}
