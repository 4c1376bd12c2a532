/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Announces blocks, shows how they go on, and hands them to whoever judges them. */
#include "blocks.h"

#include "print.h"
#include "record/blocks.h"
#include "record/recording.h"
#include "record/words.h"
#include "units.h"

#include <stdio.h>

void
blocks_options_init (RecordOptions *own, const char *name)
{
  static const char *const settings[] = { "period_ns", "limit_ns", "cycles", "policy",      "priority", "cpus",
                                          "method",    "clock",    "load",   "skip_cycles", NULL };

  record_options_init_some (own, name, settings);
  for (guint i = 0; i < own->entries->len; i++)
    {
      GOptionEntry *entry = &g_array_index (own->entries, GOptionEntry, i);

      if (g_str_equal (entry->long_name, "limit"))
        entry->description = "Maximum time of a block (default: 10s, unless there are --cycles)";
      else if (g_str_equal (entry->long_name, "cycles"))
        entry->description = "Maximum cycles of a block (default: none)";
    }
}

JsonObject *
blocks_request (const RecordOptions *own, GError **error)
{
  JsonObject *request = record_options_request (own, error);

  if (request && !record_options_have (own, "limit_ns") && !record_options_have (own, "cycles"))
    json_object_set_int_member (request, "limit_ns", CULPRIT_BLOCK_NS);
  return request;
}

int
blocks_show_again (
    const Options *options, const Blocks *blocks, const RecordOptions *own, const char *given, const char *needed)
{
  given = given ? given : record_options_given (own);
  return given ? command_complain ("--%s is for measuring, which needs %s; without it the result in the "
                                   "study is shown again",
                                   given, needed)
               : blocks->show (options, own->run);
}

typedef struct
{
  const Options *options;
  const Blocks *blocks;
  JsonArray *conditions; /* one for each run */
} Progress;

static void
on_event (CulpritMessage *message, gpointer data)
{
  const Progress *progress = data;

  if (progress->options->format == FORMAT_JSON)
    return;
  if (message->type == CULPRIT_MESSAGE_PROGRESS && message->totals.cycles > 0)
    {
      guint runs = json_array_get_length (progress->conditions);
      JsonNode *condition = json_array_get_element (progress->conditions, MIN (message->run, runs) - 1);
      g_autofree char *said = progress->blocks->say (condition);
      g_autofree char *totals = culprit_totals_words (&message->totals);

      print_progress ("block %" G_GINT64_FORMAT " of %u, %s%s: %s", message->run, runs, progress->blocks->condition,
                      said, totals);
    }
  if (message->type == CULPRIT_MESSAGE_NOTE)
    print_message (message);
}

static void
announce (const Blocks *blocks, JsonObject *request, guint n)
{
  double block_ns = culprit_block_duration_ns (request);
  g_autofree char *each = culprit_long_time_format (block_ns);
  g_autofree char *all = culprit_long_time_format (block_ns * n);

  g_print ("%s: %u rounds of %u blocks of %s each, in random order; it takes about %s%s.\n", blocks->about,
           n / blocks->round, blocks->round, each, all, blocks->besides);
  fflush (stdout);
}

int
blocks_measure (
    const Options *options, const Blocks *blocks, const char *name, const CulpritTarget *target, JsonObject *request)
{
  const CulpritRecordingOptions recording = { options->study, name, request };
  Progress progress = { options, blocks, culprit_request_blocks (request) };
  g_autoptr (GCancellable) cancellable = NULL;
  CulpritRecordingResult result;
  GError *error = NULL;
  gboolean good;
  int status = EXIT_BAD;

  if (options->format != FORMAT_JSON)
    announce (blocks, request, json_array_get_length (progress.conditions));
  cancellable = command_cancellable ();
  good = culprit_record (target, &recording, cancellable, on_event, &progress, &result, &error);
  print_progress_end ();
  if (result.runs > 0)
    status = blocks->show (options, result.name);
  culprit_recording_result_clear (&result);
  if (!good)
    return target_fail (target, error);
  return g_cancellable_is_cancelled (cancellable) ? EXIT_CANCELLED : status;
}
