/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page to triage late wake-ups: the verdict, the list, and the details of the selected one. */
#pragma once

#include "page.h"

#define OUTLIERS_TYPE_PAGE (outliers_page_get_type ())

G_DECLARE_FINAL_TYPE (OutliersPage, outliers_page, OUTLIERS, PAGE, CulpritPage)

/* Shows the "budget", the "tree" or the "timeline" of the chosen capture, the latter with the focus. */
void outliers_page_show (OutliersPage *page, const char *view);

/* The captures of the selected rows (of gint64), or the chosen one if a search hides it. The caller owns the array. */
GArray *outliers_page_selected (OutliersPage *page);

/* Goes to the search of the timeline; FALSE: that is not at full size. */
gboolean outliers_page_search (OutliersPage *page);

/* The GtkExpander that expands and collapses the verdict. */
GtkWidget *outliers_page_verdict (OutliersPage *page);

/* Adds the actions of @page, which must live as long as @map: triage (s) and note (s) give the selected captures a
 * state or a note; cause (s), which is also its state, shows only the captures that a cause explains, or all if they
 * are shown already; typical (s) shows a capture that is typical of a cause, with its timeline; group, with a state
 * (b), groups by culprit. */
void outliers_actions_add (GActionMap *map, OutliersPage *page);
