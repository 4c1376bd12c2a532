/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a study has of trials: each is a series of runs, one for each block in the order of measuring. The configuration
 * of the series tells the commands that begin and end the treatment ("treat", "undo"), and which blocks have it
 * ("treatments"). */
#pragma once

#include "latency/trial.h"
#include "study.h"

typedef struct
{
  char *series;
  char *treat; /* the commands, in one line each */
  char *undo;
  CulpritTrial *trial;
} CulpritStoredTrial;

/* The trial in the series @series, or the last one of the study (NULL). NULL with an error if there is none. */
CulpritStoredTrial *culprit_study_trial (CulpritStudy *study, const char *series, GError **error);
void culprit_stored_trial_free (CulpritStoredTrial *stored);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritStoredTrial, culprit_stored_trial_free)
