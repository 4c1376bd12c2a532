/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores a capture's facts as rows of the study. */
#pragma once

#include "import.h"

#include "capture/capture.h"

typedef struct
{
  CulpritStudy *study;
  const CulpritCapture *capture;
  const char *path;
  gint64 capture_id;
  gint64 outlier_id;
  gint64 *function_ids; /* by the capture's function; 0: not looked up yet */
} Import;

/* The name of the run that the capture at @path belongs to; @name: the requested name, or NULL. The caller owns it. */
char *rows_run_name (const char *path, const char *name);

/* The file name that the study stores for @path: relative to its own folder if the file is in or below it, so that both
 * can be moved together. The caller owns it. */
char *rows_file_name (const CulpritStudy *study, const char *path);

/* Stores the windows, whose functions have numbers already. */
gboolean rows_store_windows (Import *import, GError **error);

/* Stores everything, inside an open transaction. */
gboolean rows_store (Import *import, const CulpritImportOptions *options, CulpritImportResult *result, GError **error);
