/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes positions on the scale, and when to use it. */
#include "scale.h"

#include "statistics.h"

#include <math.h>
#include <stdlib.h>

#define FAR 20      /* times the median */
#define BELOW 10    /* minimum ratio of the median to the knee */
#define HALF 500000 /* millionths */
#define ALL 1000000

/* The median; if some are negative, that of their absolute values. Zeros in a table in us are somewhere below one. */
static double
typical_ns (const CulpritProfile *profile)
{
  g_autoptr (CulpritProfile) sizes = NULL;

  if (culprit_profile_rank (profile, 0) >= 0)
    return fmax (culprit_quantile_known (profile, HALF), profile->width_ns);
  sizes = culprit_profile_new (profile->width_ns);
  for (guint i = 0; i < profile->bins->len; i++)
    culprit_profile_add (sizes, llabs (culprit_profile_bin (profile, i)->latency_ns),
                         culprit_profile_bin (profile, i)->count);
  culprit_profile_finish (sizes);
  return fmax (culprit_quantile_type7 (sizes, 0.5), profile->width_ns);
}

static double
lowest_ns (const CulpritProfile *const *profiles, guint n)
{
  double lowest = INFINITY;

  for (guint i = 0; i < n; i++)
    lowest = fmin (lowest, typical_ns (profiles[i]));
  return lowest;
}

gboolean
culprit_scale_is_due (const CulpritProfile *const *profiles, guint n)
{
  double highest = -INFINITY;

  for (guint i = 0; i < n; i++)
    highest = fmax (highest, culprit_quantile_known (profiles[i], ALL));
  return highest > FAR * lowest_ns (profiles, n);
}

double
culprit_scale_knee (const CulpritProfile *const *profiles, guint n)
{
  double width_ns = 1;

  for (guint i = 0; i < n; i++)
    width_ns = fmax (width_ns, profiles[i]->width_ns);
  return fmax (pow (10, floor (log10 (lowest_ns (profiles, n) / BELOW))), width_ns);
}

double
culprit_scale_place (double knee_ns, double ns)
{
  double size = fabs (ns) / knee_ns;

  return copysign (size <= 1 ? size / M_LN10 : 1 / M_LN10 + log10 (size), ns);
}

double
culprit_scale_latency (double knee_ns, double place)
{
  double size = fabs (place) * M_LN10;

  return copysign (knee_ns * (size <= 1 ? size : exp (size - 1)), place);
}

/* The width of bins is that at the lowest latencies, where it is largest. */
CulpritProfile *
culprit_profile_scaled (const CulpritProfile *profile, double knee_ns)
{
  double low_ns = culprit_profile_rank (profile, profile->n / 100);
  double width = culprit_scale_place (knee_ns, low_ns + profile->width_ns) - culprit_scale_place (knee_ns, low_ns);
  CulpritProfile *scaled = culprit_profile_new (MAX (llround (width * CULPRIT_DECADE), 1));

  for (guint i = 0; i < profile->bins->len; i++)
    culprit_profile_add (
        scaled, llround (culprit_scale_place (knee_ns, culprit_profile_bin (profile, i)->latency_ns) * CULPRIT_DECADE),
        culprit_profile_bin (profile, i)->count);
  culprit_profile_finish (scaled);
  return scaled;
}
