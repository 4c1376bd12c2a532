/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the readers of latency results. */
#pragma once

#include "read.h"

#define READ_MAX_LINE 8192 /* of a line that identifies the format */
#define READ_MAX_COLUMNS 1024
#define NS_PER_US 1000

/* What the rows of oslat's histogram are called after. */
typedef enum
{
  OSLAT_UNKNOWN,
  OSLAT_LATENCIES, /* of 1 us each */
  OSLAT_ENDS,      /* of bins, which have latencies below that only */
} OslatNames;

typedef struct
{
  const char *version; /* as printed; NULL: it is not */
  gboolean is_biased;  /* with --bias */
  gint64 width_ns;     /* of bins whose ends are told; 0 or less: not known */
  OslatNames names;
} OslatRows;

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
  OslatRows oslat;
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

/* Finds out what oslat's rows are called after, from a core that has its lowest row, below which there is none, at
 * @lowest_us, and its minimum at @min_us; NaN: not known. All cores are to agree. */
gboolean reader_take_oslat_core (Reader *reader, double lowest_us, double min_us, GError **error);

/* Sets @begin_us to where the bin of oslat's row @name_us begins. */
gboolean reader_begin_oslat_bin (const Reader *reader, double name_us, double *begin_us, GError **error);

/* The mean of one core, of which oslat printed @average; NaN: that is of the ends of bins. */
double reader_oslat_mean (const Reader *reader, double average);

/* The unit of oslat's latencies, which it prints in us: ns if the width of its bins is no multiple of that. */
gint64 reader_oslat_unit (const Reader *reader);

/* The width of oslat's bins. */
gint64 reader_oslat_width (const Reader *reader);

/* Reads cyclictest's or jitterdebugger's JSON. FALSE without an error if @text is neither. */
gboolean read_json (Reader *reader, const char *text, gsize length, GError **error);

#define READ_ADVICE                                                                                                    \
  "has only the minimum, mean and maximum of each thread; save a histogram, e.g. with cyclictest's --histogram or "    \
  "jitterdebugger's --output"

/* Reads the lines of @text, modifying it. FALSE without an error if their format is not known. */
gboolean read_lines (Reader *reader, char *text, GError **error);
