/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How sure the difference of two quantiles is, by resampling both profiles. Seeded: the same profiles give the same
 * interval. */
#pragma once

#include "profile.h"

typedef struct
{
  double p;
  double base_ns;       /* the base's quantile, by type 7 */
  double difference_ns; /* the other's quantile less the base's */
  double low_ns;        /* interval at the level, as p_value NaN where it is not known */
  double high_ns;
  double p_value; /* how probable such a difference is by chance */
} CulpritShift;

/* The latencies of both must be independent of each other, and the quantile estimable in both. */
CulpritShift culprit_quantile_shift (const CulpritProfile *base, const CulpritProfile *other, double p, double level);
