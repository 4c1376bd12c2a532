/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The choice of the triage state of late wake-ups that are listed: any, all but ignored ones, or one state. */
#pragma once

#include "tables/rows.h"

#include <gtk/gtk.h>

/* Fills @choice; any state is chosen. */
void state_choice_fill (GtkDropDown *choice);

/* Whether @row, a late wake-up, is in a state that is chosen. */
gboolean state_choice_shows (GtkDropDown *choice, CulpritRow *row);
