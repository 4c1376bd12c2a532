/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses ranks and finds their latencies in one pass. */
#include "rank-points.h"

#include <math.h>

double
culprit_rank_median (double rank, double n)
{
  if (rank <= 1)
    return -expm1 (-M_LN2 / n);
  if (rank >= n)
    return exp (-M_LN2 / n);
  return (rank - 0.3175) / (n + 0.365);
}

/* The rank, from 1, of the point @i of @points. */
static guint64
choose_rank (guint64 n, guint i, guint points)
{
  double end = log (n - 0.5) - log (0.5);
  double logit = end * (2.0 * i / (points - 1) - 1);

  if (n <= points)
    return i + 1;
  return CLAMP (0.5 + n / (1 + exp (-logit)) + 0.5, 1, n);
}

GArray *
culprit_rank_points (const CulpritProfile *profile, guint most)
{
  GArray *points = g_array_new (FALSE, FALSE, sizeof (CulpritRankPoint));
  guint wanted = MIN (profile->n, most);
  guint64 n = profile->n;
  guint64 last = 0;
  guint64 before = 0; /* samples before the bin */
  guint index = 0;

  for (guint i = 0; i < wanted; i++)
    {
      guint64 rank = choose_rank (n, i, wanted);
      CulpritRankPoint point = { culprit_rank_median (rank, n), culprit_rank_median (n + 1 - rank, n) };

      if (rank <= last)
        continue;
      while (before + culprit_profile_bin (profile, index)->count < rank)
        before += culprit_profile_bin (profile, index++)->count;
      point.ns = culprit_profile_bin (profile, index)->latency_ns;
      g_array_append_val (points, point);
      last = rank;
    }
  return points;
}
