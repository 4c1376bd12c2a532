/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording: asks a recorder for runs, stores them in a study while they go on, fetches the captures of the hits and
 * imports each as it comes. Blocks. */
#pragma once

#include "message.h"
#include "target.h"

typedef struct
{
  const char *study;   /* its file; made if there is none */
  const char *name;    /* of the run, made unique in the study; NULL: "run" */
  JsonObject *request; /* see app/recorder/PROTOCOL.md; "culprit" and "do" are added */
} CulpritRecordingOptions;

/* What came of it. */
typedef struct
{
  char *name;     /* as it is in the study */
  guint runs;     /* that were measured, not all of them to their end */
  guint captures; /* of it that are in the study */
  char *reason;   /* why it ended, as the recorder says; NULL: it broke off */
} CulpritRecordingResult;

/* Called for each message of the recorder but those of type "data", and with one of type "imported" for each capture
 * that came into the study: also those that a recording left which was killed, before this one begins. */
typedef void (*CulpritRecordingEvent) (CulpritMessage *message, gpointer data);

/* Records. When @cancellable is cancelled it ends in order with what there is, within half a minute. FALSE with an
 * error where it could not begin or broke off; what came before is in the study. @result is to be cleared either way.
 */
gboolean culprit_record (const CulpritTarget *target,
                         const CulpritRecordingOptions *options,
                         GCancellable *cancellable,
                         CulpritRecordingEvent event,
                         gpointer data,
                         CulpritRecordingResult *result,
                         GError **error);

void culprit_recording_result_clear (CulpritRecordingResult *result);
