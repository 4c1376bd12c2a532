/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The target's tracing: checks whether it is in use, sets it up for a recording, and restores it. */
#pragma once

#include "request.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define SAVED_TEXT_SIZE (4 << 20)

/* The settings before they were changed. */
typedef struct
{
  atomic_bool changed; /* There is something to restore. */
  size_t used;
  char text[SAVED_TEXT_SIZE]; /* name, value, name, value..., each ending with 0 */
} SavedSettings;

/* Opens a file of tracefs for writing; -1 if that fails. */
int setting_open (const char *name);

/* Saves all settings that a recording changes. Before anything is changed, @saved->changed must be set. */
bool settings_save (SavedSettings *saved, char *problem, size_t size);

/* Writes who uses tracing and how, as members of a line. Mounts nothing. */
void tracing_reply_facts (void);

/* Whether the tracing of @request, which must have some, is possible here. False: @problem says why not, in one
 * line. */
bool tracing_check (const Request *request, char *problem, size_t size);

/* Changes the settings as @request says, with the tracer ready but not on yet. */
bool tracing_set_up (const Request *request, char *problem, size_t size);

/* Removes the tracer, so that it does not slow down a run without tracing. */
void tracing_take_down (void);

/* Empties the ring buffer and switches tracing on. False: the tracer was removed by someone else; @problem says so. */
bool tracing_begin (char *problem, size_t size);

/* Switches tracing off, so that the tracer costs as little as it can until tracing_begin(). */
void tracing_off (void);

/* Restores all settings and empties the ring buffer. May be called at any time, and twice. Returns the name of one that
 * could not be restored, which is in @saved; NULL: all were. */
const char *tracing_restore (SavedSettings *saved);

/* The time of the oldest event of @cpu in the ring buffer, and the numbers of events that it contains and has
 * overwritten. */
typedef struct
{
  int64_t oldest_ns;
  int64_t entries;
  int64_t overrun;
} TracingStats;

TracingStats tracing_stats (int cpu);
