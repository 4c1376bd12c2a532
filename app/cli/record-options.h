/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options that say what to record. */
#pragma once

#include <json-glib/json-glib.h>

typedef struct
{
  char *run; /* its name in the study */
  char *period;
  char *threshold;
  char *band;
  char *limit;
  char *deadline;
  char *tracing;
  char *method;
  char *clock;
  char *policy;
  char *cpus;
  char *load;
  char *calibrate;
  char **graph;
  char **graph_not;
  char **events;
  gint64 captures; /* As with all numbers here: record_options_init() makes it one that says that it was not given. */
  gint64 cycles;
  gint64 skip;
  gint64 runs;
  gint64 priority;
  gint64 max_depth;
  gint64 buffer_kb;
  gboolean aligned;
  gboolean take_over;
} RecordOptions;

/* Before parsing: no number is given yet. */
void record_options_init (RecordOptions *options);

/* The entries for g_option, ending with an empty one. The caller owns the array. */
GOptionEntry *record_options_entries (RecordOptions *options);

/* The request that they mean, by the protocol. NULL with an error that names the option. */
JsonObject *record_options_read (const RecordOptions *options, GError **error);

void record_options_clear (RecordOptions *options);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RecordOptions, record_options_clear)
