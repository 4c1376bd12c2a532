/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far apart two profiles are, in their means, their ranks, their shape. Differences are the other minus the base,
 * in ns. */
#pragma once

#include "profile.h"

/* Two means: Welch's test; for equal n, its t is that of the pooled test. */
typedef struct
{
  double difference_ns;
  double overhead_percent; /* NaN if the base's mean is not above 0 */
  double t;
  double df;
  double p;
  double low_ns; /* interval of the difference at the level */
  double high_ns;
} CulpritMeans;

CulpritMeans culprit_compare_means (const CulpritSummary *base, const CulpritSummary *other, double level);

typedef struct
{
  double u;              /* Mann-Whitney: pairs in which the base's sample is greater, ties counted half */
  double ties;           /* the sum of t^3 - t over all latencies that occur t times */
  double cliffs_delta;   /* how much more often the other's sample is larger than smaller */
  double ks;             /* Kolmogorov-Smirnov: the largest distance of the distribution functions */
  double wasserstein_ns; /* the mean distance between equal ranks */
} CulpritRanks;

/* Neither profile may be empty. */
CulpritRanks culprit_compare_ranks (const CulpritProfile *base, const CulpritProfile *other);
