/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State and note of the selected capture, and what else can be done with it. */
#pragma once

#include "document-view.h"

#define CULPRIT_TYPE_TRIAGE_BAR (culprit_triage_bar_get_type ())
G_DECLARE_FINAL_TYPE (CulpritTriageBar, culprit_triage_bar, CULPRIT, TRIAGE_BAR, CulpritDocumentView)

/* Adds @widget at its end. */
void culprit_triage_bar_append (CulpritTriageBar *bar, GtkWidget *widget);
