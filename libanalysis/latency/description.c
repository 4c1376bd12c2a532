/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts the parts of a description together. */
#include "description.h"

#include <math.h>

#define MILLION 1e6
#define MEDIAN 500000 /* millionths */
#define FEW 50

const guint culprit_quantiles_usual[] = { 250000, 500000, 750000, 900000, 954000, 990000,
                                          995000, 999000, 999900, 999990, 0 };
const guint culprit_quantiles_stress_ng[] = {
  250000, 500000, 750000, 900000, 954000, 990000, 995000, 999000, 999900, 0
};

gint64
culprit_profile_nice_width (const CulpritProfile *profile)
{
  static const gint64 digits[] = { 1, 2, 5 };
  double spread_ns = culprit_quantile_type7 (profile, 0.75) - culprit_quantile_type7 (profile, 0.25);
  double wanted_ns = 2 * spread_ns / cbrt (profile->n);

  if (profile->width_ns > 1 && wanted_ns <= profile->width_ns)
    return profile->width_ns;
  for (gint64 unit = 1; unit < G_MAXINT64 / 100; unit *= 10)
    for (guint i = 0; i < G_N_ELEMENTS (digits); i++)
      if (digits[i] * unit >= wanted_ns && digits[i] * unit % profile->width_ns == 0)
        return digits[i] * unit;
  return profile->width_ns;
}

static void
place_in_bin (CulpritQuantile *quantile, const CulpritProfile *profile)
{
  quantile->from_ns = quantile->to_ns = quantile->ns;
  if (profile->middle_ns == 0 || isnan (quantile->ns))
    return;
  quantile->from_ns = culprit_profile_from (profile, quantile->nearest_ns);
  quantile->to_ns = culprit_profile_to (profile, quantile->nearest_ns);
  if (profile->printed)
    {
      quantile->from_ns = fmax (quantile->from_ns, profile->printed->min_ns);
      quantile->to_ns = fmin (quantile->to_ns, profile->printed->max_ns);
    }
  quantile->ns = CLAMP (quantile->ns, quantile->from_ns, quantile->to_ns);
}

static void
take_printed (CulpritQuantile *quantile, double printed_ns)
{
  if (!isnan (printed_ns))
    quantile->ns = quantile->from_ns = quantile->to_ns = printed_ns;
}

static void
add_quantiles (CulpritDescription *description, const CulpritProfile *profile, const guint *p_millionths)
{
  for (; *p_millionths; p_millionths++)
    {
      double p = *p_millionths / MILLION;
      CulpritQuantile quantile = { .p_millionths = *p_millionths,
                                   .ns = culprit_quantile_known (profile, *p_millionths),
                                   .nearest_ns = culprit_quantile_nearest (profile, *p_millionths) };

      place_in_bin (&quantile, profile);
      if (isnan (quantile.ns))
        quantile.nearest_ns = NAN;
      take_printed (&quantile, culprit_printed_quantile (profile->printed, *p_millionths));
      quantile.estimable = culprit_quantile_interval (profile, p, CULPRIT_LEVEL, &quantile.low_ns, &quantile.high_ns);
      g_array_append_val (description->quantiles, quantile);
    }
}

CulpritDescription *
culprit_describe_values (const CulpritProfile *profile, const guint *p_millionths)
{
  CulpritDescription *description = g_new0 (CulpritDescription, 1);

  description->moments = culprit_moments (profile);
  description->quantiles = g_array_new (FALSE, FALSE, sizeof (CulpritQuantile));
  add_quantiles (description, profile, p_millionths);
  description->peak_width_ns = culprit_profile_nice_width (profile);
  description->peaks = culprit_peaks_find_all (profile, description->peak_width_ns);
  return description;
}

CulpritDescription *
culprit_describe (const CulpritProfile *profile, const guint *p_millionths)
{
  CulpritDescription *description = culprit_describe_values (profile, p_millionths);

  culprit_fits_find (profile, description->fits);
  return description;
}

void
culprit_description_free (CulpritDescription *description)
{
  g_array_unref (description->quantiles);
  g_array_unref (description->peaks);
  g_free (description);
}

char *
culprit_description_of_fits (const CulpritDescription *description)
{
  CulpritFitKind best = culprit_fits_best (description->fits);

  if (description->moments.beyond > 0)
    return g_strdup (
        "No distribution is fitted, as some latencies are only known to be above the end of the histogram.");
  if (description->moments.n < FEW)
    return g_strdup ("Too few latencies to say which distribution fits.");
  if (best == CULPRIT_FITS)
    return g_strdup ("All latencies are equal: nothing to fit.");
  if (!isfinite (description->fits[best].correlation))
    return g_strdup ("No distribution can be fitted.");
  if (!description->fits[CULPRIT_FIT_GAMMA].possible)
    return g_strdup ("Gamma and log-normal fit latencies above 0 only; some here are not.");
  if (description->fits[best].correlation >= CULPRIT_FIT_GOOD)
    return g_strdup_printf ("The %s distribution fits best, and fits well (probability plot r = %.3f).",
                            culprit_fit_name (best), description->fits[best].correlation);
  return g_strdup_printf ("The %s distribution is the likeliest of the three, but none fits well (probability plot "
                          "r = %.3f): do not extrapolate from it.",
                          culprit_fit_name (best), description->fits[best].correlation);
}
