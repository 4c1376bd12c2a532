/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much more an outlier spent than ordinary wake-ups, function by function. */
#pragma once

#include "case.h"

/* How far above the median of ordinary wake-ups one must be to stand out, in median absolute deviations scaled to a
 * standard deviation. Without this, the slowest of identical wake-ups gets blamed in 37 % of cases; with it, in 0.5
 * %. */
#define CULPRIT_GATE 5

#define CULPRIT_GATE_ORDINARY 3 /* With fewer ordinary wake-ups, nothing can stand out. */

/* Fills in excess_ns, count_ns and cost_ns of @part. */
void culprit_part_explain (CulpritPart *part);

/* The share of the excess of @part that is due to more calls, compared with what it does when it ordinarily runs: more
 * calls than then, or longer ones? A single call is never too many. 0 to 1. @excess_ns: that of the whole case. */
double culprit_part_by_count (const CulpritPart *part, double excess_ns);

/* Computes the excess of @one and of all its parts, and whether it stands out. */
void culprit_case_explain (CulpritCase *one);
