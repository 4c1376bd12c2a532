/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording that goes on in a thread. It lives until it has ended, whoever started it, and so does the program: when
 * the window is closed meanwhile, the machine is put in order and what came is in the study. */
#pragma once

#include "record/explaining.h"

#define RECORDING_TYPE_JOB (recording_job_get_type ())
G_DECLARE_FINAL_TYPE (RecordingJob, recording_job, RECORDING, JOB, GObject)

/* Begins to record @request on @target, which it takes both, into @study as run @name (NULL: "run").
 *
 * It emits in the main thread "event" (CulpritMessage *, as of CulpritRecordingEvent), and at last "ended"
 * (CulpritRecordingResult *, const char * why it broke off; NULL: it did not). */
RecordingJob *recording_job_new (CulpritTarget *target, const char *study, const char *name, JsonObject *request);

/* The same for all that is missing to explain the peaks of @run, with @settings, as of CulpritExplaining. Before each
 * recording it emits "begun" (const char * what it is, gint64 captures that it is to take). */
RecordingJob *recording_job_new_explaining (CulpritTarget *target,
                                            const char *study,
                                            const char *run,
                                            JsonObject *settings);

/* What it records on; it belongs to @job. */
const CulpritTarget *recording_job_target (RecordingJob *job);

/* Asks it to end in order with what there is; "ended" follows. */
void recording_job_stop (RecordingJob *job);
