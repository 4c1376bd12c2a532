/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The widget to choose the baseline and the runs compared with it. It emits "changed" when either changes. */
#pragma once

#include "document.h"

#include <gtk/gtk.h>

/* What of a study can be held against each other: its runs; runs that belong together, taken as one; and captured
 * wake-ups with the tracer's time taken out, to lay over those without tracing. */

typedef enum
{
  COMPARE_RUN,      /* a run */
  COMPARE_RUNS,     /* several, added up */
  COMPARE_MEMBER,   /* a run that is one of several which can be chosen together */
  COMPARE_CAPTURED, /* the captured wake-ups of runs, without the tracer's time */
} CompareKind;

typedef struct
{
  CompareKind kind;
  char *label;       /* a run's name; of several that of their arm */
  char *name;        /* as it is told: "off", "on without the tracer" */
  char *title;       /* to choose by: "off (6 runs)" */
  gboolean untraced; /* recorded without tracing, or called so */
  gboolean traced;   /* likewise with tracing */
  char *system;      /* the same for what was recorded with and without tracing to be compared; "": not known */
  char *run;         /* the run, or the first of them */
} CompareChoice;

#define CULPRIT_TYPE_COMPARE_SIDES (culprit_compare_sides_get_type ())

G_DECLARE_FINAL_TYPE (CulpritCompareSides, culprit_compare_sides, CULPRIT, COMPARE_SIDES, GtkWidget)

/* Offers what @document has read. What was chosen stays chosen where it is still there. */
void culprit_compare_sides_fill (CulpritCompareSides *sides, CulpritDocument *document);

/* How many there are to choose from. */
guint culprit_compare_sides_offered (CulpritCompareSides *sides);

/* What is chosen, of CompareChoice, the base first. The caller owns the array. */
GPtrArray *culprit_compare_sides_chosen (CulpritCompareSides *sides);
