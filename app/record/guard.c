/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The limits leave honest targets plenty of room: they are there to stop what would never end. */
#include "guard.h"

#include "json.h"
#include "request.h"

#include <stdlib.h>
#include <string.h>

#define PATIENCE_S 120
#define MOST_PATIENCE_S 86400
#define SLOW_MACHINE 5 /* times the patience, for a virtual machine */
#define SLOW_CLOCK 100 /* times that a virtual machine's clock may be slower than ours, or faster while it is idle */
#define FAST_CLOCK 10  /* lines for one, of those that come by the clock of a machine that skips when it is idle */
#define CALIBRATION_CYCLES 20
#define SLOWER 10               /* a run may take this many times the period per cycle: wake-ups are missed */
#define SPARE_US G_USEC_PER_SEC /* of samples; a recorder checks its clock only now and then */
#define SPARE_SAMPLES 10000
#define SPARE_LINES 1000
#define LINES_PER_S 500
#define COMMANDS_US (70. * G_USEC_PER_SEC) /* that those of a treatment take at most */
#define LATEST_US 1e18                     /* about the largest that can be added to the current time */
#define SPARE_CAPTURE_BYTES (64ll << 20)   /* for the kernel's symbols and formats */
#define LEAST_DATA_BYTES 1024              /* the minimum that a line counts for */
#define MOST_FACTS_BYTES (256ll << 20)     /* in all runs, each of which has them */

gint64
guard_patience_us (void)
{
  const char *given = g_getenv ("CULPRIT_PATIENCE");
  gint64 seconds = given ? g_ascii_strtoll (given, NULL, 10) : 0;

  return (seconds > 0 ? MIN (seconds, MOST_PATIENCE_S) : PATIENCE_S) * G_USEC_PER_SEC;
}

/* The length of the list @key, at least 1. */
static guint
requested (JsonObject *request, const char *key)
{
  JsonNode *list = json_object_get_member (request, key);

  return list && JSON_NODE_HOLDS_ARRAY (list) ? MAX (json_array_get_length (json_node_get_array (list)), 1) : 1;
}

void
guard_begin (Guard *guard, JsonObject *request, const CulpritTarget *target)
{
  gboolean own_time = target->kind == CULPRIT_TARGET_VM;
  const char *tracing = json_member_text (request, "tracing");
  gboolean records = g_strcmp0 (json_member_text (request, "do"), culprit_request_action (request)) == 0;
  JsonArray *blocks = culprit_request_blocks (request);
  gint64 cycles = culprit_request_number (request, "cycles");
  double limit_us = culprit_request_number (request, "limit_ns") / 1e3;
  double period_us = MAX (culprit_request_number (request, "period_ns"), 1000) / 1e3;
  double preparing_us = (culprit_request_number (request, "skip_cycles") + CALIBRATION_CYCLES) * period_us;
  double run_us = limit_us > 0 ? limit_us : cycles * period_us * SLOWER;
  double ends_us;

  *guard = (Guard) { .own_time = own_time, .began_us = g_get_monotonic_time (), .cpus = 1 };
  guard->most_cpus = own_time ? json_object_get_int_member_with_default (target->vm, "cpus", 1) : MOST_CPUS;
  guard->patience_us = guard_patience_us () * (own_time ? SLOW_MACHINE : 1) + MIN (preparing_us, G_MAXINT32 * 1e6);
  guard->watches = g_str_equal (culprit_request_action (request), "watch");
  guard->captures = culprit_request_number (request, "captures");
  guard->buffer_kb = culprit_request_number (request, "buffer_kb");
  guard->runs = !records                           ? 0
                : blocks                           ? json_array_get_length (blocks)
                : g_strcmp0 (tracing, "both") == 0 ? 2 * culprit_request_number (request, "runs")
                                                   : 1;
  guard->samples_per_us = requested (request, "cpus") / period_us;
  guard->samples = cycles > 0 ? (double) cycles * requested (request, "cpus") : limit_us * guard->samples_per_us;
  if (json_object_has_member (request, "treatments"))
    run_us += COMMANDS_US;
  if (own_time)
    run_us *= SLOW_CLOCK;
  ends_us = guard->runs * run_us + (guard->captures + 2.) * guard->patience_us;
  guard->ends_us = (!records || run_us > 0) && ends_us < LATEST_US ? (gint64) ends_us : 0;
}

static gboolean G_GNUC_PRINTF (2, 3) refuse (GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_propagate_error (error, g_error_new_valist (G_IO_ERROR, G_IO_ERROR_INVALID_DATA, format, arguments));
  va_end (arguments);
  return FALSE;
}

static double
elapsed_us (const Guard *guard)
{
  return g_get_monotonic_time () - guard->began_us;
}

/* Virtual machines were seen to send 220 lines of progress per second. */
static gboolean
allow_line (Guard *guard, CulpritMessageType type, GError **error)
{
  gboolean by_clock = type == CULPRIT_MESSAGE_PROGRESS || type == CULPRIT_MESSAGE_BINS;

  guard->lines += guard->own_time && by_clock ? 1.0 / FAST_CLOCK : 1;
  if (guard->lines <= SPARE_LINES + elapsed_us (guard) / G_USEC_PER_SEC * LINES_PER_S)
    return TRUE;
  return refuse (error, "it sends more than %d lines per second", LINES_PER_S);
}

static gboolean
allow_facts (Guard *guard, const CulpritMessage *message, GError **error)
{
  const CulpritFacts *facts = &message->facts;

  if (guard->facts_received)
    return refuse (error, "it sends its facts twice");
  if ((gint64) strlen (message->json) * guard->runs > MOST_FACTS_BYTES)
    return refuse (error, "its facts are too long to be stored with each of %" G_GINT64_FORMAT " runs", guard->runs);
  guard->facts_received = TRUE;
  guard->cpus = CLAMP (facts->cpus->len, 1, guard->most_cpus);
  return TRUE;
}

static void
forget_latencies (Guard *guard)
{
  guard->min_ns = G_MAXINT64;
  guard->max_ns = G_MININT64;
  guard->sum_ns = 0;
}

static void
note_latencies (Guard *guard, const CulpritProfile *latencies)
{
  for (guint i = 0; i < latencies->bins->len; i++)
    {
      const CulpritBin *bin = culprit_profile_bin (latencies, i);

      guard->min_ns = MIN (guard->min_ns, bin->latency_ns);
      guard->max_ns = MAX (guard->max_ns, bin->latency_ns);
      guard->sum_ns += (double) bin->latency_ns * bin->count;
    }
}

static gboolean
allow_run (Guard *guard, const CulpritMessage *message, GError **error)
{
  if (guard->in_run || message->run != guard->run + 1 || message->run > guard->runs)
    return refuse (error, "it begins run %" G_GINT64_FORMAT ", after %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT,
                   message->run, guard->run, guard->runs);
  guard->run = message->run;
  guard->in_run = TRUE;
  guard->traced = message->traced;
  guard->run_samples = 0;
  guard->windows = 0;
  forget_latencies (guard);
  return TRUE;
}

static gboolean
allow_capture (Guard *guard, const CulpritMessage *message, GError **error)
{
  if (message->capture != guard->capture + 1 || message->capture > guard->captures)
    return refuse (error, "it sends capture %" G_GINT64_FORMAT ", after %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT,
                   message->capture, guard->capture, guard->captures);
  guard->capture = message->capture;
  guard->in_capture = TRUE;
  guard->capture_bytes = 0;
  return TRUE;
}

static gboolean
allow_data (Guard *guard, gsize size, GError **error)
{
  gint64 buffers = guard->buffer_kb * 1024 * guard->cpus;

  guard->capture_bytes += MAX (size, LEAST_DATA_BYTES);
  if (guard->capture_bytes <= buffers + buffers / 4 + SPARE_CAPTURE_BYTES)
    return TRUE;
  return refuse (error,
                 "its capture is larger than buffers of %" G_GINT64_FORMAT " kB on %" G_GINT64_FORMAT " CPUs hold",
                 guard->buffer_kb, guard->cpus);
}

static gboolean
allow_capture_end (Guard *guard, const CulpritMessage *message, GError **error)
{
  if (message->capture != guard->capture)
    return refuse (error, "it ends capture %" G_GINT64_FORMAT " in the middle of %" G_GINT64_FORMAT, message->capture,
                   guard->capture);
  guard->in_capture = FALSE;
  return TRUE;
}

static gboolean
allow_samples (Guard *guard, const CulpritRecordedSamples *samples, GError **error)
{
  double clock = guard->own_time ? SLOW_CLOCK * SLOWER : SLOWER;
  double most = guard->samples > 0 ? guard->samples : elapsed_us (guard) * guard->samples_per_us * clock;

  if (guard->watches)
    return refuse (error, "it sends samples, which were not requested");
  guard->run_samples += samples->cycles;
  note_latencies (guard, samples->latencies);
  if (guard->run_samples <= 2 * most + guard->samples_per_us * SPARE_US + SPARE_SAMPLES)
    return TRUE;
  return refuse (error, "it sends more samples than there were cycles");
}

static gboolean
allow_bins (Guard *guard, const CulpritProfile *latencies, GError **error)
{
  if (!guard->watches)
    return refuse (error, "it sends counts of latencies, which were not requested");
  if (!guard->own_time && latencies->n > guard->cpus * elapsed_us (guard))
    return refuse (error, "it sends latencies of more windows than there can have been");
  guard->windows = latencies->n;
  forget_latencies (guard);
  note_latencies (guard, latencies);
  return TRUE;
}

/* What @totals say of the latencies is what these say themselves. */
static gboolean
allow_run_end (Guard *guard, CulpritRunTotals *totals, GError **error)
{
  gint64 sent = guard->watches ? guard->windows : (gint64) guard->run_samples;

  guard->in_run = FALSE;
  if (totals->hits > totals->cycles || totals->late > totals->cycles ||
      (totals->cycles > 0 && (totals->mean_ns < totals->min_ns || totals->mean_ns > totals->max_ns)))
    return refuse (error, "its minimum, mean, maximum and numbers of late ones are not those of any run");
  if (sent != totals->cycles)
    return refuse (error, "it reports %" G_GINT64_FORMAT " %s, but sent the latencies of %" G_GINT64_FORMAT,
                   totals->cycles, guard->watches ? "windows" : "cycles", sent);
  totals->min_ns = sent > 0 ? guard->min_ns : 0;
  totals->mean_ns = sent > 0 ? (gint64) (guard->sum_ns / sent) : 0;
  totals->max_ns = sent > 0 ? guard->max_ns : 0;
  return TRUE;
}

/* Whether the type is allowed now: some only in a run, some only in a capture. */
static gboolean
allow_order (const Guard *guard, const CulpritMessage *message, GError **error)
{
  gboolean of_capture = message->type == CULPRIT_MESSAGE_DATA || message->type == CULPRIT_MESSAGE_CAPTURE_END;
  gboolean of_run = message->type == CULPRIT_MESSAGE_PROGRESS || message->type == CULPRIT_MESSAGE_HIT ||
                    message->type == CULPRIT_MESSAGE_CAPTURE || message->type == CULPRIT_MESSAGE_SAMPLES ||
                    message->type == CULPRIT_MESSAGE_BINS || message->type == CULPRIT_MESSAGE_RUN_END;

  if (of_capture && !guard->in_capture)
    return refuse (error, "it sends data that belongs to no capture");
  if (of_run && (!guard->in_run || message->run != guard->run))
    return refuse (error, "it reports run %" G_GINT64_FORMAT ", which is not in progress", message->run);
  if (guard->in_capture && (of_run || message->type == CULPRIT_MESSAGE_RUN || message->type == CULPRIT_MESSAGE_END))
    return refuse (error, "it aborts capture %" G_GINT64_FORMAT, guard->capture);
  return TRUE;
}

gboolean
guard_allow (Guard *guard, CulpritMessage *message, GError **error)
{
  if (!allow_order (guard, message, error))
    return FALSE;
  message->traced = message->type == CULPRIT_MESSAGE_RUN ? message->traced : guard->traced;
  switch (message->type)
    {
    case CULPRIT_MESSAGE_DATA:
      return allow_data (guard, message->data.size, error);
    case CULPRIT_MESSAGE_CAPTURE_END:
      return allow_capture_end (guard, message, error);
    case CULPRIT_MESSAGE_FACTS:
      return allow_line (guard, message->type, error) && allow_facts (guard, message, error);
    case CULPRIT_MESSAGE_RUN:
      return allow_line (guard, message->type, error) && allow_run (guard, message, error);
    case CULPRIT_MESSAGE_CAPTURE:
      return allow_line (guard, message->type, error) && allow_capture (guard, message, error);
    case CULPRIT_MESSAGE_SAMPLES:
      return allow_line (guard, message->type, error) && allow_samples (guard, &message->samples, error);
    case CULPRIT_MESSAGE_BINS:
      return allow_line (guard, message->type, error) && allow_bins (guard, message->latencies, error);
    case CULPRIT_MESSAGE_RUN_END:
      return allow_run_end (guard, &message->totals, error);
    default:
      return allow_line (guard, message->type, error);
    }
}

gint64
guard_deadline_us (const Guard *guard)
{
  gint64 next_us = g_get_monotonic_time () + guard->patience_us;

  return guard->ends_us > 0 ? MIN (next_us, guard->began_us + guard->ends_us) : next_us;
}

gboolean
guard_is_over (const Guard *guard)
{
  return guard->ends_us > 0 && g_get_monotonic_time () >= guard->began_us + guard->ends_us;
}
