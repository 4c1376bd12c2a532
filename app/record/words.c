/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sentence for each type of message that people should see. */
#include "words.h"

#include "units.h"

#define N G_GINT64_FORMAT

static const char *
state (const CulpritMessage *message)
{
  return message->traced ? "on" : "off";
}

static char *
calibration_words (const CulpritMessage *message)
{
  g_autofree char *median = culprit_time_format (message->calibration.latency_median_ns);
  g_autofree char *shortest = culprit_time_format (message->calibration.shortest_period_ns);

  return g_strdup_printf ("With tracing on, a wake-up here takes %s; shortest usable period: %s.", median, shortest);
}

static char *
imported_words (const CulpritMessage *message, const char *warning)
{
  g_autofree char *latency = culprit_time_format (message->imported.latency_ns);
  gint64 ordinary = message->imported.ordinary_windows;

  if (message->imported.latency_ns == 0)
    return g_strdup_printf ("Capture %" N ": %s.", message->capture, warning ? warning : "not late");
  return g_strdup_printf ("Capture %" N ": %s late, with %" N " ordinary wake-up%s%s%s", message->capture, latency,
                          ordinary, culprit_plural (ordinary), warning ? "; " : ".", warning ? warning : "");
}

static char *
run_end_words (const CulpritMessage *message)
{
  g_autofree char *totals = culprit_totals_words (&message->totals);
  gint64 faults = message->totals.page_faults;
  g_autofree char *missed =
      message->totals.missed >= 0 ? g_strdup_printf (", %" N " missed", message->totals.missed) : g_strdup ("");
  g_autofree char *spoilt =
      faults > 0 ? g_strdup_printf (" The measuring threads had %" N " page fault%s; there should be none.", faults,
                                    culprit_plural (faults))
                 : g_strdup ("");

  return g_strdup_printf ("Run %" N ", tracing %s: %s%s.%s", message->run, state (message), totals, missed, spoilt);
}

char *
culprit_message_words (const CulpritMessage *message, CulpritSurface surface)
{
  g_autofree char *text = message->text ? culprit_problem_words (message->text, message->remedy, surface) : NULL;

  switch (message->type)
    {
    case CULPRIT_MESSAGE_CALIBRATION:
      return calibration_words (message);
    case CULPRIT_MESSAGE_RUN:
      return g_strdup_printf ("Run %" N " begins, tracing %s.", message->run, state (message));
    case CULPRIT_MESSAGE_IMPORTED:
      return imported_words (message, text);
    case CULPRIT_MESSAGE_RUN_END:
      return run_end_words (message);
    case CULPRIT_MESSAGE_NOTE:
      return text ? g_strdup_printf ("Note: %s", text) : NULL;
    default:
      return NULL;
    }
}

gboolean
culprit_message_warns (const CulpritMessage *message)
{
  return message->type == CULPRIT_MESSAGE_NOTE || (message->type == CULPRIT_MESSAGE_IMPORTED && message->text) ||
         (message->type == CULPRIT_MESSAGE_RUN_END && message->totals.page_faults > 0);
}

char *
culprit_totals_words (const CulpritRunTotals *totals)
{
  g_autofree char *min = culprit_time_format (totals->min_ns);
  g_autofree char *mean = culprit_time_format (totals->mean_ns);
  g_autofree char *max = culprit_time_format (totals->max_ns);

  g_autofree char *overruns = totals->late >= 0
                                  ? g_strdup_printf (", %" N " overrun%s", totals->late, culprit_plural (totals->late))
                                  : g_strdup ("");

  if (totals->cycles == 0)
    return g_strdup_printf ("no %s", totals->late >= 0 ? "cycles" : "windows");
  return g_strdup_printf ("%" N " %s%s, min %s, mean %s, max %s, %" N " hit%s%s", totals->cycles,
                          totals->late >= 0 ? "cycle" : "window", culprit_plural (totals->cycles), min, mean, max,
                          totals->hits, culprit_plural (totals->hits), overruns);
}

/* A recorder's @reason to end, as part of a sentence; NULL: it is not known. */
static const char *
reason_words (const char *reason)
{
  static const struct
  {
    const char *reason;
    const char *text;
  } reasons[] = { { "captures", "all captures were taken" },
                  { "cycles", "all cycles were measured" },
                  { "limit", "the time limit was reached" },
                  { "stopped", "it was stopped" } };

  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    if (g_strcmp0 (reason, reasons[i].reason) == 0)
      return reasons[i].text;
  return NULL;
}

char *
culprit_recording_words (const CulpritRecordingResult *result)
{
  const char *reason = reason_words (result->reason);

  if (!result->name)
    return g_strdup_printf ("Nothing was recorded%s%s.", reason ? ": " : "", reason ? reason : "");
  if (g_strcmp0 (result->reason, "stopped") == 0)
    return g_strdup_printf ("Run “%s”: %u capture%s, then stopped.", result->name, result->captures,
                            culprit_plural (result->captures));
  return g_strdup_printf ("Run “%s”: %u capture%s%s%s.", result->name, result->captures,
                          culprit_plural (result->captures), reason ? "; " : "", reason ? reason : "");
}
