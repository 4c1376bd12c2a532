/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the readers of latency results. */
#pragma once

#include "read.h"

#define READ_MAX_LINE 8192 /* of a line that identifies the format */
#define READ_MAX_COLUMNS 1024
#define NS_PER_US 1000

typedef struct
{
  const char *path;
  GCancellable *cancellable; /* or NULL; once it is cancelled, what was found does not count */
  gint64 unit_ns;            /* the unit of numbers */
  gboolean unit_is_given;    /* Comments do not count. */
  CulpritLatencyFile *file;
  CulpritNamedProfile *threads; /* of @file */
  char *columns;                /* how the columns were interpreted, for people; NULL: the format implies it */
  guint line;                   /* its number, for messages */
  gboolean is_cut;              /* Its last line, which nothing ended, was left out. */
  gboolean missed;              /* The tool says that it missed events. */
} Reader;

/* The columns of a table. */
typedef struct
{
  guint columns;     /* 0: the number is not given by a header, and the first is the latency */
  gboolean is_named; /* It has a header. */
  guint latency;     /* the column, from 0 */
  gboolean is_count[READ_MAX_COLUMNS];
} Layout;

/* Sets @error: what is wrong with the current line. Returns FALSE. */
gboolean reader_damaged (const Reader *reader, GError **error, const char *text, ...) G_GNUC_PRINTF (3, 4);

/* Sets @error: a tool wrote the file without a histogram; @advice says what to do. Returns FALSE. */
gboolean reader_without_histogram (const Reader *reader, const char *advice, GError **error);

/* The profile called @name, which is created if needed. */
CulpritNamedProfile *reader_profile (const Reader *reader, const char *name);

/* Adds @count samples of @latency, in the reader's unit. */
gboolean reader_add (const Reader *reader, CulpritNamedProfile *profile, double latency, double count, GError **error);

/* Adds a summary called @name ("": unnamed), with times in the reader's unit. */
gboolean reader_add_summary (const Reader *reader, const char *name, const CulpritSummary *summary, GError **error);

/* What a tool printed about one thread's latencies, in the reader's unit. */
typedef struct
{
  double n;
  double min;
  double mean;
  double max;
  double above; /* samples above the histogram's end */
} ThreadFigures;

/* The beginnings of the lines with these figures. */
typedef struct
{
  const char *n;
  const char *min;
  const char *mean;
  const char *max;
  const char *above;
} ToldTitles;

/* Adds the figures of @thread to those of @profile. */
void reader_add_figures (const Reader *reader, CulpritNamedProfile *profile, const ThreadFigures *thread);

/* Reads cyclictest's or jitterdebugger's JSON. FALSE without an error if @text is neither. */
gboolean read_json (Reader *reader, const char *text, gsize length, GError **error);

#define READ_ADVICE                                                                                                    \
  "has only the minimum, mean and maximum of each thread; save a histogram, e.g. with cyclictest's --histogram or "    \
  "jitterdebugger's --output"

/* Reads the lines of @text, modifying it. FALSE without an error if their format is not known. */
gboolean read_lines (Reader *reader, char *text, GError **error);
