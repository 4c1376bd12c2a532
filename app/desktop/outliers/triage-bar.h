/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State and note of the selected captures, and buttons beside them. */
#pragma once

#include "page.h"

#define CULPRIT_TYPE_TRIAGE_BAR (culprit_triage_bar_get_type ())
G_DECLARE_FINAL_TYPE (CulpritTriageBar, culprit_triage_bar, CULPRIT, TRIAGE_BAR, CulpritDocumentView)

/* Makes the fields refer to @rows (of CulpritRow), until another capture is chosen. */
void culprit_triage_bar_set_rows (CulpritTriageBar *bar, const GPtrArray *rows);

/* Adds @widget at the end. */
void culprit_triage_bar_append (CulpritTriageBar *bar, GtkWidget *widget);
