/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which parts of which captures were struck by abnormal stretches, and how probable that is if stalls are blind. */
#pragma once

#include "population.h"

typedef struct _Strikes Strikes;

/* For @cases (of CulpritCase *, all of @population), addressed by index below; also sets the suspects' shares of
 * time. */
Strikes *strikes_new (GPtrArray *cases, CulpritPopulation *population);

void strikes_free (Strikes *strikes);

/* The suspects (guint) at which the case at @index was struck. */
const GArray *strikes_of (const Strikes *strikes, guint index);

/* Whether the case at @index was struck at @suspect. */
gboolean strikes_hit (const Strikes *strikes, guint index, guint suspect);

/* A subset of the cases. */
typedef struct
{
  gboolean *in; /* by the index of the case */
  guint n;      /* their number: valid after counting, as is the next */
  guint *hits;  /* how many of them were struck at each suspect */
  GArray *same; /* of guint: the number of cases with each number of stretches */
} StrikeSet;

StrikeSet *strike_set_new (const Strikes *strikes);

void strike_set_free (StrikeSet *set);

/* Counts the cases that are now in @set. */
void strike_set_count (const Strikes *strikes, StrikeSet *set);

/* The probability that blind stalls strike @suspect in as many cases of @set as observed, if @share of what they strike
 * is there. */
double strikes_probability (const Strikes *strikes, const StrikeSet *set, guint suspect, double share);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Strikes, strikes_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StrikeSet, strike_set_free)
