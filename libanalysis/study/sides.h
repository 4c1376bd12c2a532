/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what can be compared (latency/comparison.h) from a study. */
#pragma once

#include "latency/comparison.h"
#include "study.h"

typedef enum
{
  CULPRIT_SIDE_MEANT,    /* the run or runs that the label means (profiles.h), or only its summary */
  CULPRIT_SIDE_RUNS,     /* the run of that name and all runs of that arm */
  CULPRIT_SIDE_CAPTURED, /* their captured wake-ups, without the tracer's time */
} CulpritSideKind;

/* Reads @label as one side of a comparison; several runs are added up. What is not known is NULL. @side must be cleared
 * if this is TRUE. */
gboolean culprit_study_side (
    CulpritStudy *study, const char *label, CulpritSideKind kind, CulpritCompared *side, GError **error);

void culprit_side_clear (CulpritCompared *side);
