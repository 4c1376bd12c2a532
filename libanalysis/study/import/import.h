/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Imports captures into a study. One capture is one transaction: it is stored completely or not at all. */
#pragma once

#include "problem.h"
#include "study/study.h"

/* The schema version with which reading a capture last changed: captures read by an older version are read again if
 * possible. */
#define CULPRIT_READ_VERSION 7

typedef enum
{
  CULPRIT_IMPORT_STORED,
  CULPRIT_IMPORT_AGAIN, /* It was read again: an older version had read it, or it had no windows. */
  CULPRIT_IMPORT_KNOWN, /* The same bytes are in the study already; nothing was changed. */
} CulpritImportOutcome;

typedef struct
{
  const char *run;   /* The run it belongs to; NULL: named after the file's folder. */
  gboolean apart;    /* If that has other windows, it goes to one with a number appended, as if it was not named. */
  guint64 period_ns; /* Of the cyclic task; 0 to infer it. */
  guint64
      others_period_ns; /* of other captures of the run, for those that have too few cycles; 0: what the study has */
  guint64 others_period_error_ns; /* That may be off by this much. */
  gboolean alone;                 /* Do not use the period of other captures of the run. */
  const char *window;   /* What its windows are (capture/windows/measured.h); NULL: what its log or marker tells */
  guint64 threshold_ns; /* The last of these windows that is longer is the late one; 0: the longest. */
} CulpritImportOptions;

typedef struct
{
  CulpritImportOutcome outcome;
  gint64 capture;     /* Its number in the study. */
  guint64 latency_ns; /* Of the hit; 0 if there is none. */
  guint ordinary_windows;
  char *no_windows;     /* Why there is no outlier window, or NULL. */
  char *warning;        /* What the user should know about a capture that was stored, or NULL. */
  CulpritRemedy remedy; /* of that */
} CulpritImportResult;

void culprit_import_result_clear (CulpritImportResult *result);

/* Both of these as one remark on the capture; NULL if there is none. The caller owns it. */
char *culprit_import_warning (const CulpritImportResult *result);

/* Reads the capture at @path into @study. */
gboolean culprit_study_import (CulpritStudy *study,
                               const char *path,
                               const CulpritImportOptions *options,
                               GCancellable *cancellable,
                               CulpritImportResult *result,
                               GError **error);

/* Whether @problem leaves no point in importing anything else: nothing can be written to the study any more, or nothing
 * shall be. */
gboolean culprit_import_is_over (const GError *problem);

/* Reads again the captures that an older version read, if their files exist. Those that cannot be read are left
 * unchanged. */
gboolean culprit_study_read_again (CulpritStudy *study, GError **error);

/* Suffix of a file while a capture is being written to it. */
#define CULPRIT_PART_SUFFIX ".part"

/* Name of jitterdebugger's result, which has a folder of its own. */
#define CULPRIT_JITTERDEBUGGER_FILE "results.json"
