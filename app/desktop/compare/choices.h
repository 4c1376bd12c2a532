/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of a study can be held against each other: its runs; runs that belong together, taken as one; and captured
 * wake-ups with the tracer's time taken out, to lay over those without tracing. */
#pragma once

#include "document.h"

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

/* The choices that @latencies (of CulpritLatencies) of @runs (as of culprit_query_runs()) give, single ones of several
 * last. Runs without spread cannot be compared. An array of CompareChoice that the caller owns. */
GPtrArray *compare_choices (const GPtrArray *latencies, const CulpritTable *runs);

CompareChoice *compare_choice_copy (const CompareChoice *choice);
void compare_choice_free (CompareChoice *choice);

/* The place of the choice called @name; where there is none, of the base to begin with: what was recorded without
 * tracing, else the first. */
guint compare_choices_base (const GPtrArray *choices, const char *name);

/* Whether the choice at @place is held against that at @base as long as nobody says otherwise. */
gboolean compare_choices_beside (const GPtrArray *choices, guint base, guint place);
