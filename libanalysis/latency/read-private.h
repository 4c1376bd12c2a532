/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the readers of latency results share. */
#pragma once

#include "read.h"

#define READ_MAX_LINE 8192 /* of a line that tells what the file is */

typedef struct
{
  const char *path;
  gint64 unit_ns; /* what a number is */
  CulpritLatencyFile *file;
  guint line; /* its number, for messages */
} Reader;

/* Says in @error what is wrong with the present line. Returns FALSE. */
gboolean reader_damaged (const Reader *reader, GError **error, const char *text, ...) G_GNUC_PRINTF (3, 4);

/* Adds @count samples of @latency, in the reader's unit. */
gboolean reader_add (const Reader *reader, double latency, double count, GError **error);

/* Adds a summary called @name ("": it has no name), of which the times are in the reader's unit. */
gboolean reader_add_summary (const Reader *reader, const char *name, const CulpritSummary *summary, GError **error);

/* Whether the first line of @text that says something is a triple of mean, standard deviation and number. */
gboolean read_knows_triples (const char *text);

/* Reads one such line, or nothing from a blank one. */
gboolean read_triple (const Reader *reader, const char *line, GError **error);

/* Reads what stress-ng --cyclic prints when it was not asked for the distribution. */
gboolean read_stress_ng_summary (const Reader *reader, const char *text, GError **error);

/* Reads the lines of @text, which is changed. FALSE without an error where they are of no known kind. */
gboolean read_lines (Reader *reader, char *text, GError **error);
