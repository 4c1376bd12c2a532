/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session with a recorder, by the protocol in app/recorder/PROTOCOL.md. Its functions block, but for a limited time:
 * a target that breaks the protocol, or is silent for too long, is disconnected with an error. */
#pragma once

#include "message.h"
#include "target.h"

typedef struct _CulpritSession CulpritSession;

/* Starts a recorder on @target, reads its greeting, and asks it to do @what, a request of PROTOCOL.md such as "record",
 * which is added to
 * @request. NULL with an error that says what to do. If @cancellable (which may be NULL) is cancelled before the
 * greeting, the error is G_IO_ERROR_CANCELLED; later, the recorder is told to stop, and has half a minute to do so. */
CulpritSession *culprit_session_start (
    const CulpritTarget *target, const char *what, JsonObject *request, GCancellable *cancellable, GError **error);

/* The recorder's next message. NULL without an error after the last one, of type "end"; with an error if it sent one,
 * ended too early or was disconnected. The caller owns it. */
CulpritMessage *culprit_session_read (CulpritSession *session, GError **error);

/* Tells the recorder to stop; go on reading. */
void culprit_session_stop (CulpritSession *session);

/* Ends the session, and the recorder with it. */
void culprit_session_free (CulpritSession *session);

/* The facts of @target: the recorder's message of type "facts". NULL with an error. */
CulpritMessage *culprit_session_examine (const CulpritTarget *target, GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritSession, culprit_session_free)
