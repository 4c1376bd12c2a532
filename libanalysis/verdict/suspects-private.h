/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the excess of the late wake-ups of a population is more than chance: how unusual it is, and how many captures
 * agree. */
#pragma once

#include "base-private.h"
#include "population.h"

/* Makes suspects of all parts and holders of @cases (of CulpritCase *, of one population), sets the p of parts and
 * holders, and the confidence of suspects. @base: the ordinary wake-ups of the population. */
void suspects_find (CulpritPopulation *population, GPtrArray *cases, const Base *base);

static inline CulpritSuspect *
suspect_at (const CulpritPopulation *population, guint index)
{
  return &g_array_index (population->suspects, CulpritSuspect, index);
}

/* Whether its confidence is high enough to claim it. */
static inline gboolean
suspect_is_sure (const CulpritSuspect *suspect)
{
  return suspect->confidence >= CULPRIT_SURE && (!suspect->by_stalls || suspect->guilty);
}
