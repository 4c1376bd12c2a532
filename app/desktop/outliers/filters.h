/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filters of the table of late wake-ups. */
#pragma once

#include "tables/rows.h"
#include "verdict/verdict.h"

#include <gtk/gtk.h>

/* Fills @choice; @rows, late wake-ups, may be NULL. What is chosen stays. */
void class_choice_fill (GtkDropDown *choice, CulpritRows *rows);

/* The name of the chosen class; NULL: any. */
const char *class_choice_chosen (GtkDropDown *choice);

/* The choice of the triage state of late wake-ups that are listed: any, all but ignored ones, or one state. */

/* Fills @choice; any state is chosen. */
void state_choice_fill (GtkDropDown *choice);

/* Whether @row, a late wake-up, is in a state that is chosen. */
gboolean state_choice_shows (GtkDropDown *choice, CulpritRow *row);

/* The captures that alone are shown: those of a cause, or those of somebody else, such as a host. */

typedef struct
{
  char *cause;      /* its id; empty: not those of a cause */
  char *whose;      /* the name of the cause or of somebody else; NULL: all are shown */
  GArray *captures; /* of gint64, ascending; NULL likewise */
} OnlyCaptures;

void only_init (OnlyCaptures *only);
void only_clear (OnlyCaptures *only);

/* Those that the cause @id explains, as of culprit_verdict_find(); all if it is empty, or @verdict (may be NULL) does
 * not know it. */
void only_of_cause (OnlyCaptures *only, const char *id, const CulpritVerdict *verdict);

/* Those that the same cause explains in another verdict. */
void only_update (OnlyCaptures *only, const CulpritVerdict *verdict);

/* @captures, which are @whose. */
void only_of (OnlyCaptures *only, const GArray *captures, const char *whose);
gboolean only_has (const OnlyCaptures *only, gint64 capture);
