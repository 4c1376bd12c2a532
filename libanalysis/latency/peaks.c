/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Peaks are searched for in bins that suit the bulk of the latencies and, since the tail is sparse, in ever wider ones.
 */
#include "peaks.h"

#include "units.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>

typedef struct Landscape Landscape;

static void landscape_free (Landscape *landscape);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Landscape, landscape_free)

static gint64 culprit_lattice_tick (const CulpritLattice *lattice, gint64 latency_ns);

/* Narrows down the length of a tick from neighbouring latencies to distant ones: each latency that must be a certain
 * number of ticks from the first one limits the length further, or shows that there are no ticks. For ticks of a few
 * ns, these numbers are not certain; but if latencies are so dense that each tick has some, the i-th latency is that of
 * the i-th tick. */

#define ROUNDING 1.0    /* ns: how far the distance of two latencies may be from whole ticks */
#define LEAST_STEP 3    /* ns: for shorter ticks, rounding to ns hides them in single latencies */
#define MOST_DIVISORS 4 /* neighbouring latencies may all be up to this many ticks apart */
#define CHANCE 1e-4     /* that this many latencies are on ticks by chance */
#define BODY_LOW 0.001  /* of the samples: ticks are searched for between these ranks, where latencies are dense */
#define BODY_HIGH 0.99
#define ON_TICKS 0.99 /* of all samples must be on them */
#define CORE_LOW 0.1  /* of the samples: between these ranks each tick has some, if there are enough */
#define CORE_HIGH 0.8
#define CORE_TICKS 50       /* fewer may be so by chance */
#define LEAST_CORE_STEP 1.2 /* ns: closer to 1, a single ns without latencies would look the same */
#define MOST_CORE_STEP 10   /* ns: longer ticks are found otherwise */
#define CORE_REACH 0.51     /* ns: rounding to ns, and the precision of the fit */
#define CORE_TOLERANCE 0.25 /* ns: likewise, far from the core */

/* The latencies in which ticks are searched for: the bins from @first to @last. */
typedef struct
{
  const CulpritProfile *profile;
  guint first;
  guint last;
} Body;

static gint64
latency_of (const Body *body, guint index)
{
  return culprit_profile_bin (body->profile, index)->latency_ns;
}

static Body
find_body (const CulpritProfile *profile, double low_rank, double high_rank)
{
  Body body = { profile, 0, 0 };
  guint64 low = profile->n * low_rank;
  guint64 high = profile->n * high_rank;
  guint64 before = 0;

  for (guint i = 0; i < profile->bins->len; i++)
    {
      before += culprit_profile_bin (profile, i)->count;
      if (before <= low)
        body.first = i + 1;
      if (before - culprit_profile_bin (profile, i)->count <= high)
        body.last = i;
    }
  body.first = MIN (body.first, body.last);
  return body;
}

static gint64
least_gap (const Body *body)
{
  gint64 least = G_MAXINT64;

  for (guint i = body->first; i < body->last; i++)
    least = MIN (least, latency_of (body, i + 1) - latency_of (body, i));
  return least;
}

/* Whether all of @body is on ticks of about @step_ns; narrows down their exact length. */
static gboolean
narrow (const Body *body, double *step_ns)
{
  double low = *step_ns - ROUNDING;
  double high = *step_ns + ROUNDING;
  double chance = 0; /* its logarithm */

  for (guint i = body->first + 1; i <= body->last; i++)
    {
      double distance = latency_of (body, i) - latency_of (body, body->first);
      double least = ceil ((distance - ROUNDING) / high);
      double most = floor ((distance + ROUNDING) / low);

      if (least > most)
        return FALSE;
      if (least < most || most == 0)
        continue;
      low = fmax (low, (distance - ROUNDING) / most);
      high = fmin (high, (distance + ROUNDING) / most);
      chance += log (fmin (1, (2 * ROUNDING + 1) / low));
    }
  *step_ns = (low + high) / 2;
  return chance < log (CHANCE);
}

/* The ticks of about @step_ns that @body is on, or, if it is 0, one for each of its latencies: their length by least
 * squares. */
static CulpritLattice
fit (const Body *body, double step_ns)
{
  gint64 first_ns = latency_of (body, body->first);
  guint n = body->last - body->first + 1;
  double ticks = 0;
  double distances = 0;
  double products = 0;
  double squares = 0;
  double least = INFINITY;
  double most = -INFINITY;

  for (guint i = body->first; i <= body->last; i++)
    {
      double distance = latency_of (body, i) - first_ns;
      double tick = step_ns > 0 ? round (distance / step_ns) : i - body->first;

      ticks += tick;
      distances += distance;
      products += tick * distance;
      squares += tick * tick;
    }
  step_ns = (products - ticks * distances / n) / (squares - ticks * ticks / n);
  for (guint i = body->first; i <= body->last; i++)
    {
      double distance = latency_of (body, i) - first_ns;
      double rest = distance - round (distance / step_ns) * step_ns;

      least = fmin (least, rest);
      most = fmax (most, rest);
    }
  return (CulpritLattice) { step_ns, first_ns + (least + most) / 2, (most - least) / 2 };
}

/* Whether nearly all samples are on the ticks, including those outside the body. */
static gboolean
holds (const CulpritLattice *lattice, const CulpritProfile *profile, double tolerance_ns)
{
  double on = 0;

  for (guint i = 0; i < profile->bins->len; i++)
    {
      const CulpritBin *bin = culprit_profile_bin (profile, i);
      double tick = culprit_lattice_tick (lattice, bin->latency_ns);

      if (fabs (bin->latency_ns - lattice->origin_ns - tick * lattice->step_ns) <= tolerance_ns)
        on += bin->count;
    }
  return on >= ON_TICKS * profile->n;
}

/* Ticks of a few ns, each of which has latencies. */
static gboolean
find_dense (const CulpritProfile *profile, CulpritLattice *lattice)
{
  Body core = find_body (profile, CORE_LOW, CORE_HIGH);

  if (profile->width_ns > 1 || core.last < core.first + CORE_TICKS)
    return FALSE;
  *lattice = fit (&core, 0);
  return lattice->step_ns >= LEAST_CORE_STEP && lattice->step_ns <= MOST_CORE_STEP && lattice->reach_ns <= CORE_REACH &&
         holds (lattice, profile, lattice->reach_ns + CORE_TOLERANCE);
}

CulpritLattice
culprit_lattice_find (const CulpritProfile *profile)
{
  double reach_ns = (profile->width_ns - 1) / 2.0;
  const CulpritLattice none = { profile->width_ns, reach_ns, reach_ns };
  Body body = find_body (profile, BODY_LOW, BODY_HIGH);
  CulpritLattice dense;
  gint64 gap = body.first < body.last ? least_gap (&body) : 0;

  for (guint divisor = 1; divisor <= MOST_DIVISORS; divisor++)
    {
      double step_ns = (double) gap / divisor;
      CulpritLattice lattice;

      if (step_ns < MAX (LEAST_STEP, profile->width_ns + 1))
        break;
      if (!narrow (&body, &step_ns))
        continue;
      lattice = fit (&body, step_ns);
      if (holds (&lattice, profile, 2 * ROUNDING))
        return lattice;
    }
  return find_dense (profile, &dense) ? dense : none;
}

/* The tick of @latency_ns. */
static gint64
culprit_lattice_tick (const CulpritLattice *lattice, gint64 latency_ns)
{
  return llround ((latency_ns - lattice->origin_ns) / lattice->step_ns);
}

/* The smallest latency, in whole ns, of @tick. */
static gint64
culprit_lattice_from (const CulpritLattice *lattice, gint64 tick)
{
  return llround (lattice->origin_ns + tick * lattice->step_ns - lattice->reach_ns);
}

/* Floods the histogram from above: each bin joins the peak next to it; where two peaks meet, the lower one ends. */

struct Landscape
{
  guint64 *counts;
  guint n;
  guint *peaks;        /* by bin: a bin of the same peak, closer to its highest one; the bin itself there */
  double *prominences; /* by a peak's highest bin */
  guint occupied;      /* the number of bins with any count */
  gint64 *before;      /* by bin: the closest one with any count at smaller latencies, else -1 */
  gint64 *after;       /* likewise at larger ones, else the number of bins */
};

#define NOT_FLOODED G_MAXUINT

/* Makes the noise of counts equal (Anscombe): one standard deviation is 1 at any height. */
static double
transform (guint64 count)
{
  return 2 * sqrt (count + 0.375);
}

/* The peak that the bin @index currently belongs to, following peaks that were joined to others. */
static guint
find_peak (Landscape *landscape, guint index)
{
  guint peak = index;

  while (landscape->peaks[peak] != peak)
    peak = landscape->peaks[peak];
  landscape->peaks[index] = peak;
  return peak;
}

/* Two peaks meet at a valley of @count: the lower one ends; of equal ones, that at larger latencies. */
static void
meet (Landscape *landscape, guint left, guint right, guint64 count)
{
  guint higher = landscape->counts[left] >= landscape->counts[right] ? left : right;
  guint lower = higher == left ? right : left;

  landscape->prominences[lower] = transform (landscape->counts[lower]) - transform (count);
  landscape->peaks[lower] = higher;
}

static gboolean
is_flooded (const Landscape *landscape, guint index)
{
  return index < landscape->n && landscape->peaks[index] != NOT_FLOODED;
}

static void
flood (Landscape *landscape, guint index)
{
  gboolean left = index > 0 && is_flooded (landscape, index - 1);
  gboolean right = is_flooded (landscape, index + 1);

  if (!left && !right)
    landscape->peaks[index] = index;
  else if (left && right)
    {
      guint left_peak = find_peak (landscape, index - 1);

      meet (landscape, left_peak, find_peak (landscape, index + 1), landscape->counts[index]);
      landscape->peaks[index] = left_peak;
    }
  else
    landscape->peaks[index] = find_peak (landscape, left ? index - 1 : index + 1);
}

static int
compare_heights (const void *a, const void *b, void *data)
{
  const guint64 *counts = data;
  guint left = *(const guint *) a;
  guint right = *(const guint *) b;

  if (counts[left] != counts[right])
    return counts[left] > counts[right] ? -1 : 1;
  return left < right ? -1 : left > right;
}

static void
find_neighbours (Landscape *landscape)
{
  landscape->before = g_new (gint64, landscape->n);
  landscape->after = g_new (gint64, landscape->n);
  for (gint64 i = 0, last = -1; i < landscape->n; i++)
    {
      landscape->before[i] = last;
      last = landscape->counts[i] > 0 ? i : last;
    }
  for (gint64 i = landscape->n - 1, last = landscape->n; i >= 0; i--)
    {
      landscape->after[i] = last;
      last = landscape->counts[i] > 0 ? i : last;
    }
}

/* The counts of @n bins, at least one; takes @counts. */
static Landscape *
landscape_new (guint64 *counts, guint n)
{
  Landscape *landscape = g_new0 (Landscape, 1);
  g_autofree guint *order = g_new (guint, n);

  landscape->counts = counts;
  landscape->n = n;
  landscape->peaks = g_new (guint, n);
  landscape->prominences = g_new0 (double, n);
  for (guint i = 0; i < n; i++)
    {
      order[i] = i;
      landscape->peaks[i] = NOT_FLOODED;
      landscape->occupied += counts[i] > 0;
    }
  qsort_r (order, n, sizeof *order, compare_heights, counts);
  for (guint i = 0; i < n; i++)
    flood (landscape, order[i]);
  find_neighbours (landscape);
  landscape->prominences[order[0]] = transform (counts[order[0]]) - transform (0);
  return landscape;
}

static void
landscape_free (Landscape *landscape)
{
  g_free (landscape->counts);
  g_free (landscape->peaks);
  g_free (landscape->before);
  g_free (landscape->after);
  g_free (landscape->prominences);
  g_free (landscape);
}

/* How far the hill whose highest bin is @index rises above the valley in which it meets a higher one, in standard
 * deviations; 0 for a bin that is not the highest of its hill. */
static double
landscape_prominence (const Landscape *landscape, guint index)
{
  return landscape->prominences[index];
}

/* The bins around the highest bin @index of a hill that are lower by @part of its prominence at most, both included. */
static void
landscape_find_band (const Landscape *landscape, guint index, double part, guint *first, guint *last)
{
  double level = transform (landscape->counts[index]) - landscape->prominences[index] * part;

  *first = *last = index;
  while (*first > 0 && transform (landscape->counts[*first - 1]) >= level)
    (*first)--;
  while (*last + 1 < landscape->n && transform (landscape->counts[*last + 1]) >= level)
    (*last)++;
}

/* If counts only fall off towards a band of @width bins, each of these is no likelier than each of the @gap bins before
 * it: of all in both, the band's are at most binomial. The logarithm of Chernoff's bound on having so many. */
static double
chance (double inside, double before, double width, double gap)
{
  double part = inside / (inside + before);
  double expected = width / (width + gap);

  if (part <= expected)
    return 0;
  return inside * log (expected / part) + (before > 0 ? before * log ((1 - expected) / (1 - part)) : 0);
}

/* The next bin with any count from @index on in the direction @step; @end if there is none before. */
static gint64
find_occupied (const Landscape *landscape, gint64 index, int step, gint64 end)
{
  gint64 next = step < 0 ? landscape->before[index] : landscape->after[index];

  return step < 0 ? MAX (next, end) : MIN (next, end);
}

/* The least chance of the bins from @first to @last, which have @inside, as compared with those beside them in the
 * direction @step, up to @end. */
static double
compare_with_side (const Landscape *landscape, guint first, guint last, guint64 inside, int step, gint64 end)
{
  gint64 edge = step < 0 ? first : last;
  guint64 before = 0;
  double least = 0;

  for (gint64 at = edge; before <= inside && at != end;)
    {
      at = find_occupied (landscape, at, step, end);
      least = fmin (least, chance (inside, before, last - first + 1, ABS (at - edge) - 1));
      before += at != end ? landscape->counts[at] : 0;
    }
  return least;
}

/* The logarithm of a bound on the probability that counts which only fall off from the bins @low and @high, those of
 * other peaks, would have as many in this hill's band, or more, as compared with the bins between; corrected for all
 * bands and distances that could be compared. Beyond the first or the last bin: there is no other peak on that side. */
static double
landscape_rarity (const Landscape *landscape, guint index, double part, gint64 low, gint64 high)
{
  guint64 inside = 0;
  guint first;
  guint last;
  double rarity = -INFINITY;

  landscape_find_band (landscape, index, part, &first, &last);
  for (guint i = first; i <= last; i++)
    inside += landscape->counts[i];
  if ((low >= first && low < landscape->n) || (high >= 0 && high <= last))
    return 0;
  if (low >= 0)
    rarity = fmax (rarity, compare_with_side (landscape, first, last, inside, -1, low));
  if (high < landscape->n)
    rarity = fmax (rarity, compare_with_side (landscape, first, last, inside, 1, high));
  return fmin (0, rarity + 2 * log (landscape->occupied));
}

/* The lowest bin from @from to @to; of equal ones, the first of the longest stretch. */
static guint
landscape_find_valley (const Landscape *landscape, guint from, guint to)
{
  guint valley = from;
  guint longest = 0;

  for (guint i = from, length; i <= to; i += length)
    {
      guint64 count = landscape->counts[i];

      for (length = 1; i + length <= to && landscape->counts[i + length] == count;)
        length++;
      if (count < landscape->counts[valley] || (count == landscape->counts[valley] && length > longest))
        {
          valley = i;
          longest = length;
        }
    }
  return valley;
}

#define MAX_BINS (1 << 22)
#define BINS_PER_LATENCY                                                                                               \
  1024 /* at most, of different latencies: what few of them cost is little, however far apart                          \
        */
#define ENOUGH_BINS 4096
#define MOST_WIDE 1000   /* peaks that only wide bins show; nobody has that many */
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
  const guint64 *until; /* by the profile's bin: how many there are up to it, itself included */
} Bins;

static guint64 *
sum_up (const CulpritProfile *profile)
{
  guint64 *until = g_new (guint64, profile->bins->len);
  guint64 sum = 0;

  for (guint i = 0; i < profile->bins->len; i++)
    until[i] = sum += culprit_profile_bin (profile, i)->count;
  return until;
}

/* How many latencies are below @latency_ns. */
static guint64
count_below (const CulpritProfile *profile, const Bins *bins, gint64 latency_ns)
{
  guint first = 0;
  guint end = profile->bins->len;

  while (first < end)
    {
      guint middle = first + (end - first) / 2;

      if (culprit_profile_bin (profile, middle)->latency_ns < latency_ns)
        first = middle + 1;
      else
        end = middle;
    }
  return first > 0 ? bins->until[first - 1] : 0;
}

/* The latency of that @rank, from 0. */
static gint64
latency_at (const CulpritProfile *profile, const Bins *bins, guint64 rank)
{
  guint first = 0;
  guint end = profile->bins->len - 1;

  while (first < end)
    {
      guint middle = first + (end - first) / 2;

      if (bins->until[middle] <= rank)
        first = middle + 1;
      else
        end = middle;
    }
  return culprit_profile_bin (profile, first)->latency_ns;
}

static gint64
bin_of (const Bins *bins, gint64 latency_ns)
{
  return culprit_floor_divide (culprit_lattice_tick (&bins->lattice, latency_ns) - bins->shift, bins->ticks) -
         bins->first;
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

/* Bins of about @width_ns. @until: of sum_up (), for as long as they are used. */
static Bins
choose_bins (const CulpritProfile *profile, gint64 width_ns, const guint64 *until)
{
  CulpritLattice lattice = culprit_lattice_find (profile);
  Bins bins = make_bins (profile, &lattice, MAX (1, llround (width_ns / lattice.step_ns)), 0);
  guint most = CLAMP ((guint64) profile->bins->len * BINS_PER_LATENCY, ENOUGH_BINS, MAX_BINS);

  while (bins.n > most)
    bins = make_bins (profile, &lattice, bins.ticks * 2, 0);
  bins.until = until;
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
  guint64 below = count_below (profile, bins, peak.low_ns);
  guint first;
  guint last;

  landscape_find_band (landscape, index, part, &first, &last);
  peak.band_low_ns = bin_from (bins, first);
  peak.band_high_ns = bin_from (bins, last + 1) - 1;
  peak.count = count_below (profile, bins, peak.high_ns + 1) - below;
  peak.at_ns = latency_at (profile, bins, below + peak.count / 2);
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
      peak->share = (double) (count_below (profile, bins, peak->to_ns) - count_below (profile, bins, peak->from_ns)) /
                    (profile->n + profile->beyond);
      peak->band_low_ns = MAX (peak->band_low_ns, peak->from_ns);
      peak->band_high_ns = MIN (peak->band_high_ns, peak->to_ns - 1);
      from = to;
    }
}

GArray *
culprit_peaks_find (const CulpritProfile *profile, gint64 width_ns, double prominence)
{
  g_autofree guint64 *until = sum_up (profile);
  Bins bins = choose_bins (profile, width_ns, until);
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

/* The places of those of @peaks that are not weak, ascending, of gint64. */
static GArray *
find_strong (const GArray *peaks)
{
  GArray *strong = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < peaks->len; i++)
    {
      const CulpritPeak *peak = &g_array_index (peaks, CulpritPeak, i);

      if (!peak->weak)
        g_array_append_val (strong, peak->at_ns);
    }
  return strong;
}

/* How rare @candidate is between its neighbours among the places @strong. */
static double
measure_rarity (const Candidate *candidate, const GArray *strong)
{
  guint first = 0; /* that is beyond the candidate's bin */
  guint end = strong->len;
  gint64 low = -1;
  gint64 high = candidate->bins.n;

  while (first < end)
    {
      guint middle = first + (end - first) / 2;

      if (bin_of (&candidate->bins, g_array_index (strong, gint64, middle)) <= candidate->index)
        first = middle + 1;
      else
        end = middle;
    }
  if (first > 0)
    low = bin_of (&candidate->bins, g_array_index (strong, gint64, first - 1));
  if (low == candidate->index)
    high = low;
  else if (first < strong->len)
    high = bin_of (&candidate->bins, g_array_index (strong, gint64, first));
  return landscape_rarity (candidate->landscape, candidate->index, WIDE_BAND, low, high);
}

static int
compare_rarities (gconstpointer a, gconstpointer b)
{
  const Candidate *left = a;
  const Candidate *right = b;

  return (left->rarity > right->rarity) - (left->rarity < right->rarity);
}

/* Adds @wide in place of the weak ones in its band, unless one that is not weak has part of it: then FALSE. */
static gboolean
add (GArray *peaks, const CulpritPeak *wide)
{
  guint place = 0;

  for (guint i = 0; i < peaks->len; i++)
    {
      const CulpritPeak *peak = &g_array_index (peaks, CulpritPeak, i);

      if (!peak->weak && peak->band_high_ns >= wide->band_low_ns && peak->band_low_ns <= wide->band_high_ns)
        return FALSE;
      place += peak->at_ns < wide->band_low_ns;
    }
  while (place < peaks->len && g_array_index (peaks, CulpritPeak, place).at_ns <= wide->band_high_ns)
    g_array_remove_index (peaks, place);
  g_array_insert_val (peaks, place, *wide);
  return TRUE;
}

/* Adds those of @candidates that remain rare beside the rarer ones: so each is taken at the width that suits it. */
static void
add_rare (const CulpritProfile *profile, GArray *candidates, GArray *peaks)
{
  g_autoptr (GArray) strong = find_strong (peaks);
  guint added = 0;

  g_array_sort (candidates, compare_rarities);
  for (guint i = 0; i < candidates->len && added < MOST_WIDE; i++)
    {
      const Candidate *candidate = &g_array_index (candidates, Candidate, i);
      CulpritPeak peak;

      if (measure_rarity (candidate, strong) > log (MOST_CHANCE))
        continue;
      peak = describe (profile, &candidate->bins, candidate->landscape, candidate->index, WIDE_BAND);
      peak.weak = FALSE;
      if (!add (peaks, &peak))
        continue;
      g_array_unref (strong);
      strong = find_strong (peaks);
      added++;
    }
}

/* The hills that are rare beside @peaks, in bins twice as wide as @bins, four times and so on. The landscapes are kept
 * in @scales. */
static GArray *
find_candidates (const CulpritProfile *profile, const Bins *bins, const GArray *peaks, GArray *scales)
{
  GArray *candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  g_autoptr (GArray) strong = find_strong (peaks);
  Candidate candidate = { .bins = *bins };

  while (candidate.bins.n > LEAST_BINS)
    {
      candidate.bins = make_bins (profile, &bins->lattice, candidate.bins.ticks * 2, candidate.bins.ticks);
      candidate.bins.until = bins->until;
      candidate.landscape = count_in (profile, &candidate.bins);
      g_array_append_val (scales, candidate);
      for (candidate.index = 0; candidate.index < candidate.bins.n; candidate.index++)
        if (landscape_prominence (candidate.landscape, candidate.index) > 0)
          {
            candidate.rarity = measure_rarity (&candidate, strong);
            if (candidate.rarity <= log (MOST_CHANCE))
              g_array_append_val (candidates, candidate);
          }
    }
  return candidates;
}

GArray *
culprit_peaks_find_all (const CulpritProfile *profile, gint64 width_ns)
{
  g_autofree guint64 *until = sum_up (profile);
  Bins bins = choose_bins (profile, width_ns, until);
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
