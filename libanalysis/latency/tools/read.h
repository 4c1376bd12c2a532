/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the latency results of other tools. The format is recognised by the content. */
#pragma once

#include <gio/gio.h>

#include "latency/profile.h"

/* The tools whose results can be read, as part of a sentence. */
#define CULPRIT_LATENCY_TOOLS "cyclictest, stress-ng, rtla, oslat or jitterdebugger"

#define CULPRIT_LATENCY_ERROR (culprit_latency_error_quark ())

typedef enum
{
  CULPRIT_LATENCY_ERROR_OPEN,    /* The file cannot be read. */
  CULPRIT_LATENCY_ERROR_UNKNOWN, /* It is not a latency result of a known format. */
  CULPRIT_LATENCY_ERROR_DAMAGED, /* It contradicts itself. */
} CulpritLatencyError;

GQuark culprit_latency_error_quark (void);

typedef struct
{
  char *name; /* NULL: the file has none */
  CulpritSummary summary;
} CulpritNamedSummary;

/* One of a file's profiles, over all threads. */
typedef struct
{
  const char *name; /* "irq": of interrupts; NULL: of threads, the only profile of most files */
  CulpritProfile *profile;
  double figures_n;  /* the number of latencies that the tool's own figures are about; 0: none is per thread; NaN: not
                        known */
  gboolean cut_mean; /* All means of threads are whole numbers of the file's unit: the rest is cut off. */
} CulpritNamedProfile;

/* What a file contains. */
typedef struct
{
  const char *format;  /* its usual name, e.g. "cyclictest histogram" */
  char *read_as;       /* a line for people: the format, and how columns and units were interpreted */
  GPtrArray *profiles; /* of CulpritNamedProfile, none of them empty */
  GPtrArray *beyond;   /* of CulpritNamedProfile: those of which all latencies are above the histogram's end */
  GArray *summaries;   /* of CulpritNamedSummary */
} CulpritLatencyFile;

/* Reads the file at @path. @unit_ns: the unit of numbers, in formats that do not state it, unless a header does; 0: it
 * is what comments say, or microseconds. @cancellable: or NULL. NULL with an error. */
CulpritLatencyFile *culprit_latency_read (const char *path, gint64 unit_ns, GCancellable *cancellable, GError **error);

/* The same for @text, the @length bytes of a file with a terminating zero, which it modifies; @path is named in
 * errors. */
CulpritLatencyFile *culprit_latency_parse (
    const char *path, char *text, gsize length, gint64 unit_ns, GCancellable *cancellable, GError **error);

void culprit_latency_file_free (CulpritLatencyFile *file);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritLatencyFile, culprit_latency_file_free)
