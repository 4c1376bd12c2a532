/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps a band to what to record with tracing: wake-ups of the same rank correspond, with and without it. */
#include "record/band-map.h"

#include "latency/comparison/mapping.h"
#include "units.h"

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
say_rate (BandMap *map, const CulpritProfile *profile)
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
  CulpritMappedTrigger trigger;
  g_autofree char *low = culprit_time_format (map->low_ns);
  g_autofree char *range = culprit_time_format_range (map->low_ns, map->high_ns);

  if (!culprit_map_trigger (off, on, map->low_ns, map->high_ns, &trigger))
    {
      map->remark = g_strdup_printf (
          "The band from %s is later than all %" G_GUINT64_FORMAT
          " wake-ups of “%s” without tracing: it could not be mapped to traced latencies and was left unchanged.",
          low, off->n + off->beyond, series);
      return;
    }
  map->open = trigger.open;
  map->low_ns = trigger.low_ns;
  map->high_ns = trigger.high_ns;
  map->remark = g_strdup_printf ("Mapped from %s without tracing, by %" G_GUINT64_FORMAT " and %" G_GUINT64_FORMAT
                                 " wake-ups of “%s”.",
                                 range, off->n + off->beyond, on->n + on->beyond, series);
  map->rate = culprit_mapped_trigger_in_words (&trigger);
  map->warning = culprit_band_warning (on, map->low_ns, map->open ? G_MAXINT64 : map->high_ns);
}

static void
map_run (BandMap *map, const GPtrArray *latencies, const CulpritLatencies *run)
{
  g_autoptr (CulpritProfile) off = sum_of (latencies, run->series, "off");
  g_autoptr (CulpritProfile) on = sum_of (latencies, run->series, "on");

  if (g_str_equal (run->tracing, "off") && on)
    {
      carry (map, run->series, off, on);
      return;
    }
  if (run->profile)
    {
      map->open = map->high_ns >= culprit_profile_rank (run->profile, run->profile->n - 1) &&
                  map->low_ns <= culprit_profile_rank (run->profile, run->profile->n - 1);
      map->low_ns -= map->open ? 1 : 0;
      say_rate (map, run->profile);
    }
  if (g_str_equal (run->tracing, "on"))
    map->remark = g_strdup_printf ("The band already refers to traced latencies, from “%s”.", run->name);
  else
    map->remark =
        g_strdup ("The band was not adjusted. Tracing makes wake-ups later: if it was chosen from latencies without "
                  "tracing, record once with “Alternate off and on”, so that it can be mapped to traced latencies.");
}

/* Raises the threshold of @map into the gap above ordinary wake-ups of @profile, if there is one. */
static void
clear_ordinary (BandMap *map, const CulpritProfile *profile)
{
  g_autofree char *before = culprit_time_format (map->low_ns);
  CulpritMappedTrigger trigger;

  if (!culprit_raise_threshold (profile, map->low_ns, &trigger) || !trigger.separate)
    return;
  if (trigger.low_ns > map->low_ns)
    map->remark = g_strdup_printf ("The threshold was raised from %s.", before);
  map->low_ns = trigger.low_ns;
  map->rate = culprit_mapped_trigger_in_words (&trigger);
}

BandMap
band_map_again (CulpritDocument *document, const char *run)
{
  const GPtrArray *latencies = culprit_document_latencies (document);
  const CulpritLatencies *one = latencies ? find_run (latencies, run) : NULL;
  BandMap map = { 0 };

  if (!one || !one->profile || (one->threshold_ns <= 0 && one->band_high_ns <= 0))
    return map;

  g_autoptr (CulpritProfile) on = sum_of (latencies, one->series, "on");
  const CulpritProfile *profile = on ? on : one->profile;

  map.open = one->band_high_ns <= 0;
  map.low_ns = map.open ? one->threshold_ns : one->band_low_ns;
  map.high_ns = map.open ? G_MAXINT64 : one->band_high_ns;
  if (map.open)
    clear_ordinary (&map, profile);
  if (!map.rate)
    say_rate (&map, profile);
  return map;
}

char *
band_map_result (const BandMap *map)
{
  g_autofree char *range = culprit_time_format_range (map->low_ns, map->high_ns);
  g_autofree char *threshold = culprit_time_format (map->low_ns);

  return map->open ? g_strdup_printf ("Record wake-ups later than %s", threshold)
                   : g_strdup_printf ("Band to record: %s", range);
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
