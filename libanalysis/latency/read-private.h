/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the readers of latency results share. */
#pragma once

#include "read.h"

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

/* Reads the lines of @text, which is changed. FALSE without an error where they are of no known kind. */
gboolean read_lines (Reader *reader, char *text, GError **error);
