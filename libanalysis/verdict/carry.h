/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What carries one late wake-up: a function, or a node of the tree of calls. No inference, only sums. */
#pragma once

#include "evidence.h"

/* Judges the case at @index: finds its carrier among its candidates, and its class. What several cases show together,
 * as blind stalls, comes later. */
void culprit_carry (const CulpritEvidence *evidence, guint index);

/* Gives @one the class of a blind stall of @culprit. */
void culprit_carry_stalled (CulpritCase *one, const char *culprit);

/* Says of @one, which passed in user mode before its timer rang, that nobody there is to blame. */
void culprit_carry_acquit (CulpritCase *one);

/* Why @one cannot be said to be of @class: its capture does not show what that depends on. NULL: it can. */
const char *culprit_carry_hidden (const CulpritCase *one, CulpritClass class);

/* The class of something of whose excess the share @count_share is due to more calls. */
CulpritClass culprit_class_of_count_share (double count_share);

/* Its part of the ordinary time of its population, each capture counting alike, without the few wake-ups in which it
 * takes longest: those may be of the same cause. So often does it meet what strikes at any time. */
double culprit_carrier_share (const CulpritPopulation *population, const CulpritCarrier *carrier);

static inline double
culprit_carrier_excess (const CulpritCarrier *carrier)
{
  return carrier->ns - carrier->base_ns;
}
