/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How sure the difference of two quantiles is, by resampling both profiles. Seeded: the same profiles give the same
 * interval. */
#pragma once

#include "profile.h"

typedef struct
{
  double p;
  double difference_ns; /* the other's quantile less the base's, by type 7 */
  double low_ns;        /* interval at the level */
  double high_ns;
} CulpritShift;

CulpritShift culprit_quantile_shift (const CulpritProfile *base, const CulpritProfile *other, double p, double level);
