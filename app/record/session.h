/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A conversation with a recorder, by the protocol in app/recorder/PROTOCOL.md. Its functions block; only
 * culprit_session_stop() may be called from another thread. */
#pragma once

#include "target.h"

#include <json-glib/json-glib.h>

typedef struct _CulpritSession CulpritSession;

/* Starts a recorder on @target, hears its greeting, and asks it to do @what ("record", "examine") as @request says,
 * which is completed for that. NULL with an error that says how to mend it. */
CulpritSession *culprit_session_start (const CulpritTarget *target,
                                       const char *what,
                                       JsonObject *request,
                                       GError **error);

/* The recorder's next line. NULL without an error after its last, of type "end"; with an error where it said so, where
 * it broke off, or where it speaks nonsense. The caller owns it. */
JsonObject *culprit_session_read (CulpritSession *session, GError **error);

/* Asks the recorder to end; go on reading. */
void culprit_session_stop (CulpritSession *session);

/* Ends the conversation, and the recorder with it. */
void culprit_session_free (CulpritSession *session);

/* What a recorder on @target finds there: its line of type "facts". NULL with an error. */
JsonObject *culprit_session_examine (const CulpritTarget *target, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritSession, culprit_session_free)
