/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The widget that chooses the baseline and the runs to compare with it. It emits "changed" when either changes. */
#pragma once

#include "document.h"

#include <adwaita.h>

/* What can be compared: runs; runs that belong together, as one; and captured wake-ups minus the tracer's time, with
 * runs without tracing. */

typedef enum
{
  COMPARE_RUN,      /* a run */
  COMPARE_RUNS,     /* several runs, added up */
  COMPARE_MEMBER,   /* a run that can also be chosen as one of several */
  COMPARE_CAPTURED, /* the captured wake-ups of runs, without the tracer's time */
} CompareKind;

typedef struct
{
  CompareKind kind;
  char *label;       /* the name of the run or of the arm */
  char *name;        /* in sentences: "off", "on without the tracer" */
  char *title;       /* in the list of choices: "off (6 runs)" */
  gboolean untraced; /* recorded without tracing, or called so */
  gboolean traced;   /* likewise with tracing */
  char *system;      /* equal for what was recorded with and without tracing to be compared; "": unknown */
  char *run;         /* the run, or the first of them */
} CompareChoice;

#define CULPRIT_TYPE_COMPARE_SIDES (culprit_compare_sides_get_type ())

G_DECLARE_FINAL_TYPE (CulpritCompareSides, culprit_compare_sides, CULPRIT, COMPARE_SIDES, AdwBin)

/* Offers what @document has read. What was chosen stays chosen if it still exists. */
void culprit_compare_sides_fill (CulpritCompareSides *sides, CulpritDocument *document);

/* The number of choices. */
guint culprit_compare_sides_offered (CulpritCompareSides *sides);

/* What is chosen (CompareChoice), the base first. The caller owns the array. */
GPtrArray *culprit_compare_sides_chosen (CulpritCompareSides *sides);
