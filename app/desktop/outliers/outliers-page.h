/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page where late wake-ups are triaged: the verdict, the list, and what is known of the one that is chosen. */
#pragma once

#include "page.h"

GtkWidget *outliers_page_new (CulpritDocument *document);

/* Shows the "budget", the "tree" or the "timeline" of the chosen capture. */
void outliers_page_show (GtkWidget *page, const char *view);

/* Whether those of one culprit stand together. */
void outliers_page_group (GtkWidget *page, gboolean by_culprit);

/* Which times the details show. */
void outliers_page_set_times (GtkWidget *page, CulpritTimes times);

/* Gives the selected captures a state, or a note. */
void outliers_page_triage (GtkWidget *page, const char *state);
void outliers_page_note (GtkWidget *page, const char *note);
