/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What describes a profile in numbers: moments, quantiles with their intervals. Times are nanoseconds. */
#pragma once

#include "profile.h"

typedef struct
{
  guint64 n;
  double min_ns;
  double max_ns;
  double mean_ns;
  double sd_ns;           /* with n - 1; NaN for one sample */
  double skewness;        /* g1; NaN where all are equal */
  double excess_kurtosis; /* g2; likewise */
  double mode_ns;         /* the most frequent latency, the smallest of equals */
  guint64 mode_count;
  double median_ns;
  double mad_ns; /* median absolute deviation from the median, not scaled */
} CulpritMoments;

/* What the tool itself told goes before what its bins say; of a coarse histogram, least and greatest are where its bins
 * begin and end. @profile must not be empty, here and below. */
CulpritMoments culprit_moments (const CulpritProfile *profile);

/* Wake-ups that came late for a period: half of it or more, or the deadline if there is one; and those that missed
 * their period altogether. */
typedef struct
{
  gint64 deadline_ns;
  gint64 period_ns;
  guint64 late;
  guint64 missed;
} CulpritLateness;

/* @deadline_ns: 0 where it is half of the period. */
CulpritLateness culprit_lateness (const CulpritProfile *profile, gint64 period_ns, gint64 deadline_ns);

/* The quantile @p (0 to 1) by R's type 7: linear between the two nearest ranks. */
double culprit_quantile_type7 (const CulpritProfile *profile, double p);

/* The quantile @p_millionths / 1e6 as the tool told it; else by type 7, but not beyond the least and the greatest
 * latency that it told. */
double culprit_quantile_known (const CulpritProfile *profile, guint p_millionths);

/* The quantile @p_millionths / 1e6 by nearest rank: the smallest latency that at least such a part of the samples does
 * not exceed. In integers: 99.99 per cent as a binary fraction picks the wrong sample. */
double culprit_quantile_nearest (const CulpritProfile *profile, guint p_millionths);

/* The same by stress-ng's rule: the sample of rank n p, rounded down, counted from 0; what it told itself goes before.
 */
double culprit_quantile_stress_ng (const CulpritProfile *profile, guint p_millionths);

/* The interval of the quantile @p at @level (as .95), by order statistics: it holds whatever the distribution. A
 * side that so few samples do not allow is NaN: not estimable. Returns whether both are known. */
gboolean culprit_quantile_interval (
    const CulpritProfile *profile, double p, double level, double *low_ns, double *high_ns);

/* The interval at @level of a part of which @k of @n samples were seen, by Clopper and Pearson. */
void culprit_part_interval (guint64 k, guint64 n, double level, double *low, double *high);
