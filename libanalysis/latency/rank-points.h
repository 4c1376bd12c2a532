/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The latencies at chosen ranks with the probability that belongs to each: the points of quantile and probability
 * plots. */
#pragma once

#include "profile.h"

typedef struct
{
  double below; /* Filliben's median of the rank: the part of all latencies that is to be expected below */
  double above; /* and above: 1 - below, exact also where that rounds to 1 */
  double ns;
} CulpritRankPoint;

/* Filliben's median of the order statistic of rank @rank (from 1, broken ranks between) of @n. */
double culprit_rank_median (double rank, double n);

/* Every rank of @profile, which must not be empty; or, where it has more than @most, as many, dense to both ends: in
 * equal steps of the logit. An array of CulpritRankPoint that the caller owns. */
GArray *culprit_rank_points (const CulpritProfile *profile, guint most);
