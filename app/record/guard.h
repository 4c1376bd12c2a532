/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds a target to the request, so that it cannot fill the disk, flood the screen or go on forever: limits on runs,
 * captures, bytes, samples, lines and time, all in proportion to the request. */
#pragma once

#include "message.h"

typedef struct
{
  /* From the request. */
  gboolean own_time; /* A virtual machine has a clock of its own, which may be much faster or slower than ours. */
  gboolean watches;  /* Latencies are counted, and not sent as samples. */
  gint64 patience_us;
  gint64 runs;
  gint64 captures;
  gint64 buffer_kb;
  gint64 most_cpus; /* that the target may have */
  gint64 ends_us;   /* after which time it must have ended; 0: no limit */
  double samples;   /* of a run; 0: limited by time only */
  double samples_per_us;
  /* So far. */
  gint64 began_us;
  double lines;
  gboolean facts_received;
  gint64 cpus; /* of the target */
  gint64 run;  /* 0: none has begun */
  gboolean in_run;
  gboolean traced;
  double run_samples;
  gint64 windows; /* of the run, whose latencies were counted so far */
  gint64 min_ns;  /* of the run's latencies so far, as the next */
  gint64 max_ns;
  double sum_ns;
  gint64 capture; /* 0: none so far */
  gboolean in_capture;
  gint64 capture_bytes;
} Guard;

/* How long a target may be silent: CULPRIT_PATIENCE, or two minutes. */
gint64 guard_patience_us (void);

/* @target starts working on @request, see PROTOCOL.md. */
void guard_begin (Guard *guard, JsonObject *request, const CulpritTarget *target);

/* Whether @message is allowed; FALSE with an error that says why not, without the target's name. Sets what
 * @message does not say of its run, and the minimum, mean and maximum at its end to those of the latencies that came.
 */
gboolean guard_allow (Guard *guard, CulpritMessage *message, GError **error);

/* The time by g_get_monotonic_time() by which the next message must have come. */
gint64 guard_deadline_us (const Guard *guard);

/* Whether it should have ended by now. */
gboolean guard_is_over (const Guard *guard);
