/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filters of the table of late wake-ups. */
#pragma once

#include "tables/rows.h"
#include "verdict/verdict.h"

#include <gtk/gtk.h>

/* Fills @choice with the classes of @rows, late wake-ups, which may be NULL. The chosen class stays chosen. */
void class_choice_fill (GtkDropDown *choice, CulpritRows *rows);

/* The name of the chosen class; NULL: any. */
const char *class_choice_chosen (GtkDropDown *choice);

/* The choice of the states of late wake-ups: any, all but ignored, or one state. */

/* Fills @choice, and chooses any state. */
void state_choice_fill (GtkDropDown *choice);

/* Whether the state of @row, a late wake-up, is chosen. */
gboolean state_choice_shows (GtkDropDown *choice, CulpritRow *row);

/* The only captures to show: those of a cause, or of something else that has a name, such as a host. */

typedef struct
{
  char *cause;      /* its id; empty: not the captures of a cause */
  char *name;       /* the name of the cause or host; NULL: all are shown */
  GArray *captures; /* of gint64, ascending; NULL: all */
} CaptureFilter;

void capture_filter_init (CaptureFilter *filter);
void capture_filter_clear (CaptureFilter *filter);

/* Chooses those that the cause @id, as of culprit_verdict_find(), explains; all if it is empty or @verdict, which may
 * be NULL, does not have it. */
void capture_filter_set_cause (CaptureFilter *filter, const char *id, const CulpritVerdict *verdict);

/* Chooses those that the same cause explains in another verdict. */
void capture_filter_update (CaptureFilter *filter, const CulpritVerdict *verdict);

/* Chooses @captures, of the host or the like @name; NULL: all. */
void capture_filter_set (CaptureFilter *filter, const GArray *captures, const char *name);
gboolean capture_filter_passes (const CaptureFilter *filter, gint64 capture);
