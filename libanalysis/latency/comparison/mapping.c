/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interval of the rank (Clopper-Pearson) is mapped through the intervals of the quantiles. */
#include "mapping.h"

#include "latency/description.h"
#include "latency/peaks.h"
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
      count.n += profiles[i]->n + profiles[i]->beyond;
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
  guint64 n = base->n + base->beyond;
  CulpritMapped mapped = { .p = (double) below / n, .ns = NAN, .low_ns = NAN, .high_ns = NAN };
  double low_p;
  double high_p;
  double ignored_ns;

  culprit_part_interval (below, n, CULPRIT_LEVEL, &low_p, &high_p);
  if (below == base->n && (base->beyond == 0 || latency_ns >= culprit_profile_beyond_from (base)))
    return mapped;
  mapped.ns = culprit_quantile_of_all (other, mapped.p);
  culprit_quantile_interval (other, low_p, CULPRIT_LEVEL, &mapped.low_ns, &ignored_ns);
  culprit_quantile_interval (other, high_p, CULPRIT_LEVEL, &ignored_ns, &mapped.high_ns);
  return mapped;
}

/* A stretch with hardly any wake-ups. */
typedef struct
{
  gint64 from_ns;
  gint64 to_ns;
} Gap;

#define STRAY 20         /* one in so many late wake-ups may lie in a gap */
#define LEAST_RATIO 1.25 /* of the ends of a gap: where wake-ups just become rarer, the gaps are shorter */

/* The widest gap of @profile, by the ratio of its ends, that reaches into the interval of @about. { 0, 0 }: there is
 * none. */
static Gap
find_gap (const CulpritProfile *profile, const CulpritMapped *about, double late)
{
  const double low_ns = isnan (about->low_ns) ? about->ns : about->low_ns;
  const double high_ns = isnan (about->high_ns) ? culprit_profile_rank (profile, profile->n - 1) : about->high_ns;
  const guint64 stray = late / STRAY;
  guint64 up_to = 0;
  double widest = 1;
  Gap gap = { 0, 0 };

  for (guint i = 0; i < profile->bins->len; i++)
    {
      const gint64 from_ns = MAX (culprit_profile_bin (profile, i)->latency_ns, 1);
      gint64 to_ns;

      up_to += culprit_profile_bin (profile, i)->count;
      if (up_to + stray >= profile->n || from_ns > high_ns)
        break;
      to_ns = culprit_profile_rank (profile, up_to + stray);
      if (to_ns < low_ns || (double) to_ns / from_ns <= widest)
        continue;
      widest = (double) to_ns / from_ns;
      gap = (Gap) { from_ns, to_ns };
    }
  return gap;
}

static gboolean
is_wide (const Gap *gap)
{
  return gap->from_ns > 0 && gap->to_ns >= gap->from_ns * LEAST_RATIO;
}

#define ORDINARY_PART 0.95
#define LATE_RATIO 1.5 /* of the ends of a gap that nobody has pointed at */

/* Those beyond the widest gap above the @least shortest latencies, or the @first one. */
static gboolean
find_late (const CulpritProfile *profile, double least, gboolean first, CulpritLate *late)
{
  double widest = LATE_RATIO;
  guint64 up_to = 0;

  *late = (CulpritLate) { 0 };
  for (guint i = 0; i + 1 < profile->bins->len && !(first && late->count > 0); i++)
    {
      const gint64 to_ns = culprit_profile_bin (profile, i + 1)->latency_ns;
      /* Bins next to each other have no gap, however wide they are. */
      const double ratio = culprit_profile_from (profile, to_ns) /
                           MAX (culprit_profile_last (profile, culprit_profile_bin (profile, i)->latency_ns), 1);

      up_to += culprit_profile_bin (profile, i)->count;
      if (up_to < least || ratio < widest)
        continue;
      widest = ratio;
      *late = (CulpritLate) { profile->n - up_to, to_ns, culprit_profile_rank (profile, profile->n - 1) };
    }
  return late->count > 0;
}

gboolean
culprit_late_find (const CulpritProfile *profile, CulpritLate *late)
{
  return find_late (profile, profile->n * ORDINARY_PART, FALSE, late);
}

gboolean
culprit_late_find_above (const CulpritProfile *profile, gint64 latency_ns, CulpritLate *late)
{
  return find_late (profile, culprit_profile_count_to (profile, latency_ns + profile->middle_ns), TRUE, late);
}

/* The middle of @gap by ratio, to three digits if that is still in it. */
static gint64
middle_of (const Gap *gap)
{
  double middle = sqrt ((double) gap->from_ns) * sqrt ((double) gap->to_ns);
  double step = pow (10, floor (log10 (middle)) - 2);
  gint64 rounded = llround (middle / step) * llround (MAX (step, 1));

  return step >= 1 && rounded > gap->from_ns && rounded < gap->to_ns ? rounded : MAX (llround (middle), 1);
}

/* Where to divide @other so that the upper part has the late ones, which are as rare as those of @base above
 * @latency_ns: in the gap, or by rank if none is wide enough. */
static Gap
divide (const CulpritProfile *base, const CulpritProfile *other, gint64 latency_ns, gint64 *at_ns)
{
  CulpritMapped about = culprit_map_latency (base, other, latency_ns);
  Gap gap;

  if (isnan (about.ns)) /* It is above the end of a histogram. */
    about.ns = culprit_profile_rank (other, other->n - 1);
  gap = find_gap (other, &about, (1 - about.p) * other->n);
  *at_ns = is_wide (&gap) ? middle_of (&gap) : MAX (llround (about.ns), 1);
  return gap;
}

static void
take_gap (CulpritMappedTrigger *trigger, const Gap *gap)
{
  trigger->ordinary_ns = gap->from_ns;
  trigger->late_ns = gap->to_ns;
  trigger->separate = is_wide (gap);
}

#define HIGHEST 10 /* A band is the highest if this many times fewer wake-ups are above it than in it. */

gboolean
culprit_map_trigger (const CulpritProfile *base,
                     const CulpritProfile *other,
                     gint64 low_ns,
                     gint64 high_ns,
                     CulpritMappedTrigger *trigger)
{
  const double other_n = other->n + other->beyond;
  const double rate = other_n / (base->n + base->beyond);
  const guint64 late = culprit_profile_count_late (base, low_ns);
  const guint64 above = high_ns < G_MAXINT64 ? culprit_profile_count_late (base, high_ns + 1) : 0;
  const double late_expected = late * rate;
  double expected;
  double caught;
  double ordinary;
  Gap gap;

  if (late == 0)
    return FALSE;
  gap = divide (base, other, low_ns - 1, &trigger->low_ns);
  take_gap (trigger, &gap);
  trigger->open = above * HIGHEST <= late - above || late == above;
  if (trigger->open)
    trigger->high_ns = trigger->low_ns;
  else
    divide (base, other, high_ns, &trigger->high_ns);
  trigger->high_ns = MAX (trigger->high_ns, trigger->low_ns);
  expected = trigger->open ? late_expected : (late - above) * rate;
  caught = trigger->open ? culprit_profile_count_late (other, trigger->low_ns + 1)
                         : culprit_band_count (other, trigger->low_ns, trigger->high_ns).inside;
  ordinary = other_n - expected;
  trigger->late_part = MIN (caught, expected) / expected;
  trigger->ordinary_part = ordinary >= 1 ? MAX (caught - expected, 0) / ordinary : 0;
  return TRUE;
}

gboolean
culprit_raise_threshold (const CulpritProfile *profile, gint64 threshold_ns, CulpritMappedTrigger *trigger)
{
  const guint64 n = profile->n + profile->beyond;
  CulpritMapped about = culprit_map_latency (profile, profile, threshold_ns);
  guint64 ordinary;
  guint64 late;
  guint64 caught;
  Gap gap;

  if (isnan (about.ns))
    return FALSE;
  gap = find_gap (profile, &about, (1 - about.p) * profile->n);
  *trigger = (CulpritMappedTrigger) { .open = TRUE, .low_ns = threshold_ns, .high_ns = threshold_ns };
  take_gap (trigger, &gap);
  if (!trigger->separate)
    return TRUE;
  trigger->low_ns = threshold_ns < gap.from_ns ? middle_of (&gap) : threshold_ns;
  ordinary = culprit_profile_count_to (profile, middle_of (&gap));
  late = n - ordinary;
  caught = n - culprit_profile_count_to (profile, trigger->low_ns);
  trigger->late_part = (double) MIN (caught, late) / late;
  trigger->ordinary_part = (double) (caught - MIN (caught, late)) / ordinary;
  return TRUE;
}

char *
culprit_mapped_trigger_in_words (const CulpritMappedTrigger *trigger)
{
  g_autofree char *ordinary = culprit_small_part_format (trigger->ordinary_part);
  g_autofree char *late = culprit_small_part_format (trigger->late_part);
  g_autofree char *from = culprit_time_format (trigger->ordinary_ns);
  g_autofree char *to = culprit_time_format (trigger->late_ns);
  g_autofree char *where =
      trigger->separate
          ? g_strdup_printf ("With tracing, ordinary wake-ups reach %s, and late ones begin at %s.", from, to)
          : g_strdup ("With tracing, no latency separates late wake-ups from ordinary ones.");

  return g_strdup_printf ("%s This catches %s of ordinary wake-ups and %s of the late ones.", where, ordinary, late);
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

  if (isnan (mapped->ns) && mapped->p < 1)
    return g_strdup_printf ("What corresponds to %s of %s is above the end of a histogram", from, base);
  if (isnan (mapped->ns))
    return g_strdup_printf ("%s is above all latencies of %s: nothing corresponds to it", from, base);
  return g_strdup_printf ("%s of %s corresponds to %s%s; %s of the wake-ups are not above it", from, base, to, interval,
                          part);
}
