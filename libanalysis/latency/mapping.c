/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interval of the rank (Clopper-Pearson) is mapped through the intervals of the quantiles. */
#include "mapping.h"

#include "description.h"
#include "units.h"

#include <math.h>

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

  if (isnan (mapped->ns))
    return g_strdup_printf ("%s is above all latencies of %s: nothing corresponds to it", from, base);
  return g_strdup_printf ("%s of %s corresponds to %s%s; %.4f %% of the wake-ups are not above it", from, base, to,
                          interval, mapped->p * 100);
}
