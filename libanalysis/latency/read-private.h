/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the readers of latency results share. */
#pragma once

#include "read.h"

#define READ_MAX_LINE 8192 /* of a line that tells what the file is */
#define READ_MAX_COLUMNS 1024

typedef struct
{
  const char *path;
  gint64 unit_ns; /* what a number is */
  CulpritLatencyFile *file;
  CulpritNamedProfile *threads; /* of @file */
  char *columns;                /* what was taken as what, for people; NULL: the format says it */
  guint line;                   /* its number, for messages */
} Reader;

/* What the columns of a table are. */
typedef struct
{
  guint columns; /* 0: no header tells how many, and the first is the latency */
  guint latency; /* the column, from 0 */
  gboolean is_count[READ_MAX_COLUMNS];
} Layout;

/* Says in @error what is wrong with the present line. Returns FALSE. */
gboolean reader_damaged (const Reader *reader, GError **error, const char *text, ...) G_GNUC_PRINTF (3, 4);

/* Says in @error that a tool wrote the file without a histogram, and by @advice what to do. Returns FALSE. */
gboolean reader_without_histogram (const Reader *reader, const char *advice, GError **error);

/* The profile called @name, which is made where it is not there yet. */
CulpritNamedProfile *reader_profile (const Reader *reader, const char *name);

/* Adds @count samples of @latency, in the reader's unit. */
gboolean reader_add (const Reader *reader, CulpritNamedProfile *profile, double latency, double count, GError **error);

/* Adds a summary called @name ("": it has no name), of which the times are in the reader's unit. */
gboolean reader_add_summary (const Reader *reader, const char *name, const CulpritSummary *summary, GError **error);

/* What a tool says of one thread's latencies, in the reader's unit. */
typedef struct
{
  double n;
  double min;
  double mean;
  double max;
  double above; /* samples above the histogram's end */
} ThreadTold;

/* What the lines that say it begin with. */
typedef struct
{
  const char *n;
  const char *min;
  const char *mean;
  const char *max;
  const char *above;
} ToldTitles;

/* Adds @thread to what is known of @profile. */
void reader_tell (const Reader *reader, CulpritNamedProfile *profile, const ThreadTold *thread);

/* Takes a line below a histogram, a number for each column from 1 on, into @columns; other lines say nothing. */
void read_told_line (const char *line, const ToldTitles *titles, ThreadTold *columns);

/* Whether the first line of @text that says something is a triple of mean, standard deviation and number. */
gboolean read_knows_triples (const char *text);

/* Reads one such line, or nothing from a blank one. */
gboolean read_triple (const Reader *reader, const char *line, GError **error);

/* Reads what stress-ng --cyclic prints when it was not asked for the distribution. */
gboolean read_stress_ng_summary (const Reader *reader, const char *text, GError **error);

/* Reads cyclictest's or jitterdebugger's JSON. FALSE without an error where @text is neither. */
gboolean read_json (Reader *reader, const char *text, gsize length, GError **error);

/* The number behind @title in @text. */
gboolean read_number_after (const char *text, const char *title, double *number);

/* The numbers of a line, at most @most. -1: it holds something else as well. */
int read_numbers (const char *line, double *numbers, int most);

/* Whether @line is empty, or a rule under a header. */
gboolean read_is_rule (const char *line);

/* Finds the header among the lines of @text before line @first, the first one of a table of @columns numbers, and takes
 * @layout and the reader's unit from it. An error where lines are there that are no header, or one that leaves doubt.
 */
gboolean read_header (Reader *reader, const char *text, guint first, guint columns, Layout *layout, GError **error);

/* Whether rtla timerlat hist or rtla osnoise hist printed @text. */
gboolean read_is_rtla (const char *text);

/* Reads what they printed; @text is changed. */
gboolean read_rtla (Reader *reader, char *text, GError **error);

/* Whether oslat printed @text. */
gboolean read_is_oslat (const char *text);

/* Reads what it printed; @text is changed. */
gboolean read_oslat (Reader *reader, char *text, GError **error);

#define READ_ADVICE                                                                                                    \
  "has only the minimum, mean and maximum of each thread; save a histogram, e.g. with cyclictest's --histogram or "    \
  "jitterdebugger's --output"

/* What to keep instead of @text, which a tool of this field printed without telling how often each latency occurred.
 * NULL: none did. */
const char *read_advice (const char *text);

/* Reads the lines of @text, which is changed. FALSE without an error where they are of no known kind. */
gboolean read_lines (Reader *reader, char *text, GError **error);
