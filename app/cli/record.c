/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit record */
#include "record/words.h"

#include "json.h"
#include "print.h"
#include "record-options.h"

#include <stdio.h>

/* What is shown during a recording. */
typedef struct
{
  Format format;
  gint64 wanted; /* captures */
} Show;

static void
show_progress (const Show *show, const CulpritMessage *message)
{
  g_autofree char *totals = culprit_totals_words (&message->totals);
  g_autofree char *captures =
      show->wanted > 0
          ? g_strdup_printf (", %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " captures", message->capture, show->wanted)
          : g_strdup ("");

  if (message->totals.cycles > 0)
    print_progress ("tracing %s: %s%s", message->traced ? "on" : "off", totals, captures);
}

/* A line that is not overwritten. */
static void
on_event (CulpritMessage *message, gpointer data)
{
  const Show *show = data;

  if (show->format == FORMAT_JSON && message->json)
    {
      print_json_line (message->json);
      fflush (stdout);
    }
  else if (show->format != FORMAT_JSON && message->type == CULPRIT_MESSAGE_PROGRESS)
    show_progress (show, message);
  else if (show->format != FORMAT_JSON)
    print_message (message);
}

static void
print_result (const Options *options, const CulpritRecordingResult *result)
{
  g_autofree char *words = culprit_recording_words (result);

  g_print ("%s: %s\n", options->study, words);
}

static int
record (const Options *options, const char *name, const CulpritTarget *target, JsonObject *request)
{
  const CulpritRecordingOptions recording = { options->study, name, request };
  g_autoptr (GCancellable) cancellable = command_cancellable ();
  Show show = { .format = options->format, .wanted = json_member_int (request, "captures", 0) };
  CulpritRecordingResult result;
  GError *error = NULL;
  gboolean good = culprit_record (target, &recording, cancellable, on_event, &show, &result, &error);

  print_progress_end ();
  if (options->format != FORMAT_JSON && (good || result.runs > 0))
    print_result (options, &result);
  culprit_recording_result_clear (&result);
  if (!good)
    return target_fail (target, error);
  return g_cancellable_is_cancelled (cancellable) ? EXIT_CANCELLED : EXIT_DONE;
}

int
command_record (const Command *command, int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_auto (RecordOptions) own;
  g_autoptr (CulpritTarget) target = NULL;
  g_autoptr (JsonObject) request = NULL;
  GError *error = NULL;
  int status;

  record_options_init (&own, TRUE);
  if (!command_parse (command, argc, argv, (const GOptionEntry *) (gpointer) own.entries->data, &options, &status))
    return status;
  target = record_options_target (&own, &error);
  request = target ? record_options_request (&own, &error) : NULL;
  if (!request)
    return command_fail (error);
  return record (&options, own.run, target, request);
}
