/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The confidence interval of the difference of two quantiles, by resampling both profiles. Seeded: the same profiles
 * give the same interval. */
#pragma once

#include "latency/profile.h"

typedef struct
{
  double p;
  double base_ns;       /* the base's quantile, by type 7 */
  double difference_ns; /* the other's quantile minus the base's */
  double low_ns;        /* interval at the level; NaN if not known, as is p_value */
  double high_ns;
  double p_value; /* probability of such a difference by chance */
} CulpritShift;

/* The latencies of both must be independent of each other, and the quantile estimable in both. */
CulpritShift culprit_quantile_shift (const CulpritProfile *base, const CulpritProfile *other, double p, double level);
