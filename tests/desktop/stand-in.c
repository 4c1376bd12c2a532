/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stand-in is a shell script in front of the PATH. */
#include "stand-in.h"

#include <glib/gstdio.h>

static const char script[] =
    "#!/bin/sh\n"
    "echo '{\"type\":\"hello\",\"protocol\":1,\"version\":\"x\"}'\n"
    "read request\n"
    "echo '{\"type\":\"facts\",\"host\":\"h\",\"kernel\":\"k\",\"machine\":\"x86_64\",\"cpus\":[{\"cpu\":0}]}'\n"
    "echo '{\"type\":\"run\",\"run\":1,\"tracing\":\"on\",\"started_ns\":1}'\n"
    "while read line && [ \"${line#*go on}\" != \"$line\" ]; do :; done\n"
    "echo '{\"type\":\"run-end\",\"run\":1,\"cycles\":0}'\n"
    "echo '{\"type\":\"end\",\"reason\":\"stopped\"}'\n";

static char *path_before;

void
stand_in_write (SampleWindow *sample, const char *text)
{
  g_autofree char *program = g_build_filename (sample->folder, "ssh", NULL);

  g_assert_true (g_file_set_contents_full (program, text, -1, G_FILE_SET_CONTENTS_NONE, 0755, NULL));
}

void
stand_in_begin (SampleWindow *sample)
{
  g_autofree char *path = NULL;

  path_before = g_strdup (g_getenv ("PATH"));
  path = g_strconcat (sample->folder, ":", path_before, NULL);
  stand_in_write (sample, script);
  g_setenv ("PATH", path, TRUE);
}

void
stand_in_end (SampleWindow *sample)
{
  g_autofree char *program = g_build_filename (sample->folder, "ssh", NULL);

  g_setenv ("PATH", path_before, TRUE);
  g_clear_pointer (&path_before, g_free);
  g_unlink (program);
}

gboolean
stand_in_records (SampleWindow *sample, gconstpointer data)
{
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (sample->window), "recording");

  return g_variant_get_boolean (state);
}

gboolean
stand_in_rests (SampleWindow *sample, gconstpointer data)
{
  return !stand_in_records (sample, data);
}

void
stand_in_start (SampleWindow *sample)
{
  g_action_group_activate_action (
      G_ACTION_GROUP (sample->window), "record-start",
      g_variant_new_string ("{\"target\": \"ssh:board\", \"threshold\": \"1ms\", \"captures\": 3}"));
  g_assert_true (stand_in_records (sample, NULL));
}

void
stand_in_record (SampleWindow *sample)
{
  stand_in_start (sample);
  sample_window_wait_until (sample_window_tells, sample, "Recording run 1");
}

static void
set_up (SampleWindow *sample, gconstpointer data)
{
  sample_window_set_up (sample, data);
  stand_in_begin (sample);
}

static void
tear_down (SampleWindow *sample, gconstpointer data)
{
  stand_in_end (sample);
  sample_window_tear_down (sample, data);
}

void
stand_in_add (const char *path, void (*test) (SampleWindow *sample, gconstpointer data))
{
  g_test_add (path, SampleWindow, NULL, set_up, test, tear_down);
}
