/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts the latencies within a band. */
#include "band.h"

#include "units.h"

#include <math.h>

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
