/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges studies, e.g. of several machines. */
#pragma once

#include "study.h"

typedef struct
{
  gint64 captures; /* that were added */
  gint64 known;    /* that were already there */
  gint64 runs;     /* that were added */
} CulpritMergeResult;

/* Adds everything in the study at @from to @study, in one transaction. Runs of equal name become one; captures already
 * in @study are left unchanged, with their notes. */
gboolean culprit_study_merge (CulpritStudy *study, const char *from, CulpritMergeResult *result, GError **error);
