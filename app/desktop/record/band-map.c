/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps a band to traced latencies: wake-ups of the same rank correspond, with and without tracing. */
#include "record/band-map.h"

#include "latency/mapping.h"
#include "units.h"

#include <math.h>
#include <string.h>

void
band_map_clear (BandMap *map)
{
  g_clear_pointer (&map->remark, g_free);
  g_clear_pointer (&map->rate, g_free);
  g_clear_pointer (&map->warning, g_free);
}

/* The latencies of all runs of @series with tracing "on" or "off". The caller owns it; NULL: there are none. */
static CulpritProfile *
sum_of (const GPtrArray *latencies, const char *series, const char *tracing)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  g_autoptr (CulpritProfile) sum = NULL;

  for (guint i = 0; i < latencies->len; i++)
    {
      const CulpritLatencies *one = g_ptr_array_index (latencies, i);

      if (one->profile && g_str_equal (one->series, series) && g_str_equal (one->tracing, tracing))
        g_ptr_array_add (found, one->profile);
    }
  sum = culprit_profile_sum (found);
  return sum->n > 0 ? g_steal_pointer (&sum) : NULL;
}

static const CulpritLatencies *
find_run (const GPtrArray *latencies, const char *name)
{
  for (guint i = 0; i < latencies->len; i++)
    {
      const CulpritLatencies *one = g_ptr_array_index (latencies, i);

      if (g_str_equal (one->name, name))
        return one;
    }
  return NULL;
}

/* Says how many wake-ups of @profile the band of @map has. */
static void
tell_rate (BandMap *map, const CulpritProfile *profile)
{
  CulpritBandCount count = culprit_band_count (profile, map->low_ns, map->high_ns);
  g_autofree char *words = culprit_band_rate_in_words (&count);

  map->rate = g_strdup_printf ("It contains %s.", words);
  map->warning = culprit_band_warning (profile, map->low_ns, map->high_ns);
}

/* Maps the band of @map from @off to @on. */
static void
carry (BandMap *map, const char *series, const CulpritProfile *off, const CulpritProfile *on)
{
  CulpritMappedBand band;
  g_autofree char *low = culprit_time_format (map->low_ns);
  g_autofree char *range = culprit_time_format_range (map->low_ns, map->high_ns);
  g_autofree char *rank = NULL;

  if (!culprit_map_band (off, on, map->low_ns, map->high_ns, &band))
    {
      map->remark = g_strdup_printf (
          "The band from %s is later than all %" G_GUINT64_FORMAT
          " wake-ups of “%s” without tracing: it could not be mapped to traced latencies and was left unchanged.",
          low, off->n, series);
      return;
    }
  rank = culprit_time_format_range (llround (band.low.ns), llround (band.high.ns));
  map->low_ns = band.low_ns;
  map->high_ns = band.high_ns;
  map->remark =
      g_strdup_printf ("%s without tracing are %s with it, by rank (%" G_GUINT64_FORMAT " and %" G_GUINT64_FORMAT
                       " wake-ups of “%s”). The band was widened by the 95 %% confidence intervals, up to "
                       "the next peaks.",
                       range, rank, off->n, on->n, series);
  tell_rate (map, on);
}

static void
map_run (BandMap *map, const GPtrArray *latencies, const CulpritLatencies *run)
{
  g_autoptr (CulpritProfile) off = sum_of (latencies, run->series, "off");
  g_autoptr (CulpritProfile) on = sum_of (latencies, run->series, "on");

  map->period_ns = run->facts.period_ns;
  if (g_str_equal (run->tracing, "off") && on)
    {
      carry (map, run->series, off, on);
      return;
    }
  if (run->profile)
    tell_rate (map, run->profile);
  if (g_str_equal (run->tracing, "on"))
    map->remark = g_strdup_printf ("The band already refers to traced latencies, from “%s”.", run->name);
  else
    map->remark =
        g_strdup ("The band was not adjusted. Tracing makes wake-ups later: if it was chosen from latencies without "
                  "tracing, record once with “Alternate off and on”, so that it can be mapped to traced latencies.");
}

BandMap
band_map (CulpritDocument *document, const char *run, gint64 low_ns, gint64 high_ns)
{
  const GPtrArray *latencies = culprit_document_latencies (document);
  const CulpritLatencies *chosen = latencies ? find_run (latencies, run) : NULL;
  BandMap map = { .low_ns = MAX (low_ns, 1), .high_ns = MAX (high_ns, MAX (low_ns, 1)) };

  if (chosen)
    map_run (&map, latencies, chosen);
  return map;
}
