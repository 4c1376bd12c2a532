/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds places that are struck too often for blind stalls: there, a function took too long. */
#pragma once

#include "population.h"
#include "strikes-private.h"

#define STALL_HALF 0.5 /* the share of excess that stretches have in candidates, and of captures that must agree */
#define STALL_SIGNIFICANT 0.05 /* p below which a place is struck too often to be chance */

/* The input of the test: the candidates, and those of them that no guilty place explains so far, each by the index of
 * its case. */
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

/* Finds the guilty and the undecided places, and removes the candidates that they explain. Sets for each suspect
 * whether it is abnormal mostly by single stretches. */
void guilt_find (const StallTest *test);

/* The number of places struck in the cases of @in. */
guint guilt_count_places (const StallTest *test, const StrikeSet *in);

/* How many of the remaining candidates have half of their excess in one stretch at @suspect. */
guint guilt_count_carried (const StallTest *test, guint suspect);

/* The probability that blind stalls strike @suspect in as many cases of @in as observed, if they strike in proportion
 * to time. */
double guilt_chance (const StallTest *test, const StrikeSet *in, guint suspect);

/* That probability corrected for all places: each may be wrong in proportion to its share of time. */
double guilt_chance_of_any (const StallTest *test, const StrikeSet *in, guint suspect);
