/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which parts of which captures were struck by abnormal stretches, and how probable that is where these are blind. */
#pragma once

#include "population.h"

typedef struct _Strikes Strikes;

/* Of @cases (of CulpritCase *, all of @population), by their place below; gives the suspects their share of time. */
Strikes *strikes_new (GPtrArray *cases, CulpritPopulation *population);

void strikes_free (Strikes *strikes);

/* The suspects (guint) at which the case at @place was struck. */
const GArray *strikes_of (const Strikes *strikes, guint place);

/* Whether the case at @place was struck at @suspect. */
gboolean strikes_hit (const Strikes *strikes, guint place, guint suspect);

/* How many of the cases @in (by their place) were struck at @suspect. */
guint strikes_count (const Strikes *strikes, const gboolean *in, guint suspect);

/* The probability that blind stalls strike @suspect in as many of the cases @in as were struck there, were @share its
 * part of what they strike. */
double strikes_probability (const Strikes *strikes, const gboolean *in, guint suspect, double share);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Strikes, strikes_free)
