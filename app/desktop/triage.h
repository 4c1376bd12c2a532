/* SPDX-License-Identifier: GPL-3.0-or-later */
/* States and notes of captures: changes are stored one after the other and can be undone. */
#pragma once

#include "document.h"

/* Attaches @triage, of CulpritTriage for each of @rows, which it takes: only these captures are changed. */
void triage_attach (CulpritRows *rows, GArray *triage);

/* The identity of the capture of @row, as in CulpritTriage, which belongs to it; NULL: it is not shown any more. */
const char *triage_identity (CulpritRow *row);

/* Whether the capture of @row is left out of verdict, functions and report. */
gboolean triage_ignores (CulpritRow *row);

/* The captures of @rows (of CulpritRow), of CulpritTriage without states and notes. The caller owns the array. */
GArray *triage_captures (const GPtrArray *rows);

/* Gives captures, as of triage_captures(), another state or note; NULL leaves it as it is. It fails, and is told, where
 * the study has others of their numbers by then. */
void triage_set_captures (CulpritDocument *document, const GArray *captures, const char *state, const char *note);

/* Gives the captures of @rows (of CulpritRow) another state or note; NULL leaves it as it is. */
void triage_set (CulpritDocument *document, const GPtrArray *rows, const char *state, const char *note);

/* Undoes the last change of states and notes, or redoes the one undone last, if there is one. */
void triage_undo (CulpritDocument *document);
void triage_redo (CulpritDocument *document);
