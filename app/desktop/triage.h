/* SPDX-License-Identifier: GPL-3.0-or-later */
/* States and notes of captures: changes are stored one after the other and can be undone. */
#pragma once

#include "document.h"
#include "study/triage.h"

typedef struct _CulpritTriageLog CulpritTriageLog;

/* The log of @document, which owns it; see culprit_document_triage(). */
CulpritTriageLog *triage_log_new (CulpritDocument *document);
void triage_log_free (CulpritTriageLog *log);

/* Whether the capture of @row is left out of verdict, functions and report. */
gboolean triage_ignores (CulpritRow *row);
