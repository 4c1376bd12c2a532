/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Brings captures into a study. One capture is one transaction: it is in the study wholly or not at all. */
#pragma once

#include "study.h"

/* The version of the study in which what is read of a capture changed last: those read by an older one are read again
 * where they can be. */
#define CULPRIT_READ_VERSION 4

typedef enum
{
  CULPRIT_IMPORT_STORED,
  CULPRIT_IMPORT_AGAIN, /* An older version had read it; it was read again. */
  CULPRIT_IMPORT_KNOWN, /* The same bytes are in the study already; nothing was changed. */
} CulpritImportOutcome;

typedef struct
{
  const char *run;   /* The run it belongs to; NULL: named after the folder that the file lies in. */
  guint64 period_ns; /* Of the cyclic task; 0 to infer it. */
} CulpritImportOptions;

typedef struct
{
  CulpritImportOutcome outcome;
  gint64 capture;     /* Its number in the study. */
  guint64 latency_ns; /* Of the hit; 0 where there is none. */
  guint ordinary_windows;
  char *no_windows; /* Why there is no hit, or NULL. */
  char *warning;    /* What the user should know of a capture that was stored, or NULL. */
} CulpritImportResult;

void culprit_import_result_clear (CulpritImportResult *result);

/* Reads the capture at @path into @study. */
gboolean culprit_study_import (CulpritStudy *study,
                               const char *path,
                               const CulpritImportOptions *options,
                               GCancellable *cancellable,
                               CulpritImportResult *result,
                               GError **error);

/* Reads again the captures that an older version read and whose files are there. Those that cannot be read stay as they
 * are. */
gboolean culprit_study_read_again (CulpritStudy *study, GError **error);

/* What a file's name ends with while a capture is being written to it. */
#define CULPRIT_PART_SUFFIX ".part"

/* What jitterdebugger calls its result, in a folder for each. */
#define CULPRIT_JITTERDEBUGGER_FILE "results.json"

/* What @path means: a file as it is; of a folder every file in and below it that begins as a trace.dat does, or is
 * jitterdebugger's result, in the order of their names. An array of paths that the caller owns; an error where a folder
 * cannot be read or holds none. */
GPtrArray *culprit_import_find (const char *path, GError **error);
