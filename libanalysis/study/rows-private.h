/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A capture's facts as rows of the study. */
#pragma once

#include "import.h"

#include "capture/capture.h"

typedef struct
{
  CulpritStudy *study;
  const CulpritCapture *capture;
  const CulpritCycles *cycles; /* the capture's log, or NULL */
  const char *path;
  const char *digest;
  gint64 capture_id;
  gint64 outlier_id;
  gint64 *function_ids; /* by the capture's function; 0: not looked up yet */
} Import;

/* Stores everything, inside a transaction that is open. */
gboolean rows_store (Import *import, const CulpritImportOptions *options, CulpritImportResult *result, GError **error);
