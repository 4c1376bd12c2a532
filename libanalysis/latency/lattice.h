/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ticks of the clock that latencies were measured with. A clock of 19.2 MHz ticks every 52.083 ns: stored in whole
 * ns, its latencies are 52 or 53 ns apart, and bins that are not whole numbers of ticks contain sometimes one tick and
 * sometimes two. */
#pragma once

#include "profile.h"

typedef struct
{
  double step_ns;   /* from tick to tick; the width of the profile's bins if no coarser clock shows */
  double origin_ns; /* the middle of the latencies of tick 0 */
  double reach_ns;  /* the largest distance of a latency from the middle of its tick */
} CulpritLattice;

/* @profile must not be empty. */
CulpritLattice culprit_lattice_find (const CulpritProfile *profile);

/* The tick of @latency_ns. */
gint64 culprit_lattice_tick (const CulpritLattice *lattice, gint64 latency_ns);

/* The smallest latency, in whole ns, of @tick. */
gint64 culprit_lattice_from (const CulpritLattice *lattice, gint64 tick);
