/* SPDX-License-Identifier: GPL-3.0-or-later */
/* States and notes of captures: changes are stored one after the other, and can be taken back. */
#pragma once

#include "document.h"
#include "study/triage.h"

typedef struct _CulpritTriageLog CulpritTriageLog;

/* Called when a change was stored, with states and notes as they are now (of CulpritTriage); or could not be. */
typedef void (*TriageStored) (GObject *owner, const GArray *stored, const GError *error);

CulpritTriageLog *triage_log_new (CulpritDocument *document, TriageStored stored);

/* Whether the capture of @row is left out of verdict, functions and report. */
gboolean triage_ignores (CulpritRow *row);

/* The rows of @rows (of CulpritRow) that @state and @note, either of which may be NULL, would change, as they will be.
 * An array of CulpritTriage that the caller owns. */
GArray *triage_changes (const GPtrArray *rows, const char *state, const char *note);

/* Stores @changes, of CulpritTriage. */
void triage_log_apply (CulpritTriageLog *log, GArray *changes);

/* FALSE where there is nothing to take back, or to make again. */
gboolean triage_log_undo (CulpritTriageLog *log);
gboolean triage_log_redo (CulpritTriageLog *log);

void triage_log_free (CulpritTriageLog *log);
