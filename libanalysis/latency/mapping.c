/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interval of the rank (Clopper-Pearson) is mapped through the intervals of the quantiles. */
#include "mapping.h"

#include "description.h"
#include "peaks.h"
#include "units.h"

#include <math.h>

/* Counts the latencies within a band. */

#define MOST_PART 0.1 /* of all wake-ups; what is more frequent is ordinary */

CulpritBandCount
culprit_band_count (const CulpritProfile *profile, gint64 low_ns, gint64 high_ns)
{
  return culprit_band_count_all (&profile, 1, low_ns, high_ns);
}

CulpritBandCount
culprit_band_count_all (const CulpritProfile *const *profiles, guint n, gint64 low_ns, gint64 high_ns)
{
  CulpritBandCount count = { 0, 0 };

  for (guint i = 0; i < n; i++)
    {
      count.inside +=
          culprit_profile_count_to (profiles[i], high_ns) - culprit_profile_count_to (profiles[i], low_ns - 1);
      count.n += profiles[i]->n;
    }
  return count;
}

guint
culprit_band_find (const CulpritProfile *const *profiles, guint n, gint64 low_ns, gint64 high_ns)
{
  double most = -1;
  guint found = 0;

  for (guint i = 0; i < n; i++)
    {
      CulpritBandCount count = culprit_band_count (profiles[i], low_ns, high_ns);
      double share = (double) count.inside / count.n;

      if (share > most)
        found = i;
      most = MAX (most, share);
    }
  return found;
}

char *
culprit_band_in_words (const CulpritBandCount *count)
{
  g_autofree char *inside = culprit_count_format (count->inside);
  g_autofree char *n = culprit_count_format (count->n);
  g_autofree char *share = culprit_small_part_format ((double) count->inside / count->n);

  return g_strdup_printf ("%s of %s wake-up%s (%s)", inside, n, culprit_plural (count->n), share);
}

char *
culprit_band_rate_in_words (const CulpritBandCount *count)
{
  g_autofree char *n = culprit_count_format (count->n);
  g_autofree char *every = culprit_count_format (count->inside > 0 ? llround ((double) count->n / count->inside) : 0);

  if (count->inside == 0)
    return g_strdup_printf ("none of %s wake-up%s", n, culprit_plural (count->n));
  if (count->inside > count->n / 1.5)
    return g_strdup ("most wake-ups");
  return g_strdup_printf ("about 1 in %s wake-ups", every);
}

char *
culprit_band_warning (const CulpritProfile *profile, gint64 low_ns, gint64 high_ns)
{
  CulpritBandCount count = culprit_band_count (profile, low_ns, high_ns);

  if (high_ns < culprit_profile_rank (profile, 0))
    return NULL;
  if (low_ns <= culprit_profile_rank (profile, (profile->n - 1) / 2))
    return g_strdup (
        "These are ordinary wake-ups, no later than half of all: recording them would not capture late ones.");
  if (count.inside >= MOST_PART * count.n)
    return g_strdup ("Wake-ups this frequent are ordinary: recording them would hardly capture late ones.");
  return NULL;
}

#define MOST_EXACT 0.9999 /* Larger parts would be written as 100.00 %. */

CulpritMapped
culprit_map_latency (const CulpritProfile *base, const CulpritProfile *other, gint64 latency_ns)
{
  guint64 below = culprit_profile_count_to (base, latency_ns);
  CulpritMapped mapped = { .p = (double) below / base->n, .low_ns = NAN, .high_ns = NAN };
  double low_p;
  double high_p;
  double ignored_ns;

  culprit_part_interval (below, base->n, CULPRIT_LEVEL, &low_p, &high_p);
  mapped.ns = below < base->n ? culprit_quantile_type7 (other, mapped.p) : NAN;
  culprit_quantile_interval (other, low_p, CULPRIT_LEVEL, &mapped.low_ns, &ignored_ns);
  culprit_quantile_interval (other, high_p, CULPRIT_LEVEL, &ignored_ns, &mapped.high_ns);
  return mapped;
}

/* Other peaks than what the ends themselves are in limit the widening: otherwise, an end beside the ordinary wake-ups
 * would include them. */
static void
stay_between_peaks (const CulpritProfile *other, CulpritMappedBand *band)
{
  g_autoptr (GArray) peaks = culprit_peaks_find_all (other, culprit_profile_nice_width (other));

  for (guint i = 0; i < peaks->len; i++)
    {
      const CulpritPeak *peak = &g_array_index (peaks, CulpritPeak, i);

      if (!peak->weak && peak->band_high_ns < band->low.ns)
        band->low_ns = MAX (band->low_ns, peak->band_high_ns + 1);
      if (!peak->weak && peak->band_low_ns > band->high.ns)
        band->high_ns = MIN (band->high_ns, peak->band_low_ns - 1);
    }
}

gboolean
culprit_map_band (
    const CulpritProfile *base, const CulpritProfile *other, gint64 low_ns, gint64 high_ns, CulpritMappedBand *band)
{
  const double greatest_ns = culprit_profile_rank (other, other->n - 1);

  band->low = culprit_map_latency (base, other, low_ns);
  band->high = culprit_map_latency (base, other, high_ns);
  if (isnan (band->low.ns))
    return FALSE;
  if (isnan (band->high.ns))
    band->high.ns = greatest_ns;
  band->low_ns = MAX (llround (isnan (band->low.low_ns) ? band->low.ns : band->low.low_ns), 1);
  band->high_ns = llround (isnan (band->high.high_ns) ? greatest_ns : band->high.high_ns);
  stay_between_peaks (other, band);
  band->high_ns = MAX (band->high_ns, band->low_ns);
  return TRUE;
}

/* "457.9 us to 512.0 us", as far as both are known; "" if neither is. */
static char *
say_interval (const CulpritMapped *mapped)
{
  g_autofree char *low = isnan (mapped->low_ns) ? NULL : culprit_time_format (llround (mapped->low_ns));
  g_autofree char *high = isnan (mapped->high_ns) ? NULL : culprit_time_format (llround (mapped->high_ns));

  if (low && high)
    return g_strdup_printf (" (%s to %s, if latencies are independent)", low, high);
  if (low || high)
    return g_strdup_printf (" (%s %s, if latencies are independent)", low ? "at least" : "at most", low ? low : high);
  return g_strdup ("");
}

/* Beyond the base's latencies there is no rank. */
char *
culprit_mapped_in_words (const CulpritMapped *mapped, gint64 latency_ns, const char *base)
{
  g_autofree char *from = culprit_time_format (latency_ns);
  g_autofree char *to = culprit_time_format (isnan (mapped->ns) ? 0 : llround (mapped->ns));
  g_autofree char *interval = say_interval (mapped);

  g_autofree char *part =
      mapped->p < 1 && mapped->p > MOST_EXACT ? g_strdup ("more than 99.99 %") : culprit_small_part_format (mapped->p);

  if (isnan (mapped->ns))
    return g_strdup_printf ("%s is above all latencies of %s: nothing corresponds to it", from, base);
  return g_strdup_printf ("%s of %s corresponds to %s%s; %s of the wake-ups are not above it", from, base, to, interval,
                          part);
}
