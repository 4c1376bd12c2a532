/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State and note of the selected captures, and what else can be done with it. */
#pragma once

#include "page.h"

#define CULPRIT_TYPE_TRIAGE_BAR (culprit_triage_bar_get_type ())
G_DECLARE_FINAL_TYPE (CulpritTriageBar, culprit_triage_bar, CULPRIT, TRIAGE_BAR, CulpritDocumentView)

/* Shows and changes the note and state of @rows (of CulpritRow), until another capture is chosen. */
void culprit_triage_bar_mean (CulpritTriageBar *bar, const GPtrArray *rows);

/* Adds @widget at its end. */
void culprit_triage_bar_append (CulpritTriageBar *bar, GtkWidget *widget);
