/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much more an outlier spent than ordinary wake-ups, function by function. */
#pragma once

#include "case.h"

/* How far above the median of ordinary wake-ups one must be to stand out: so many median absolute deviations, scaled to
 * a standard deviation. Without this the slowest of equal ones gets blamed in 37 % of the cases, with it in 0.5 %. */
#define CULPRIT_GATE 5

#define CULPRIT_GATE_ORDINARY 3 /* With fewer ordinary wake-ups nothing can be said to stand out. */

/* Fills in excess_ns, count_ns and cost_ns of @part. */
void culprit_part_explain (CulpritPart *part);

/* What part of the excess of @part is by more calls, held against what it does when it ordinarily runs: more calls than
 * then, or longer ones? One call is never too many. 0 to 1. @excess_ns: that of the whole case. */
double culprit_part_by_count (const CulpritPart *part, double excess_ns);

/* Fills in the excess of @one and of all that is in it, and whether it stands out. */
void culprit_case_explain (CulpritCase *one);
