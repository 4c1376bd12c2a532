/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ticks of the clock that latencies were measured with. A clock of 19.2 MHz ticks every 52.083 ns: stored in whole
 * ns, its latencies lie 52 or 53 ns apart, and bins that are not whole numbers of ticks hold now one tick and now two.
 */
#pragma once

#include "profile.h"

typedef struct
{
  double step_ns;   /* from tick to tick; the width of the profile's bins where no coarser clock shows */
  double origin_ns; /* the middle of the latencies of tick 0 */
  double reach_ns;  /* how far latencies are from the middle of their tick */
} CulpritLattice;

/* @profile must not be empty. */
CulpritLattice culprit_lattice_find (const CulpritProfile *profile);

/* The tick that @latency_ns belongs to. */
gint64 culprit_lattice_tick (const CulpritLattice *lattice, gint64 latency_ns);

/* The least latency, in whole ns, that belongs to @tick. */
gint64 culprit_lattice_from (const CulpritLattice *lattice, gint64 tick);
