/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far two profiles are apart, in their means, their ranks, their shape. Differences are the other less the base, in
 * ns. */
#pragma once

#include "profile.h"

/* Two means: Welch's test; at equal n its t is that of the pooled one. */
typedef struct
{
  double difference_ns;
  double overhead_percent; /* NaN where the base's mean is not above 0 */
  double t;
  double df;
  double p;
  double low_ns; /* interval of the difference at the level */
  double high_ns;
} CulpritMeans;

CulpritMeans culprit_compare_means (const CulpritSummary *base, const CulpritSummary *other, double level);

typedef struct
{
  double u;              /* Mann-Whitney: pairs in which the base's sample is greater, ties half */
  double ties;           /* the sum of t^3 - t over all latencies that occur t times */
  double cliffs_delta;   /* how much more often the other's sample is greater than smaller */
  double ks;             /* Kolmogorov-Smirnov: the largest distance of the distribution functions */
  double wasserstein_ns; /* the mean distance of equal ranks */
} CulpritRanks;

/* Neither profile may be empty. */
CulpritRanks culprit_compare_ranks (const CulpritProfile *base, const CulpritProfile *other);
