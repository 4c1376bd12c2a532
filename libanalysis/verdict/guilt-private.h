/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which places are struck too often for blind stalls: there a function took too long. */
#pragma once

#include "population.h"
#include "strikes-private.h"

#define STALL_HALF 0.5         /* of an excess that stretches have in candidates, and of captures that tell the same */
#define STALL_SIGNIFICANT 0.05 /* p below which a place is struck too often for chance */

/* What is tested: the candidates, and those of them that no guilty place explains, each by the index of its case. */
typedef struct
{
  Strikes *strikes;
  GPtrArray *cases; /* of CulpritCase */
  CulpritPopulation *population;
  StrikeSet *candidates;
  StrikeSet *left;
} StallTest;

static inline CulpritCase *
stall_case_at (const StallTest *test, guint index)
{
  return g_ptr_array_index (test->cases, index);
}

/* Finds the guilty places, and those that leave it undecided; what these explain is left no more. Tells of each suspect
 * whether it is abnormal mostly where a stretch is. */
void guilt_find (const StallTest *test);

/* The number of places at which those @in were struck. */
guint guilt_count_places (const StallTest *test, const StrikeSet *in);

/* How many of those that are left have half of their excess in one stretch at @suspect. */
guint guilt_count_carried (const StallTest *test, guint suspect);

/* The probability that blind stalls strike @suspect in as many of those @in as they did, if they strike by time alone.
 */
double guilt_chance (const StallTest *test, const StrikeSet *in, guint suspect);

/* That probability, over all places: each may be wrong as often as it has a share of time. */
double guilt_chance_of_any (const StallTest *test, const StrikeSet *in, guint suspect);
