/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page to triage late wake-ups: the verdict, the list, and the details of the selected one. */
#pragma once

#include "page.h"

#define OUTLIERS_TYPE_PAGE (outliers_page_get_type ())
G_DECLARE_FINAL_TYPE (OutliersPage, outliers_page, OUTLIERS, PAGE, CulpritPage)

/* Shows the "budget", the "tree" or the "timeline" of the chosen capture. */
void outliers_page_show (OutliersPage *page, const char *view);

/* Whether those of one culprit stand together. */
void outliers_page_group (OutliersPage *page, gboolean by_culprit);

/* Shows only the captures that the cause @id explains, as of culprit_verdict_find(); an empty one shows all. The
 * property "cause" is the one that is shown. */
void outliers_page_show_cause (OutliersPage *page, const char *id);

/* Shows only @captures (of gint64, in ascending order), which are @whose; until another choice or all are shown. */
void outliers_page_show_captures (OutliersPage *page, const GArray *captures, const char *whose);

/* By which the verdict is opened and closed: a GtkExpander. */
GtkWidget *outliers_page_verdict (OutliersPage *page);

/* Gives the selected captures a state, or a note. */
void outliers_page_triage (OutliersPage *page, const char *state);
void outliers_page_note (OutliersPage *page, const char *note);
