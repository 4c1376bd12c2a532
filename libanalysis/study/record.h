/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Brings recorded runs into a study: their configuration, every sample in its order, and how they ended. A run whose
 * recording broke off stays as far as it came, without an end. */
#pragma once

#include "latency/profile.h"
#include "study.h"

#include <json-glib/json-glib.h>

/* What is known of a run when it begins. Texts may be NULL, numbers 0, where there are none. */
typedef struct
{
  const char *name;      /* must be new in the study */
  const char *recording; /* that it is a part of */
  gboolean traced;
  JsonObject *request; /* as the recorder was asked */
  JsonObject *facts;   /* as the recorder told */
} CulpritRecordedRun;

/* The first of NAME, NAME-2, NAME-3... that no run and no recording of @study bears. The caller owns it. NULL with an
 * error. */
char *culprit_study_new_run_name (CulpritStudy *study, const char *name, GError **error);

/* Stores a run that begins. @run: its number in the study. */
gboolean culprit_study_begin_run (CulpritStudy *study, const CulpritRecordedRun *recorded, gint64 *run, GError **error);

/* Stores samples of a run: @line is the recorder's line of type "samples". */
gboolean culprit_study_add_samples (CulpritStudy *study, gint64 run, JsonObject *line, GError **error);

/* The latencies of the samples in @line, as above. The caller owns it. NULL where they make no sense. */
CulpritProfile *culprit_samples_profile (JsonObject *line);

/* Stores how a run ended: @line is the recorder's line of type "run-end". */
gboolean culprit_study_end_run (CulpritStudy *study, gint64 run, JsonObject *line, GError **error);
