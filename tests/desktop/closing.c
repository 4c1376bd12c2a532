/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording is seen on every page, and a window in which one runs is not closed unasked. */
#include "stand-in.h"

#include "background.h"
#include "study/query.h"

/* The dialog that asks; NULL: there is none. */
static GtkWidget *
find_question (void)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *at = windows; at; at = at->next)
    if (GTK_IS_DIALOG (at->data) && gtk_widget_get_visible (at->data))
      return at->data;
  return NULL;
}

/* The widget of @type that is seen below @widget and whose label is @label; NULL: there is none. */
static GtkWidget *
find_labelled (GtkWidget *widget, GType type, const char *label)
{
  if (gtk_widget_get_mapped (widget) && g_type_is_a (G_OBJECT_TYPE (widget), type))
    {
      g_autofree char *own = NULL;

      g_object_get (widget, "label", &own, NULL);
      if (g_strcmp0 (own, label) == 0)
        return widget;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_labelled (child, type, label);

      if (found)
        return found;
    }
  return NULL;
}

static void
answer (const char *label)
{
  GtkWidget *button = find_labelled (find_question (), GTK_TYPE_BUTTON, label);

  g_assert_nonnull (button);
  g_signal_emit_by_name (button, "clicked");
  sample_window_settle ();
}

static void
close_window (SampleWindow *sample)
{
  gtk_window_close (GTK_WINDOW (sample->window));
  sample_window_settle ();
}

static gboolean
is_gone (SampleWindow *sample, gconstpointer data)
{
  return gtk_application_get_windows (sample->application) == NULL;
}

/* Whether the study has the run that was recorded; to be waited for. */
static gboolean
has_run (SampleWindow *sample, gconstpointer data)
{
  g_autoptr (CulpritStudy) study = culprit_study_open (sample->study, CULPRIT_STUDY_READ, NULL);
  g_autoptr (CulpritTable) runs = culprit_query_runs (study, NULL);

  for (guint i = 0; i < culprit_table_rows (runs); i++)
    if (g_str_equal (culprit_table_text (runs, i, "run"), "run"))
      return TRUE;
  return FALSE;
}

static void
test_a_recording_is_seen_on_every_page (SampleWindow *sample, gconstpointer data)
{
  g_assert_false (sample_window_shows_label (sample, "0 of 3 captures"));
  stand_in_record (sample);
  for (guint i = 0; i < SAMPLE_WINDOW_PAGES; i++)
    {
      culprit_study_window_show_page (sample->window, sample_window_pages[i]);
      sample_window_settle ();
      g_assert_true (sample_window_shows_label (sample, "0 of 3 captures"));
    }
  culprit_study_window_show_page (sample->window, "latency");
  sample_window_settle ();
  gtk_widget_activate (gtk_widget_get_ancestor (
      find_labelled (GTK_WIDGET (sample->window), GTK_TYPE_LABEL, "0 of 3 captures"), GTK_TYPE_BUTTON));
  sample_window_settle ();
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (sample_window_child (sample, "pages"))), ==, "record");
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "record-stop", NULL);
  sample_window_wait_until (stand_in_rests, sample, NULL);
  culprit_study_window_show_page (sample->window, "latency");
  sample_window_settle ();
  g_assert_false (sample_window_shows_label (sample, "0 of 3 captures"));
}

static void
test_a_recording_that_is_kept_goes_on (SampleWindow *sample, gconstpointer data)
{
  stand_in_record (sample);
  close_window (sample);
  g_assert_false (is_gone (sample, NULL));
  g_assert_true (stand_in_records (sample, NULL));
  answer ("Keep Recording");
  g_assert_null (find_question ());
  g_assert_true (stand_in_records (sample, NULL));
  close_window (sample);
  g_assert_nonnull (find_question ());
  answer ("Keep Recording");
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "record-stop", NULL);
  sample_window_wait_until (stand_in_rests, sample, NULL);
}

static void
test_what_was_recorded_is_kept_when_its_window_is_closed (SampleWindow *sample, gconstpointer data)
{
  stand_in_record (sample);
  close_window (sample);
  answer ("Stop and Close");
  g_assert_true (is_gone (sample, NULL));
  sample->window = NULL;
  sample_window_wait_until (has_run, sample, NULL);
}

static void
test_quitting_asks_as_well_and_but_once (SampleWindow *sample, gconstpointer data)
{
  stand_in_record (sample);
  g_action_group_activate_action (G_ACTION_GROUP (sample->application), "quit", NULL);
  g_action_group_activate_action (G_ACTION_GROUP (sample->application), "quit", NULL);
  sample_window_settle ();
  g_assert_false (is_gone (sample, NULL));
  answer ("Keep Recording");
  g_assert_null (find_question ());
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "record-stop", NULL);
  sample_window_wait_until (stand_in_rests, sample, NULL);
}

/* Then there is nothing left to ask. */
static void
test_the_question_goes_with_the_recording (SampleWindow *sample, gconstpointer data)
{
  stand_in_record (sample);
  close_window (sample);
  g_assert_nonnull (find_question ());
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "record-stop", NULL);
  sample_window_wait_until (stand_in_rests, sample, NULL);
  sample_window_settle ();
  g_assert_null (find_question ());
  g_assert_false (is_gone (sample, NULL));
}

static GMutex lock;
static GCond changed;
static enum { NOT_BEGUN, READING, TOLD, ENDED } reading;

static void
set_reading (guint now)
{
  g_mutex_lock (&lock);
  reading = now;
  g_cond_signal (&changed);
  g_mutex_unlock (&lock);
}

static void
wait_for (guint wanted)
{
  g_mutex_lock (&lock);
  while (reading != wanted)
    g_cond_wait (&changed, &lock);
  g_mutex_unlock (&lock);
}

static void
read_for_long (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  set_reading (READING);
  wait_for (TOLD);
  g_task_return_boolean (task, TRUE);
  set_reading (ENDED);
}

/* As the figures of millions of latencies take. */
static void
test_what_is_read_for_long_does_not_keep_the_program (void)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);

  background_run (task, read_for_long);
  wait_for (READING);
  g_assert_false (background_end ());
  set_reading (TOLD);
  wait_for (ENDED);
  g_assert_true (background_end ());
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  stand_in_add ("/closing/a-recording-is-seen-on-every-page", test_a_recording_is_seen_on_every_page);
  stand_in_add ("/closing/a-recording-that-is-kept-goes-on", test_a_recording_that_is_kept_goes_on);
  stand_in_add ("/closing/what-was-recorded-is-kept-when-its-window-is-closed",
                test_what_was_recorded_is_kept_when_its_window_is_closed);
  stand_in_add ("/closing/quitting-asks-as-well-and-but-once", test_quitting_asks_as_well_and_but_once);
  stand_in_add ("/closing/the-question-goes-with-the-recording", test_the_question_goes_with_the_recording);
  g_test_add_func ("/closing/what-is-read-for-long-does-not-keep-the-program",
                   test_what_is_read_for_long_does_not_keep_the_program);
  return g_test_run ();
}
