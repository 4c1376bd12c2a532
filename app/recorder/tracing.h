/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The target's tracing: whether it is free, what a recording makes of it, and how it was again. */
#pragma once

#include "request.h"
#include "settings.h"

/* Says what tracing there is and who uses it, as members of a line. Mounts nothing. */
void tracing_reply_facts (void);

/* Whether @request's tracing, which it has, can be done here. False: @problem says why not, in one line. */
bool tracing_check (const Request *request, char *problem, size_t size);

/* Makes the settings those of @request, with the tracer ready but not yet on. */
bool tracing_set_up (const Request *request, char *problem, size_t size);

/* Takes the tracer away, so that a run without tracing pays nothing for it. */
void tracing_take_down (void);

/* Empties the ring buffer and switches tracing on. False: the tracer is not there any more; @problem says so. */
bool tracing_begin (char *problem, size_t size);

void tracing_off (void);

/* Puts all settings back as they were and empties the ring buffer. May be called at any time, and twice. Gives the name
 * of one that could not be put back, which is in @saved; NULL: all could. */
const char *tracing_restore (SavedSettings *saved);

/* The time of the oldest event of @cpu in the ring buffer, and how many events it holds and has overwritten. */
typedef struct
{
  int64_t oldest_ns;
  int64_t entries;
  int64_t overrun;
} TracingStats;

TracingStats tracing_stats (int cpu);
