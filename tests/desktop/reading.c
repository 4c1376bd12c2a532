/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is read is shown in the end, however often it is asked for and whatever failed before. */
#include "sample-window.h"

#include "charts/timeline/view.h"
#include "study/triage.h"

#include <glib/gstdio.h>

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

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  sample_window_add ("/reading/who-asks-again-and-again-gets-all-parts", test_who_asks_again_and_again_gets_all_parts);
  sample_window_add ("/reading/what-came-while-it-was-read-is-read", test_what_came_while_it_was_read_is_read);
  sample_window_add ("/reading/a-study-that-failed-is-read-again", test_a_study_that_failed_is_read_again);
  sample_window_add ("/reading/a-tree-needs-no-capture", test_a_tree_needs_no_capture);
  g_test_add ("/reading/a-timeline-that-failed-is-read-again", SampleWindow, "timeline", sample_window_set_up,
              test_what_failed_is_read_again, sample_window_tear_down);
  return g_test_run ();
}
