/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes a profile in numbers: moments, quantiles with their intervals. Times are nanoseconds. */
#pragma once

#include "profile.h"

typedef struct
{
  guint64 n;
  guint64 beyond; /* as in CulpritProfile */
  double min_ns;
  double max_ns;
  double mean_ns;
  double sd_ns;    /* with n - 1; NaN for one sample */
  double skewness; /* g1; NaN if all are equal */
  double kurtosis; /* g2, the excess over that of a normal distribution; likewise */
  double mode_ns;  /* the most frequent latency, the smallest if several are */
  guint64 mode_count;
  double median_ns;
  double mad_ns; /* median absolute deviation from the median, not scaled */
} CulpritMoments;

/* What the tool itself printed takes precedence over its bins; in a coarse histogram, minimum and maximum are the edges
 * of the outermost bins. @profile must not be empty, here and below. */
CulpritMoments culprit_moments (const CulpritProfile *profile);

/* Wake-ups that were late: by half a period, or by the deadline if there is one; and those that missed their period
 * altogether. */
typedef struct
{
  gint64 deadline_ns;
  gint64 period_ns;
  guint64 late; /* as culprit_profile_count_late() */
  guint64 missed;
  gboolean divided; /* Some of the late ones may be earlier: see culprit_profile_divides(). */
  gboolean hidden;  /* There may be more: see culprit_profile_hides(). */
  gboolean missed_divided;
  gboolean missed_hidden;
} CulpritLateness;

/* @period_ns: 0 if it is not known: then none missed it. @deadline_ns: 0 for half of the period. */
CulpritLateness culprit_lateness (const CulpritProfile *profile, gint64 period_ns, gint64 deadline_ns);

/* The quantile @p (0 to 1) by R's type 7: linear between the two nearest ranks. The first is that of the samples alone;
 * the second counts those beyond as well, and is NaN if it lies among them, also below.
 */
double culprit_quantile_type7 (const CulpritProfile *profile, double p);
double culprit_quantile_of_all (const CulpritProfile *profile, double p);

/* The quantile @p_millionths / 1e6 as printed by the tool; else by type 7 of all, but not beyond the minimum and
 * maximum that it printed. */
double culprit_quantile_known (const CulpritProfile *profile, guint p_millionths);

/* The quantile @p_millionths / 1e6 by nearest rank: the smallest latency that at least this share of the samples does
 * not exceed. In integers: 99.99 per cent as a binary fraction picks the wrong sample. */
double culprit_quantile_nearest (const CulpritProfile *profile, guint p_millionths);

/* The same by stress-ng's rule: the sample of rank n p, rounded down, counted from 0; what the tool printed takes
 * precedence. */
double culprit_quantile_stress_ng (const CulpritProfile *profile, guint p_millionths);

/* The interval of the quantile @p at @level (e.g. .95), by order statistics: it holds for any distribution. A side for
 * which there are too few samples is NaN: not estimable. Returns whether both are known. */
gboolean culprit_quantile_interval (
    const CulpritProfile *profile, double p, double level, double *low_ns, double *high_ns);

/* The interval at @level of a proportion of which @k of @n samples were seen, by Clopper and Pearson. */
void culprit_part_interval (guint64 k, guint64 n, double level, double *low, double *high);
