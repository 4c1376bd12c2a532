/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds a target to what it was asked for, so that none can fill the disk, flood the screen or go on for ever: bounds
 * for runs, captures, bytes, samples, lines and time, all in proportion to the request. */
#pragma once

#include "message.h"

typedef struct
{
  /* As it was asked. */
  gboolean own_time; /* A virtual machine's clock is not ours: it is not held to it. */
  gint64 patience_us;
  gint64 runs;
  gint64 captures;
  gint64 buffer_kb;
  gint64 ends_us; /* when it must have ended, from its beginning; 0: it may go on */
  double samples; /* of a run; 0: as many as time allows */
  double samples_per_us;
  /* As it went on. */
  gint64 began_us;
  gint64 lines;
  gboolean facts_told;
  gint64 cpus; /* that the target has */
  gint64 run;  /* 0: none has begun */
  gboolean in_run;
  gboolean traced;
  double run_samples;
  gint64 capture; /* 0: none has come */
  gboolean in_capture;
  gint64 capture_bytes;
} Guard;

/* How long a target may be silent: CULPRIT_PATIENCE, or two minutes. */
gint64 guard_patience_us (void);

/* A target begins with @request, as of PROTOCOL.md. */
void guard_begin (Guard *guard, JsonObject *request, gboolean own_time);

/* Whether @message is in order; FALSE with an error that tells what is not, and names nobody. Tells @message what its
 * run is. */
gboolean guard_allow (Guard *guard, CulpritMessage *message, GError **error);

/* When the next message must have come, by g_get_monotonic_time(). */
gint64 guard_deadline_us (const Guard *guard);

/* Whether it should have come to its end before now. */
gboolean guard_is_over (const Guard *guard);
