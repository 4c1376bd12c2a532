/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A conversation with a recorder, by the protocol in app/recorder/PROTOCOL.md. Its functions block, for a time that has
 * an end: a target that breaks the protocol, or is silent for too long, is cut off with an error. */
#pragma once

#include "message.h"
#include "target.h"

typedef struct _CulpritSession CulpritSession;

/* Starts a recorder on @target, hears its greeting, and asks it to do @what ("record", "examine") as @request says,
 * which is completed for that. NULL with an error that says how to mend it. When @cancellable (which may be NULL) is
 * cancelled before the greeting, that is a G_IO_ERROR_CANCELLED; later it asks the recorder to end, which then has half
 * a minute. */
CulpritSession *culprit_session_start (
    const CulpritTarget *target, const char *what, JsonObject *request, GCancellable *cancellable, GError **error);

/* The recorder's next message. NULL without an error after its last, of type "end"; with an error where it said so,
 * where it broke off, or where it was cut off. The caller owns it. */
CulpritMessage *culprit_session_read (CulpritSession *session, GError **error);

/* Asks the recorder to end; go on reading. */
void culprit_session_stop (CulpritSession *session);

/* Ends the conversation, and the recorder with it. */
void culprit_session_free (CulpritSession *session);

/* What a recorder on @target finds there: its message of type "facts". NULL with an error. */
CulpritMessage *culprit_session_examine (const CulpritTarget *target, GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritSession, culprit_session_free)
