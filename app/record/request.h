/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to record, as options, and the request to a recorder made from them. */
#pragma once

#include <json-glib/json-glib.h>

/* Built-in loads: stress-ng with arguments that stress one part of a machine. */

typedef struct
{
  const char *name;
  const char *command;
  const char *summary; /* what it stresses, as part of a sentence */
} CulpritLoad;

/* All of them; ends with one without a name. */
extern const CulpritLoad culprit_loads[];

#define CULPRIT_DEFAULT_PERIOD "5ms"

/* Times are texts with a unit, e.g. "5ms". Texts that are NULL were not given. */
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
  gint64 captures; /* not given, as are the next, unless changed after culprit_request_options_init() */
  gint64 cycles;
  gint64 skip;
  gint64 runs;
  gint64 priority;
  gint64 max_depth;
  gint64 buffer_kb;
  gboolean aligned;
  gboolean take_over;
} CulpritRequestOptions;

/* Sets all options to not given. */
void culprit_request_options_init (CulpritRequestOptions *options);

/* The request for the options, see app/recorder/PROTOCOL.md. NULL with an error that begins with the name of the option
 * in the struct. */
JsonObject *culprit_request_new (const CulpritRequestOptions *options, GError **error);
void culprit_request_options_clear (CulpritRequestOptions *options);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CulpritRequestOptions, culprit_request_options_clear)
