/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparisons as a table: one row for each run compared with the baseline. */
#pragma once

#include "latency/comparison/comparison.h"
#include "tables/table.h"

/* The answer of a test in a table of culprit_comparisons as it is shown: "yes", "different", "undecided". */
const char *culprit_answer_text (const char *answer);

/* Adds to a table of culprit_comparisons a row for @run with @summary, compared with @base. @comparison: NULL for the
 * base's own row. @same_shape: the name of the verdict, or another text. */
void culprit_comparison_table_add (CulpritTable *table,
                                   const char *base,
                                   const char *run,
                                   const CulpritSummary *summary,
                                   const CulpritComparison *comparison,
                                   const char *same_shape);
