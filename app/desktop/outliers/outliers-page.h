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

/* Gives the selected captures a state, or a note. */
void outliers_page_triage (OutliersPage *page, const char *state);
void outliers_page_note (OutliersPage *page, const char *note);
