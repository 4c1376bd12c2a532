/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Peaks are searched for in bins that suit the bulk of the latencies and, since the tail is sparse, in ever wider ones.
 */
#include "peaks.h"

#include "landscape-private.h"
#include "lattice.h"

#include <math.h>

#define MAX_BINS (1 << 22)
#define LEAST_BINS 4     /* fewer have no shape */
#define BAND 0.5         /* of its prominence: a peak's band is lower by that at most, */
#define WIDE_BAND 0.99   /* in wide bins by all of it: there, single latencies make a difference */
#define MOST_CHANCE 1e-3 /* of a peak in wide bins */

/* The bins in which peaks are searched for: whole ticks of the profile's clock, so that each has the same number of
 * ticks. */
typedef struct
{
  CulpritLattice lattice;
  gint64 ticks; /* per bin */
  gint64 shift; /* the tick with which bin 0 begins */
  gint64 first; /* the first bin */
  guint n;
} Bins;

static gint64
floor_divide (gint64 value, gint64 divisor)
{
  return value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor);
}

static gint64
bin_of (const Bins *bins, gint64 latency_ns)
{
  return floor_divide (culprit_lattice_tick (&bins->lattice, latency_ns) - bins->shift, bins->ticks) - bins->first;
}

/* The beginning of the bin @index, counted from the first one. */
static gint64
bin_from (const Bins *bins, gint64 index)
{
  return culprit_lattice_from (&bins->lattice, (bins->first + index) * bins->ticks + bins->shift);
}

/* Bins of @ticks. Half a bin is @shift: then no edge is one of bins twice as wide. */
static Bins
make_bins (const CulpritProfile *profile, const CulpritLattice *lattice, gint64 ticks, gint64 shift)
{
  Bins bins = { .lattice = *lattice, .ticks = ticks, .shift = shift };

  bins.first = bin_of (&bins, culprit_profile_bin (profile, 0)->latency_ns);
  bins.n = MIN (bin_of (&bins, culprit_profile_bin (profile, profile->bins->len - 1)->latency_ns), MAX_BINS) + 1;
  return bins;
}

/* Bins of about @width_ns. */
static Bins
choose_bins (const CulpritProfile *profile, gint64 width_ns)
{
  CulpritLattice lattice = culprit_lattice_find (profile);
  Bins bins = make_bins (profile, &lattice, MAX (1, llround (width_ns / lattice.step_ns)), 0);

  while (bins.n > MAX_BINS)
    bins = make_bins (profile, &lattice, bins.ticks * 2, 0);
  return bins;
}

static Landscape *
count_in (const CulpritProfile *profile, const Bins *bins)
{
  guint64 *counts = g_new0 (guint64, bins->n);

  for (guint i = 0; i < profile->bins->len; i++)
    {
      const CulpritBin *bin = culprit_profile_bin (profile, i);

      counts[bin_of (bins, bin->latency_ns)] += bin->count;
    }
  return landscape_new (counts, bins->n);
}

static CulpritPeak
describe (const CulpritProfile *profile, const Bins *bins, const Landscape *landscape, guint index, double part)
{
  CulpritPeak peak = { .low_ns = bin_from (bins, index),
                       .high_ns = bin_from (bins, index + 1) - 1,
                       .prominence = landscape_prominence (landscape, index) };
  guint64 below = culprit_profile_count_to (profile, peak.low_ns - 1);
  guint first;
  guint last;

  landscape_find_band (landscape, index, part, &first, &last);
  peak.band_low_ns = bin_from (bins, first);
  peak.band_high_ns = bin_from (bins, last + 1) - 1;
  peak.count = culprit_profile_count_to (profile, peak.high_ns) - below;
  peak.at_ns = culprit_profile_rank (profile, below + peak.count / 2);
  peak.weak = peak.prominence < CULPRIT_PEAK_SIGNIFICANT;
  return peak;
}

static GArray *
find_in (const CulpritProfile *profile, const Bins *bins, const Landscape *landscape, double prominence)
{
  GArray *peaks = g_array_new (FALSE, FALSE, sizeof (CulpritPeak));

  for (guint i = 0; i < bins->n; i++)
    if (landscape_prominence (landscape, i) >= prominence)
      {
        CulpritPeak peak = describe (profile, bins, landscape, i, BAND);

        g_array_append_val (peaks, peak);
      }
  return peaks;
}

/* Divides the samples among the peaks at the valleys; a band ends there at the latest. */
static void
divide (const CulpritProfile *profile, const Bins *bins, const Landscape *landscape, GArray *peaks)
{
  guint from = 0;

  for (guint i = 0; i < peaks->len; i++)
    {
      CulpritPeak *peak = &g_array_index (peaks, CulpritPeak, i);
      guint to = i + 1 < peaks->len
                     ? landscape_find_valley (landscape, bin_of (bins, peak->at_ns), bin_of (bins, peak[1].at_ns))
                     : bins->n;

      peak->from_ns = bin_from (bins, from);
      peak->to_ns = bin_from (bins, to);
      peak->share = (double) (culprit_profile_count_to (profile, peak->to_ns - 1) -
                              culprit_profile_count_to (profile, peak->from_ns - 1)) /
                    profile->n;
      peak->band_low_ns = MAX (peak->band_low_ns, peak->from_ns);
      peak->band_high_ns = MIN (peak->band_high_ns, peak->to_ns - 1);
      from = to;
    }
}

GArray *
culprit_peaks_find (const CulpritProfile *profile, gint64 width_ns, double prominence)
{
  Bins bins = choose_bins (profile, width_ns);
  g_autoptr (Landscape) landscape = count_in (profile, &bins);
  GArray *peaks = find_in (profile, &bins, landscape, prominence);

  divide (profile, &bins, landscape, peaks);
  return peaks;
}

/* A peak in wide bins. */
typedef struct
{
  Bins bins;
  Landscape *landscape;
  guint index;
  double rarity;
} Candidate;

static void
scale_clear (gpointer data)
{
  landscape_free (((Candidate *) data)->landscape);
}

/* How rare @candidate is between the neighbouring ones of @peaks that are not weak. */
static double
measure_rarity (const Candidate *candidate, const GArray *peaks)
{
  gint64 low = -1;
  gint64 high = candidate->bins.n;

  for (guint i = 0; i < peaks->len; i++)
    {
      const CulpritPeak *peak = &g_array_index (peaks, CulpritPeak, i);
      gint64 place = bin_of (&candidate->bins, peak->at_ns);

      if (!peak->weak && place <= candidate->index)
        low = MAX (low, place);
      if (!peak->weak && place >= candidate->index)
        high = MIN (high, place);
    }
  return landscape_rarity (candidate->landscape, candidate->index, WIDE_BAND, low, high);
}

static int
compare_rarities (gconstpointer a, gconstpointer b)
{
  const Candidate *left = a;
  const Candidate *right = b;

  return (left->rarity > right->rarity) - (left->rarity < right->rarity);
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const CulpritPeak *left = a;
  const CulpritPeak *right = b;

  return (left->at_ns > right->at_ns) - (left->at_ns < right->at_ns);
}

/* Adds @wide in place of the weak ones in its band, unless one that is not weak has part of it. */
static void
add (GArray *peaks, const CulpritPeak *wide)
{
  for (guint i = 0; i < peaks->len; i++)
    {
      const CulpritPeak *peak = &g_array_index (peaks, CulpritPeak, i);

      if (!peak->weak && peak->band_high_ns >= wide->band_low_ns && peak->band_low_ns <= wide->band_high_ns)
        return;
    }
  for (guint i = peaks->len; i-- > 0;)
    {
      const CulpritPeak *peak = &g_array_index (peaks, CulpritPeak, i);

      if (peak->at_ns >= wide->band_low_ns && peak->at_ns <= wide->band_high_ns)
        g_array_remove_index (peaks, i);
    }
  g_array_append_val (peaks, *wide);
  g_array_sort (peaks, compare_places);
}

/* Adds those of @candidates that remain rare beside the rarer ones: so each is taken at the width that suits it. */
static void
add_rare (const CulpritProfile *profile, GArray *candidates, GArray *peaks)
{
  g_array_sort (candidates, compare_rarities);
  for (guint i = 0; i < candidates->len; i++)
    {
      const Candidate *candidate = &g_array_index (candidates, Candidate, i);
      CulpritPeak peak;

      if (measure_rarity (candidate, peaks) > log (MOST_CHANCE))
        continue;
      peak = describe (profile, &candidate->bins, candidate->landscape, candidate->index, WIDE_BAND);
      peak.weak = FALSE;
      add (peaks, &peak);
    }
}

/* The hills that are rare beside @peaks, in bins twice as wide as @bins, four times and so on. The landscapes are kept
 * in @scales. */
static GArray *
find_candidates (const CulpritProfile *profile, const Bins *bins, const GArray *peaks, GArray *scales)
{
  GArray *candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  Candidate candidate = { .bins = *bins };

  while (candidate.bins.n > LEAST_BINS)
    {
      candidate.bins = make_bins (profile, &bins->lattice, candidate.bins.ticks * 2, candidate.bins.ticks);
      candidate.landscape = count_in (profile, &candidate.bins);
      g_array_append_val (scales, candidate);
      for (candidate.index = 0; candidate.index < candidate.bins.n; candidate.index++)
        if (landscape_prominence (candidate.landscape, candidate.index) > 0)
          {
            candidate.rarity = measure_rarity (&candidate, peaks);
            if (candidate.rarity <= log (MOST_CHANCE))
              g_array_append_val (candidates, candidate);
          }
    }
  return candidates;
}

GArray *
culprit_peaks_find_all (const CulpritProfile *profile, gint64 width_ns)
{
  Bins bins = choose_bins (profile, width_ns);
  g_autoptr (Landscape) landscape = count_in (profile, &bins);
  GArray *peaks = find_in (profile, &bins, landscape, CULPRIT_PEAK_WEAK);
  g_autoptr (GArray) scales = g_array_new (FALSE, FALSE, sizeof (Candidate));
  g_autoptr (GArray) candidates = NULL;

  g_array_set_clear_func (scales, scale_clear);
  candidates = find_candidates (profile, &bins, peaks, scales);
  add_rare (profile, candidates, peaks);
  divide (profile, &bins, landscape, peaks);
  return peaks;
}
