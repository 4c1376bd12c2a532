/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording tells what it is at and for how long, and, when it is over, what can be done next. */
#include "stand-in.h"

#include "charts/chart-view.h"
#include "record/live-view.h"

#include <glib/gstdio.h>

static void
test_steps_are_told_with_their_time (SampleWindow *sample, gconstpointer data)
{
  stand_in_record (sample);
  g_assert_true (sample_window_tells (sample, "The recorder started on "));
  g_assert_true (sample_window_tells (sample, " on h, kernel k, in 0:0"));
  g_assert_true (sample_window_tells (sample, "Recording run 1, tracing on  0:0"));
  sample_window_wait_until (sample_window_tells, sample, "Recording run 1, tracing on  0:02");
  g_assert_null (sample_window_button (sample, "Show Latencies"));
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "record-stop", NULL);
  sample_window_wait_until (stand_in_rests, sample, NULL);
  sample_window_settle ();
  g_assert_nonnull (sample_window_button (sample, "Show Latencies"));
  g_assert_null (sample_window_button (sample, "Use the Virtual Machine"));
}

static void
test_where_a_target_fails_the_virtual_machine_is_offered (SampleWindow *sample, gconstpointer data)
{
  stand_in_write (sample, "#!/bin/sh\necho no route >&2\nexit 255\n");
  stand_in_start (sample);
  sample_window_wait_until (stand_in_rests, sample, NULL);
  sample_window_settle ();
  g_assert_true (sample_window_tells (sample, "board: cannot be reached: no route"));
  g_assert_nonnull (sample_window_button (sample, "Check Target"));
  g_signal_emit_by_name (sample_window_button (sample, "Use the Virtual Machine"), "clicked");
  sample_window_settle ();
  g_assert_cmpuint (gtk_drop_down_get_selected (sample_window_named (sample, "target")), ==, 2);
  g_assert_true (sample_window_shows_label (sample, "Virtual machine"));
}

#define COUNTS                                                                                                         \
  "#!/bin/sh\necho '{\"type\":\"hello\",\"protocol\":1,\"version\":\"x\"}'\nread request\n"                            \
  "echo '{\"type\":\"facts\",\"host\":\"h\"}'\necho '{\"type\":\"run\",\"run\":1,\"tracing\":\"off\"}'\n"              \
  "echo '{\"type\":\"bins\",\"run\":1,\"bins\":[[3,5]]}'\n"                                                            \
  "echo '{\"type\":\"bins\",\"run\":1,\"bins\":[[3,70],[9,2]]}'\nread stop\n"

/* Whether the view of the recording shows a histogram. */
static gboolean
draws (SampleWindow *sample, gconstpointer data)
{
  g_autoptr (GPtrArray) charts = sample_window_find (sample, CULPRIT_TYPE_CHART_VIEW);

  for (guint i = 0; i < charts->len; i++)
    if (gtk_widget_get_ancestor (g_ptr_array_index (charts, i), LIVE_TYPE_VIEW) &&
        culprit_chart_view_chart (g_ptr_array_index (charts, i)))
      return TRUE;
  return FALSE;
}

/* What the kernel counts is drawn as it comes. */
static void
test_latencies_that_the_kernel_counts_are_drawn (SampleWindow *sample, gconstpointer data)
{
  stand_in_write (sample, COUNTS);
  g_action_group_activate_action (
      G_ACTION_GROUP (sample->window), "record-start",
      g_variant_new_string ("{\"target\": \"ssh:board\", \"wakeup_of\": \"myloop\", \"limit\": \"100s\"}"));
  g_assert_true (stand_in_records (sample, NULL));
  g_assert_false (draws (sample, NULL));
  sample_window_wait_until (draws, sample, NULL);
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "record-stop", NULL);
  sample_window_wait_until (stand_in_rests, sample, NULL);
}

#define MUCH                                                                                                           \
  "#!/bin/sh\necho '{\"type\":\"hello\",\"protocol\":1,\"version\":\"x\"}'\nread request\n"                            \
  "echo '{\"type\":\"facts\",\"host\":\"h\"}'\necho '{\"type\":\"run\",\"run\":1,\"tracing\":\"off\"}'\n"              \
  "for i in $(seq 250); do printf '{\"type\":\"progress\",\"run\":1,\"cycles\":%d,\"to_come\":\"%0900d\"}\\n' $i 0; "  \
  "done\n"                                                                                                             \
  "echo >\"$0.read\"\nread stop\n"

/* As when the display is on another machine that sleeps. The recorder would end itself if nothing read what it says. */
static void
test_a_window_that_is_held_up_does_not_hold_up_the_recorder (SampleWindow *sample, gconstpointer data)
{
  g_autofree char *read = g_build_filename (sample->folder, "ssh.read", NULL);

  stand_in_write (sample, MUCH);
  stand_in_start (sample);
  for (guint i = 0; i < 600 && !g_file_test (read, G_FILE_TEST_EXISTS); i++)
    g_usleep (G_USEC_PER_SEC / 20);
  g_assert_true (g_file_test (read, G_FILE_TEST_EXISTS));
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "record-stop", NULL);
  sample_window_wait_until (stand_in_rests, sample, NULL);
  g_unlink (read);
}

static void
test_the_log_keeps_the_recordings_of_an_explanation (SampleWindow *sample, gconstpointer data)
{
  g_autoptr (CulpritTarget) target = culprit_target_parse ("local", NULL);
  g_autoptr (GPtrArray) views = NULL;
  LiveView *view;

  culprit_study_window_show_page (sample->window, "record");
  sample_window_settle ();
  views = sample_window_find (sample, LIVE_TYPE_VIEW);
  view = g_ptr_array_index (views, 0);
  live_view_begin (view, target, "Of the lower peak.", 3, 0);
  live_view_begin (view, target, "Of the upper peak.", 3, 0);
  sample_window_settle ();
  g_assert_true (sample_window_tells (sample, "Of the lower peak."));
  g_assert_true (sample_window_tells (sample, "Of the upper peak."));
  live_view_clear (view);
  g_assert_false (sample_window_tells (sample, "Of the lower peak."));
  live_view_end (view, "Done.", NULL);
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  stand_in_add ("/record-steps/steps-are-told-with-their-time", test_steps_are_told_with_their_time);
  stand_in_add ("/record-steps/where-a-target-fails-the-virtual-machine-is-offered",
                test_where_a_target_fails_the_virtual_machine_is_offered);
  stand_in_add ("/record-steps/latencies-that-the-kernel-counts-are-drawn",
                test_latencies_that_the_kernel_counts_are_drawn);
  stand_in_add ("/record-steps/a-window-that-is-held-up-does-not-hold-up-the-recorder",
                test_a_window_that_is_held_up_does_not_hold_up_the_recorder);
  stand_in_add ("/record-steps/the-log-keeps-the-recordings-of-an-explanation",
                test_the_log_keeps_the_recordings_of_an_explanation);
  return g_test_run ();
}
