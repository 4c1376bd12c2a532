/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The latencies at chosen ranks with their probabilities: the points of quantile and probability plots. */
#pragma once

#include "profile.h"

typedef struct
{
  double below; /* Filliben's median of the rank: the share of all latencies expected below */
  double above; /* expected above: 1 - below, exact even where that rounds to 1 */
  double ns;
} CulpritRankPoint;

/* Filliben's median of the order statistic of rank @rank (from 1, may be fractional) of @n. */
double culprit_rank_median (double rank, double n);

/* Every rank of @profile, which must not be empty; or, if there are more than @most, that many ranks in equal steps of
 * the logit, so that both ends are dense. An array of CulpritRankPoint that the caller owns. */
GArray *culprit_rank_points (const CulpritProfile *profile, guint most);
