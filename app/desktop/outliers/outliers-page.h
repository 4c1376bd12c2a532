/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page to triage late wake-ups: the verdict, the list, and the details of the selected one. */
#pragma once

#include "page.h"

#define OUTLIERS_TYPE_PAGE (outliers_page_get_type ())

G_DECLARE_FINAL_TYPE (OutliersPage, outliers_page, OUTLIERS, PAGE, CulpritPage)

/* Shows the "budget", the "tree" or the "timeline" of the chosen capture. */
void outliers_page_show (OutliersPage *page, const char *view);

/* By which the verdict is opened and closed: a GtkExpander. */
GtkWidget *outliers_page_verdict (OutliersPage *page);

/* The actions of the Outliers page, as actions of the window. */

/* Adds to @map what concerns @page, which lives as long:
 * - triage (s): the selected ones get a state;
 * - note (s): they get a note;
 * - cause (s): only the captures that a cause explains are shown, its state; all, where it is so already;
 * - group, with a state (b): those of one culprit stand together. */
void outliers_actions_add (GActionMap *map, OutliersPage *page);
