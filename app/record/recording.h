/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording: requests runs from a recorder, stores them in a study as they come, fetches the captures of the hits and
 * imports each at once. Blocks. */
#pragma once

#include "message.h"
#include "target.h"

typedef struct
{
  const char *study;   /* its file; created if it does not exist */
  const char *name;    /* of the run, made unique in the study unless its series goes on; NULL: "run" */
  JsonObject *request; /* see app/recorder/PROTOCOL.md; "culprit" and "do" are added */
  guint turn; /* 1: Other runs of this series may follow; more: it goes on with that turn. 0: Runs have turns only
                 if they alternate. */
  JsonObject *explains; /* what the study keeps with the request: see culprit-study(5); NULL: nothing */
} CulpritRecordingOptions;

/* The result of a recording. */
typedef struct
{
  char *name;     /* as it is in the study */
  guint runs;     /* that were measured, even if not to their end */
  guint captures; /* that are in the study */
  char *reason;   /* why it ended, as the recorder says; NULL: it was aborted */
} CulpritRecordingResult;

/* Called for each message of the recorder except type "data", and with type "imported" for each capture added to the
 * study, including those left by a killed recording, which are added before this one begins. */
typedef void (*CulpritRecordingEvent) (CulpritMessage *message, gpointer data);

/* Records. If @cancellable is cancelled, it stops cleanly within half a minute and keeps what was recorded. FALSE with
 * an error if it could not begin or was aborted; what came before is in the study. @result must be cleared either
 * way. */
gboolean culprit_record (const CulpritTarget *target,
                         const CulpritRecordingOptions *options,
                         GCancellable *cancellable,
                         CulpritRecordingEvent event,
                         gpointer data,
                         CulpritRecordingResult *result,
                         GError **error);
void culprit_recording_result_clear (CulpritRecordingResult *result);
