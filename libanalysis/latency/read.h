/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the latency results of other tools. What a file is, its content tells. */
#pragma once

#include <gio/gio.h>

#include "profile.h"

#define CULPRIT_LATENCY_ERROR (culprit_latency_error_quark ())

typedef enum
{
  CULPRIT_LATENCY_ERROR_OPEN,    /* The file cannot be read. */
  CULPRIT_LATENCY_ERROR_UNKNOWN, /* It is no latency result that is known here. */
  CULPRIT_LATENCY_ERROR_DAMAGED, /* It contradicts itself. */
} CulpritLatencyError;

GQuark culprit_latency_error_quark (void);

typedef struct
{
  char *name; /* NULL: the file does not tell */
  CulpritSummary summary;
} CulpritNamedSummary;

/* One of a file's profiles: of all threads together. */
typedef struct
{
  const char *name; /* "irq": of interrupts; NULL: of threads, what most files hold alone */
  CulpritProfile *profile;
  guint64 overflows; /* samples above the histogram's end */
  double told_n;     /* of how many latencies what was told of the profile speaks, where it was told of each thread */
} CulpritNamedProfile;

/* What a file holds. */
typedef struct
{
  const char *format;  /* as people call it, e.g. "cyclictest histogram" */
  char *read_as;       /* a line for people: the format, and what was taken as what in which unit */
  GPtrArray *profiles; /* of CulpritNamedProfile, none of them empty */
  GArray *summaries;   /* of CulpritNamedSummary */
} CulpritLatencyFile;

/* Reads the file at @path. @unit_ns: what a number without a unit is, for formats that do not tell (1000:
 * microseconds). NULL with an error. */
CulpritLatencyFile *culprit_latency_read (const char *path, gint64 unit_ns, GError **error);

/* The same of @text, the @length bytes of a file with a zero behind them, which it changes; @path names it in errors.
 */
CulpritLatencyFile *culprit_latency_parse (const char *path, char *text, gsize length, gint64 unit_ns, GError **error);

void culprit_latency_file_free (CulpritLatencyFile *file);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritLatencyFile, culprit_latency_file_free)
