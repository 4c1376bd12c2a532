/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges studies, e.g. of several machines. */
#pragma once

#include "study/study.h"

typedef struct
{
  gint64 captures;    /* that were added */
  gint64 known;       /* that were already there */
  gint64 otherwise;   /* of these, those of which the other study has another late window, which is left out */
  gint64 notes;       /* likewise, to which the other study gives another state or note, which is left out */
  gint64 runs;        /* that were added */
  gint64 populations; /* of a fleet, which were left out: what was found in captures that are not there */
} CulpritMergeResult;

/* Adds everything in the study at @from to @study, in one transaction. Runs of equal name become one; captures already
 * in @study are left unchanged, with their windows and notes. What culprit fleet found is left out. */
gboolean culprit_study_merge (CulpritStudy *study, const char *from, CulpritMergeResult *result, GError **error);
