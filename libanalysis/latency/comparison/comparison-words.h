/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The short answer to a comparison: what changed, that there is no sign of it, or, with too few runs to test that, how
 * the latencies themselves differ. */
#pragma once

#include "comparison.h"
#include "shape.h"

/* What is asked of two runs, or of two groups of runs. */
typedef enum
{
  CULPRIT_ASKED_DIFFERENCE, /* whether they differ */
  CULPRIT_ASKED_TRACING, /* whether the system is the same with and without tracing, apart from a shift and a scale */
} CulpritAsked;

/* Replaces a verdict where none is possible. */
#define CULPRIT_UNDECIDED "undecided"

/* Whether more runs of each, in turn, would give an answer. */
gboolean culprit_answer_needs_runs (const CulpritComparison *comparison);

/* "Tracing changed the system.", "No sign that on differs from off.", "on against off: 286.4 us more at the median;
 * every quantile is larger; they do not overlap." @shape may be NULL: shapes are not compared. Says of
 * which side latencies are missing. The caller owns it. */
char *culprit_answer (const CulpritComparison *comparison,
                      const CulpritShape *shape,
                      CulpritAsked asked,
                      const char *base,
                      const char *other);
