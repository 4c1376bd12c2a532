/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording goes where its run was recorded, and not where the check found that it would fail. */
#include "stand-in.h"

#include "document.h"
#include "tables/rows.h"

#include <string.h>

#define PROBES "uprobe:./own_load:f..sched:sched_switch"
#define HELLO "#!/bin/sh\necho '{\"type\":\"hello\",\"protocol\":1,\"version\":\"x\"}'\nread request\n"
#define FACTS                                                                                                          \
  "echo '{\"type\":\"facts\",\"host\":\"h\",\"kernel\":\"k\",\"machine\":\"x86_64\",\"root\":true,\"tracefs\":\"/t\"," \
  "\"trace_cmd\":false,\"tracers\":[\"function_graph\"],\"virtual_machine\":true,\"cpus\":[{\"cpu\":0}]}'\n"
#define END "echo '{\"type\":\"end\",\"reason\":\"examined\"}'\n"

static void
fill_like (SampleWindow *sample, const char *run)
{
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "record-like",
                                  g_variant_new ("(ssx)", run, "", (gint64) 2));
  sample_window_settle ();
}

static void
assert_entry (SampleWindow *sample, const char *field, const char *text)
{
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (sample_window_named (sample, field))), ==, text);
}

static guint
chosen (SampleWindow *sample, const char *field)
{
  GtkWidget *choice = sample_window_named (sample, field);

  g_assert_nonnull (choice);
  return gtk_drop_down_get_selected (GTK_DROP_DOWN (choice));
}

/* Recorded before studies kept the target. */
static void
test_a_run_of_a_guest_is_recorded_on_a_guest (SampleWindow *sample, gconstpointer data)
{
  fill_like (sample, "firmware");
  g_assert_cmpuint (chosen (sample, "target"), ==, 2);
  g_assert_true (sample_window_tells (sample, "Filled in from “firmware”."));
}

static void
test_a_band_of_a_guest_is_recorded_on_a_guest (SampleWindow *sample, gconstpointer data)
{
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "record-band",
                                  g_variant_new ("(sxx)", "slides/off-1", (gint64) 1500000, (gint64) 1800000));
  sample_window_settle ();
  g_assert_cmpuint (chosen (sample, "target"), ==, 2);
}

static gboolean
has_settings (SampleWindow *sample, gconstpointer data)
{
  CulpritRows *runs = culprit_document_runs (culprit_study_window_document (sample->window));
  const CulpritTable *table = culprit_rows_table (runs);

  return strstr (culprit_table_text (table, 0, "settings"), "own_load") != NULL;
}

/* What is missing here is named. */
static void
test_a_run_is_recorded_with_its_settings (SampleWindow *sample, gconstpointer data)
{
  static const char change[] =
      "UPDATE series SET configuration = '{\"period_ns\":2000000,\"buffer_kb\":500,\"max_depth\":7,\"target\":\"vm\","
      "\"load\":\"own_load --all\",\"vm\":{\"kernel\":\"rt\",\"memory\":777,"
      "\"modules\":[\"/nowhere/late.ko mode=count\"],\"programs\":[\"/nowhere/one\",\"/bin/true\"]}}'";
  g_autoptr (GPtrArray) expanders = NULL;

  sample_window_execute (sample, change);
  culprit_document_reload (culprit_study_window_document (sample->window));
  sample_window_wait_until (has_settings, sample, NULL);
  fill_like (sample, "firmware");
  expanders = sample_window_find (sample, GTK_TYPE_EXPANDER);
  for (guint i = 0; i < expanders->len; i++)
    gtk_expander_set_expanded (g_ptr_array_index (expanders, i), TRUE);
  sample_window_settle ();
  assert_entry (sample, "buffer_kb", "500");
  assert_entry (sample, "max_depth", "7");
  assert_entry (sample, "vm_memory", "777");
  assert_entry (sample, "vm_modules", "/nowhere/late.ko mode=count");
  assert_entry (sample, "vm_programs", "/nowhere/one; /bin/true");
  g_assert_true (sample_window_tells (sample, "The guest module /nowhere/late.ko is not on this machine."));
  g_assert_true (sample_window_tells (sample, "The guest program /nowhere/one is not on this machine. Its load"));
  g_assert_true (sample_window_tells (sample, "Its load was “own_load --all”; enter it below."));
}

/* They are entered: root makes them, and the study may be a stranger's. */
static void
test_probes_of_a_run_are_not_filled_in (SampleWindow *sample, gconstpointer data)
{
  static const char asked[] = "It was measured between “" PROBES "”; enter that below.";

  sample_window_execute (sample, "UPDATE series SET configuration = json_object ('between', '" PROBES "')");
  culprit_document_reload (culprit_study_window_document (sample->window));
  sample_window_wait_until (has_settings, sample, NULL);
  fill_like (sample, "firmware");
  assert_entry (sample, "between", "");
  g_assert_true (sample_window_tells (sample, asked));
  gtk_editable_set_text (GTK_EDITABLE (sample_window_named (sample, "between")), PROBES);
  fill_like (sample, "firmware");
  assert_entry (sample, "between", PROBES);
  g_assert_false (sample_window_tells (sample, asked));
}

/* Whether the pages have read the run @name. */
static gboolean
knows_run (SampleWindow *sample, gconstpointer name)
{
  CulpritRows *runs = culprit_document_runs (culprit_study_window_document (sample->window));
  const CulpritTable *table = culprit_rows_table (runs);

  for (guint row = 0; row < culprit_table_rows (table); row++)
    if (g_str_equal (culprit_table_text (table, row, "run"), name))
      return TRUE;
  return FALSE;
}

static void
test_a_run_by_ssh_is_recorded_by_ssh (SampleWindow *sample, gconstpointer data)
{
  stand_in_record (sample);
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "record-stop", NULL);
  sample_window_wait_until (stand_in_rests, sample, NULL);
  fill_like (sample, "firmware");
  g_assert_cmpuint (chosen (sample, "target"), ==, 2);
  sample_window_wait_until (knows_run, sample, "run");
  fill_like (sample, "run");
  g_assert_cmpuint (chosen (sample, "target"), ==, 1);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (sample_window_named (sample, "host"))), ==, "board");
}

static gboolean
is_checked (SampleWindow *sample, gconstpointer data)
{
  return sample_window_tells (sample, "cannot capture until");
}

static void
test_a_blocker_keeps_from_recording_what_it_concerns (SampleWindow *sample, gconstpointer data)
{
  stand_in_write (sample, HELLO FACTS END);
  culprit_study_window_show_page (sample->window, "record");
  sample_window_settle ();
  gtk_drop_down_set_selected (GTK_DROP_DOWN (sample_window_named (sample, "target")), 1);
  sample_window_settle ();
  gtk_editable_set_text (GTK_EDITABLE (sample_window_named (sample, "host")), "board");
  gtk_drop_down_set_selected (GTK_DROP_DOWN (sample_window_named (sample, "trigger")), 1);
  sample_window_settle ();
  gtk_editable_set_text (GTK_EDITABLE (sample_window_named (sample, "threshold")), "1ms");
  g_assert_true (gtk_widget_is_sensitive (sample_window_button (sample, "Record")));
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "record-check", NULL);
  sample_window_wait_until (is_checked, sample, NULL);
  g_assert_true (sample_window_tells (sample, "board: cannot capture until 1 blocker is fixed; 1 warning"));
  g_assert_false (gtk_widget_is_sensitive (sample_window_button (sample, "Record")));
  g_assert_true (sample_window_tells (sample, "found a blocker: trace-cmd is not installed"));
  g_assert_nonnull (sample_window_button (sample, "Copy"));

  /* Latencies can be measured there, and anything elsewhere. */
  gtk_drop_down_set_selected (GTK_DROP_DOWN (sample_window_named (sample, "trigger")), 0);
  g_assert_true (gtk_widget_is_sensitive (sample_window_button (sample, "Record")));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (sample_window_named (sample, "trigger")), 1);
  g_assert_false (gtk_widget_is_sensitive (sample_window_button (sample, "Record")));
  gtk_editable_set_text (GTK_EDITABLE (sample_window_named (sample, "host")), "other");
  g_assert_true (gtk_widget_is_sensitive (sample_window_button (sample, "Record")));
}

static gboolean
lists_tasks (SampleWindow *sample, gconstpointer data)
{
  return sample_window_tells (sample, "Real-time tasks there");
}

/* A task of the target is chosen where they are listed; what belongs to the test loop goes. */
static void
test_a_task_of_the_target_is_measured (SampleWindow *sample, gconstpointer data)
{
  stand_in_write (
      sample, HELLO
      "echo "
      "'{\"type\":\"facts\",\"root\":true,\"tasks\":[3,{\"pid\":0},{\"pid\":9,\"comm\":\"longer_than_the_kernel_has\"},"
      "{\"pid\":812,\"comm\":\"<my>loop\",\"policy\":\"fifo\",\"priority\":80,\"cpu\":1}]}'\n" END);
  culprit_study_window_show_page (sample->window, "record");
  sample_window_settle ();
  gtk_drop_down_set_selected (GTK_DROP_DOWN (sample_window_named (sample, "target")), 1);
  sample_window_settle ();
  gtk_editable_set_text (GTK_EDITABLE (sample_window_named (sample, "host")), "board");
  g_assert_true (gtk_widget_is_visible (sample_window_named (sample, "period")));
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "record-check", NULL);
  sample_window_wait_until (lists_tasks, sample, NULL);
  g_assert_true (sample_window_tells (sample, "<my>loop"));
  g_assert_false (sample_window_tells (sample, "longer_than"));
  g_assert_true (sample_window_tells (sample, "pid 812, SCHED_FIFO 80, CPU 1"));
  g_signal_emit_by_name (sample_window_button (sample, "Measure"), "clicked");
  sample_window_settle ();
  g_assert_cmpuint (chosen (sample, "measure"), ==, 1);
  assert_entry (sample, "wakeup_of", "<my>loop");
  g_assert_null (sample_window_named (sample, "period"));
  g_assert_true (gtk_widget_is_sensitive (sample_window_button (sample, "Record")));

  /* Delays are tried with the test loop. */
  gtk_drop_down_set_selected (GTK_DROP_DOWN (sample_window_named (sample, "trigger")), 4);
  g_assert_false (gtk_widget_is_sensitive (sample_window_button (sample, "Record")));
}

static void
test_a_run_of_a_task_is_recorded_like_it (SampleWindow *sample, gconstpointer data)
{
  static const char change[] = "UPDATE series SET configuration = '{\"response_of\":\"myloop\",\"from_waking\":true,"
                               "\"target\":\"vm\",\"load\":\"own_load --all\"}'";

  sample_window_execute (sample, change);
  culprit_document_reload (culprit_study_window_document (sample->window));
  sample_window_wait_until (has_settings, sample, NULL);
  fill_like (sample, "firmware");
  g_assert_cmpuint (chosen (sample, "measure"), ==, 2);
  assert_entry (sample, "response_of", "myloop");
  g_assert_true (gtk_switch_get_active (GTK_SWITCH (sample_window_named (sample, "from_waking"))));
}

/* Where they are entered, in the words of the command. */
static void
test_what_cannot_be_measured_is_told_at_once (SampleWindow *sample, gconstpointer data)
{
  static const struct
  {
    guint measure;
    const char *field, *wrong, *right, *told;
  } cases[] = {
    { 1, "wakeup_of", "a-name-of-more-than-15", "myloop", "“Task”: " },
    { 3, "between", "sched:sched_waking", "sched:sched_waking..sched:sched_switch", "“Events”: " },
    { 3, "key", "pid", "pid=next_pid", "“Same fields”: " },
    { 4, "marks", "begin", "begin..end", "“Texts”: " },
  };

  culprit_study_window_show_page (sample->window, "record");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gtk_drop_down_set_selected (GTK_DROP_DOWN (sample_window_named (sample, "measure")), cases[i].measure);
      gtk_editable_set_text (GTK_EDITABLE (sample_window_named (sample, cases[i].field)), cases[i].wrong);
      g_assert_false (gtk_widget_is_sensitive (sample_window_button (sample, "Record")));
      g_assert_true (sample_window_tells (sample, cases[i].told));
      g_assert_false (sample_window_tells (sample, "--"));
      gtk_editable_set_text (GTK_EDITABLE (sample_window_named (sample, cases[i].field)), cases[i].right);
      g_assert_false (sample_window_tells (sample, cases[i].told));
    }
}

static void
test_a_failure_is_told_without_options (SampleWindow *sample, gconstpointer data)
{
  stand_in_write (sample, HELLO "echo '{\"type\":\"error\",\"text\":\"this kernel has no function_graph tracer\","
                                "\"remedy\":\"other-kernel\"}'\n");
  stand_in_start (sample);
  sample_window_wait_until (stand_in_rests, sample, NULL);
  sample_window_settle ();
  g_assert_true (sample_window_tells (sample, "board: this kernel has no"));
  g_assert_false (sample_window_tells (sample, "ssh:board"));
  g_assert_true (sample_window_tells (sample, "or choose the virtual machine as the target"));
  g_assert_false (sample_window_tells (sample, "--"));
}

/* The buttons at the bottom of pages are not covered by what is told. */
static void
test_what_is_told_covers_no_button (SampleWindow *sample, gconstpointer data)
{
  g_autoptr (GPtrArray) notices = NULL;
  graphene_rect_t button;
  graphene_rect_t notice;

  stand_in_write (sample, "#!/bin/sh\necho no route >&2\nexit 255\n");
  stand_in_start (sample);
  sample_window_wait_until (stand_in_rests, sample, NULL);
  sample_window_settle ();
  notices = sample_window_find (sample, CULPRIT_TYPE_NOTICES);
  g_assert_cmpuint (notices->len, ==, 1);
  g_assert_true (gtk_widget_compute_bounds (g_ptr_array_index (notices, 0), GTK_WIDGET (sample->window), &notice));
  g_assert_true (
      gtk_widget_compute_bounds (sample_window_button (sample, "Record"), GTK_WIDGET (sample->window), &button));
  g_assert_cmpfloat (notice.origin.y + notice.size.height, <=, button.origin.y);
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  sample_window_add ("/record-target/what-cannot-be-measured-is-told-at-once",
                     test_what_cannot_be_measured_is_told_at_once);
  sample_window_add ("/record-target/a-run-of-a-guest-is-recorded-on-a-guest",
                     test_a_run_of_a_guest_is_recorded_on_a_guest);
  sample_window_add ("/record-target/a-band-of-a-guest-is-recorded-on-a-guest",
                     test_a_band_of_a_guest_is_recorded_on_a_guest);
  sample_window_add ("/record-target/a-run-is-recorded-with-its-settings", test_a_run_is_recorded_with_its_settings);
  sample_window_add ("/record-target/probes-of-a-run-are-not-filled-in", test_probes_of_a_run_are_not_filled_in);
  stand_in_add ("/record-target/a-run-by-ssh-is-recorded-by-ssh", test_a_run_by_ssh_is_recorded_by_ssh);
  stand_in_add ("/record-target/a-blocker-keeps-from-recording-what-it-concerns",
                test_a_blocker_keeps_from_recording_what_it_concerns);
  stand_in_add ("/record-target/a-task-of-the-target-is-measured", test_a_task_of_the_target_is_measured);
  sample_window_add ("/record-target/a-run-of-a-task-is-recorded-like-it", test_a_run_of_a_task_is_recorded_like_it);
  stand_in_add ("/record-target/a-failure-is-told-without-options", test_a_failure_is_told_without_options);
  stand_in_add ("/record-target/what-is-told-covers-no-button", test_what_is_told_covers_no_button);
  return g_test_run ();
}
