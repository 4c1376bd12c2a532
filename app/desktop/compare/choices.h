/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of a study can be held against each other: its runs, and runs that belong together, taken as one. */
#pragma once

#include "document.h"

typedef struct
{
  char *label; /* a run's name; of several what they are called but for the number behind it */
  char *title; /* "off", "off (6 runs)" */
  guint runs;
  gboolean member;   /* one of several that can also be chosen together */
  gboolean untraced; /* recorded without tracing, or called so */
} CompareChoice;

/* The choices that @latencies (of CulpritLatencies) of @runs (as of culprit_query_runs()) give, those first that are no
 * part of another. Runs without spread cannot be compared. An array of CompareChoice that the caller owns. */
GPtrArray *compare_choices (const GPtrArray *latencies, const CulpritTable *runs);

CompareChoice *compare_choice_copy (const CompareChoice *choice);
void compare_choice_free (CompareChoice *choice);

/* The place of the choice called @title; where there is none, of the base to begin with: what was recorded without
 * tracing, else the first. */
guint compare_choices_base (const GPtrArray *choices, const char *title);

/* Whether the choice at @place is held against that at @base as long as nobody says otherwise. */
gboolean compare_choices_beside (const GPtrArray *choices, guint base, guint place);
