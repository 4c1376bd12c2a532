/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two tests, each at half of five per cent: the distance of the aligned distributions, which detects large shifts, and
 * the mass of each peak, which detects that a small one vanished. tests/bench/shape measures how often they err. */
#include "shape.h"

#include "latency/curves-private.h"
#include "latency/description.h"
#include "latency/peaks.h"
#include "tests.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>

#define SEED 20040801
#define EXCHANGES 999
#define SPLITS 200
#define LEAST_MARGIN 0.05
#define HIGH 0.95 /* level of the bounds of distances */
#define MAX_CELLS (1 << 20)
#define WHERE_PEAKS_END 0.999 /* of the samples: peaks beyond do not count */
#define LEAST_SHARE 0.01      /* share of samples of a peak that counts */
#define PLACES 3              /* of a peak's edge: the beginning, the middle and the end of a bin */

/* What is above the end of a histogram is in no curve. As few as this are neither in a peak nor change distances. */
static gboolean
is_cut (const CulpritProfile *run)
{
  return run->beyond > (1 - WHERE_PEAKS_END) * (run->n + run->beyond);
}

/* The runs of both, on the base's scale: first the base's, then the other's. */
typedef struct
{
  Line line; /* from the base's scale to the other's */
  Curves *curves;
  guint n_base;
  guint n;
  guint64 samples;
  double step_ns; /* the widest bin, on the base's scale; 0: latencies are in ns */
  double distance;
  double sure_distance; /* at least, wherever in its bin each latency is */
  gsl_rng *random;
} Arms;

/* The distance between two groups of runs after removing the line between them. */
static double
measure_distance (const Arms *arms, const guint *from, guint n_from, const guint *to, guint n_to)
{
  double from_mixed[CURVE_EDGES];
  double to_mixed[CURVE_EDGES];

  curves_mix (arms->curves, from, n_from, from_mixed);
  curves_mix (arms->curves, to, n_to, to_mixed);
  return curves_aligned_distance (arms->curves, from_mixed, to_mixed);
}

static double
upper_bound (double *values, guint n)
{
  gsl_sort (values, 1, n);
  return gsl_stats_quantile_from_sorted_data (values, 1, n, HIGH);
}

/* The probability of such a distance if runs are permuted between both at random. If that is small, it
 * is that of the sure distance, or NaN if that one is not: bins of both are in other places without the line, which
 * adds to their distance, but hardly to that of permuted groups, as these have bins of both. */
static double
exchange (const Arms *arms, const guint *runs)
{
  g_autofree guint *order = g_memdup2 (runs, arms->n * sizeof *runs);
  guint exchanges = culprit_exchanges (EXCHANGES, arms->n);
  guint as_far = 1;
  guint surely_as_far = 1;
  double p;

  for (guint i = 0; i < exchanges; i++)
    {
      double exchanged;

      gsl_ran_shuffle (arms->random, order, arms->n, sizeof *order);
      exchanged = measure_distance (arms, order, arms->n_base, order + arms->n_base, arms->n - arms->n_base);
      as_far += exchanged >= arms->distance;
      surely_as_far += exchanged >= arms->sure_distance;
    }
  p = as_far / (exchanges + 1.0);
  if (p >= CULPRIT_SHAPE_ALPHA)
    return p;
  p = surely_as_far / (exchanges + 1.0);
  return p < CULPRIT_SHAPE_ALPHA ? p : NAN;
}

static double
resample (const Arms *arms, const guint *runs)
{
  g_autofree guint *drawn = g_new (guint, arms->n);
  guint exchanges = culprit_exchanges (EXCHANGES, arms->n);
  double distances[EXCHANGES];

  for (guint i = 0; i < exchanges; i++)
    {
      gsl_ran_sample (arms->random, drawn, arms->n_base, (void *) runs, arms->n_base, sizeof *drawn);
      gsl_ran_sample (arms->random, drawn + arms->n_base, arms->n - arms->n_base, (void *) (runs + arms->n_base),
                      arms->n - arms->n_base, sizeof *drawn);
      distances[i] = measure_distance (arms, drawn, arms->n_base, drawn + arms->n_base, arms->n - arms->n_base);
    }
  return upper_bound (distances, exchanges);
}

/* The distance between halves of the base: another system cannot be expected to be closer. */
static double
split_base (const Arms *arms, const guint *runs)
{
  g_autofree guint *order = g_memdup2 (runs, arms->n_base * sizeof *runs);
  guint half = arms->n_base / 2;
  double distances[SPLITS];

  for (guint i = 0; i < SPLITS; i++)
    {
      gsl_ran_shuffle (arms->random, order, arms->n_base, sizeof *order);
      distances[i] = measure_distance (arms, order, half, order + half, arms->n_base - half);
    }
  return MAX (LEAST_MARGIN, upper_bound (distances, SPLITS));
}

/* The peaks of the runs combined that have a hundredth of the samples or more. The first has all below it. */
static GArray *
find_peaks (const Arms *arms, const guint *runs, guint n, gint64 width_ns)
{
  g_autoptr (CulpritProfile) profile = culprit_profile_new (1);
  const double *edges = arms->curves->edges;
  double mixed[CURVE_EDGES];
  double last_ns;
  double below = 0;
  GArray *peaks;

  curves_mix (arms->curves, runs, n, mixed);
  last_ns = curves_quantile (arms->curves, mixed, WHERE_PEAKS_END);
  while (last_ns - edges[0] > (double) MAX_CELLS * width_ns)
    width_ns *= 2;
  for (gint64 cell = floor (edges[0] / width_ns); cell <= ceil (last_ns / width_ns); cell++)
    {
      double to = curves_part_below (arms->curves, mixed, (cell + 1.0) * width_ns);

      culprit_profile_add (profile, cell * width_ns, llround ((to - below) * arms->samples * n / arms->n));
      below = to;
    }
  culprit_profile_finish (profile);
  if (profile->n == 0)
    return g_array_new (FALSE, FALSE, sizeof (CulpritPeak));
  peaks = culprit_peaks_find (profile, width_ns, CULPRIT_PEAK_SIGNIFICANT);
  if (peaks->len > 0)
    g_array_index (peaks, CulpritPeak, 0).from_ns = G_MININT64;
  for (guint i = peaks->len; i-- > 0;)
    if (g_array_index (peaks, CulpritPeak, i).share < LEAST_SHARE)
      g_array_remove_index (peaks, i);
  return peaks;
}

/* Tests the mass between two latencies. */
static CulpritShapePeak
test_between (const Arms *arms, double from_ns, double to_ns)
{
  g_autofree double *masses = g_new (double, arms->n);

  for (guint run = 0; run < arms->n; run++)
    {
      const double *parts = &g_array_index (arms->curves->parts, double, run *CURVE_EDGES);

      masses[run] = curves_part_below (arms->curves, parts, to_ns) - curves_part_below (arms->curves, parts, from_ns);
    }
  return (CulpritShapePeak) {
    .base_share = gsl_stats_mean (masses, 1, arms->n_base),
    .other_share = gsl_stats_mean (masses + arms->n_base, 1, arms->n - arms->n_base),
    .p = culprit_rank_sum_p (masses, arms->n_base, masses + arms->n_base, arms->n - arms->n_base),
  };
}

/* Tests the mass of @peak at a level of @alpha. Its edges are in valleys, but where in a bin of these is not known, and
 * the line moves what is in bins by less than one: it differs if it does so with all edges. */
static CulpritShapePeak
test_peak (const Arms *arms, const CulpritShape *shape, const CulpritPeak *peak, double alpha)
{
  const guint places = arms->step_ns > 0 ? PLACES : 1;
  CulpritShapePeak tested;
  guint larger = 0;
  guint smaller = 0;
  double most_p = 0;

  for (guint place = 0; place < places * places; place++)
    {
      guint from = place / places;
      guint to = place % places;
      double from_ns = peak->from_ns + arms->step_ns * from / (PLACES - 1);
      double to_ns = peak->to_ns + arms->step_ns * to / (PLACES - 1);
      CulpritShapePeak at = test_between (arms, from_ns, to_ns);

      larger += at.p < alpha && at.other_share > at.base_share;
      smaller += at.p < alpha && at.other_share < at.base_share;
      most_p = fmax (most_p, at.p);
      if (place == places * places / 2)
        tested = at;
    }
  tested.base_ns = (peak->low_ns + peak->high_ns + 1) / 2;
  tested.other_ns = llround (shape->scale * tested.base_ns + shape->shift_ns);
  tested.p = MAX (larger, smaller) == places * places || larger + smaller == 0 ? most_p : NAN;
  return tested;
}

/* Whether each peak of the base, in order, has a counterpart in the other. */
static gboolean
match_peaks (const GArray *base, const GArray *other)
{
  if (base->len != other->len)
    return FALSE;
  for (guint i = 0; i < base->len; i++)
    {
      const CulpritPeak *peak = &g_array_index (base, CulpritPeak, i);
      const CulpritPeak *there = &g_array_index (other, CulpritPeak, i);

      if (there->high_ns < peak->from_ns || there->low_ns >= peak->to_ns)
        return FALSE;
    }
  return TRUE;
}

static void
compare_peaks (const Arms *arms, const guint *runs, gint64 width_ns, CulpritShape *shape)
{
  g_autoptr (GArray) both = find_peaks (arms, runs, arms->n, width_ns);
  g_autoptr (GArray) base = find_peaks (arms, runs, arms->n_base, width_ns);
  g_autoptr (GArray) other = find_peaks (arms, runs + arms->n_base, arms->n - arms->n_base, width_ns);

  for (guint i = 0; i < both->len; i++)
    {
      CulpritShapePeak peak =
          test_peak (arms, shape, &g_array_index (both, CulpritPeak, i), CULPRIT_SHAPE_ALPHA / both->len);

      g_array_append_val (shape->peaks, peak);
    }
  shape->peaks_match = match_peaks (base, other);
}

const CulpritShapePeak *
culprit_shape_open_peak (const CulpritShape *shape)
{
  for (guint i = 0; i < shape->peaks->len; i++)
    if (isnan (g_array_index (shape->peaks, CulpritShapePeak, i).p))
      return &g_array_index (shape->peaks, CulpritShapePeak, i);
  return NULL;
}

/* Whether the mass of any peak differs, corrected for the number of peaks. */
static gboolean
any_peak_differs (const CulpritShape *shape)
{
  for (guint i = 0; i < shape->peaks->len; i++)
    if (g_array_index (shape->peaks, CulpritShapePeak, i).p * shape->peaks->len < CULPRIT_SHAPE_ALPHA)
      return TRUE;
  return FALSE;
}

static void
judge (const Arms *arms, const guint *runs, gint64 width_ns, CulpritShape *shape)
{
  compare_peaks (arms, runs, width_ns, shape);
  shape->distance_p = exchange (arms, runs);
  shape->margin = split_base (arms, runs);
  shape->distance_high = resample (arms, runs);
  shape->coarse = isnan (shape->distance_p) || culprit_shape_open_peak (shape);
  if (shape->distance_p < CULPRIT_SHAPE_ALPHA || any_peak_differs (shape))
    shape->verdict = CULPRIT_SHAPE_DIFFERENT;
  else if (shape->distance_high <= shape->margin && shape->peaks_match && !shape->coarse)
    shape->verdict = CULPRIT_SHAPE_SAME;
}

static gint64
find_width (const CulpritProfile *const *base, guint n_base)
{
  g_autoptr (CulpritProfile) sum = culprit_profile_new (1);

  for (guint i = 0; i < n_base; i++)
    culprit_profile_add_all (sum, base[i]);
  culprit_profile_finish (sum);
  return culprit_profile_nice_width (sum);
}

/* @runs of which the first @n_base are the base's, with the others on its scale along @line. */
static void
arms_init (Arms *arms, const CulpritProfile *const *runs, guint n_base, guint n, Line line)
{
  g_autofree Line *lines = g_new (Line, n);
  g_autofree guint *order = g_new (guint, n);

  *arms = (Arms) { .n_base = n_base, .n = n, .line = line };
  for (guint i = 0; i < n; i++)
    {
      gint64 step_ns = culprit_profile_step (runs[i]);

      lines[i] = i < n_base ? (Line) { 1, 0 } : line;
      order[i] = i;
      arms->step_ns = fmax (arms->step_ns, step_ns > 1 ? step_ns / lines[i].scale : 0);
      arms->samples += runs[i]->n;
    }
  arms->curves = curves_new (runs, lines, n);
  arms->distance = measure_distance (arms, order, n_base, order + n_base, n - n_base);
  arms->sure_distance = curves_sure_distance (arms->curves, runs, lines, n_base);
}

/* Aligns the runs along the line that surely leaves the least distance. */
static void
align (Arms *arms, const CulpritProfile *const *runs, guint n_base, guint n, double *correlation)
{
  g_autofree guint *order = g_new (guint, n);
  Line lines[CURVE_LINES];
  double base[CURVE_EDGES];
  double other[CURVE_EDGES];

  for (guint i = 0; i < n; i++)
    order[i] = i;
  arms_init (arms, runs, n_base, n, (Line) { 1, 0 });
  curves_mix (arms->curves, order, n_base, base);
  curves_mix (arms->curves, order + n_base, n - n_base, other);
  curves_lines (arms->curves, base, other, lines, correlation);
  curves_free (arms->curves);
  arms_init (arms, runs, n_base, n, lines[0]);
  for (guint i = 1; i < CURVE_LINES; i++)
    {
      Arms there;

      arms_init (&there, runs, n_base, n, lines[i]);
      if (there.sure_distance < arms->sure_distance ||
          (there.sure_distance == arms->sure_distance && there.distance < arms->distance))
        {
          Arms worse = *arms;

          *arms = there;
          there = worse;
        }
      curves_free (there.curves);
    }
}

CulpritShape *
culprit_shape_compare (const CulpritProfile *const *base,
                       guint n_base,
                       const CulpritProfile *const *other,
                       guint n_other)
{
  const guint n = n_base + n_other;
  g_autofree const CulpritProfile **runs = g_new (const CulpritProfile *, n);
  g_autofree guint *order = g_new (guint, n);
  CulpritShape *shape = g_new (CulpritShape, 1);
  gboolean cut = FALSE;
  double correlation;
  Arms arms;
  guint64 base_length = 0;
  guint64 other_length = 0;

  for (guint i = 0; i < n; i++)
    {
      runs[i] = i < n_base ? base[i] : other[i - n_base];
      order[i] = i;
      base_length += i < n_base ? runs[i]->n + runs[i]->beyond : 0;
      other_length += i < n_base ? 0 : runs[i]->n + runs[i]->beyond;
      cut |= is_cut (runs[i]);
    }
  align (&arms, runs, n_base, n, &correlation);
  *shape = (CulpritShape) { .base_runs = n_base,
                            .other_runs = n_other,
                            .cut = cut,
                            .like_lengths = culprit_have_like_lengths (base_length, n_base, other_length, n_other),
                            .scale = arms.line.scale,
                            .shift_ns = arms.line.shift_ns,
                            .correlation = correlation,
                            .distance = arms.distance,
                            .distance_p = NAN,
                            .distance_high = NAN,
                            .margin = NAN,
                            .peaks = g_array_new (FALSE, FALSE, sizeof (CulpritShapePeak)) };
  arms.random = gsl_rng_alloc (gsl_rng_mt19937);
  gsl_rng_set (arms.random, SEED);
  if (MIN (n_base, n_other) >= CULPRIT_SHAPE_RUNS && shape->like_lengths && !shape->cut)
    judge (&arms, order, find_width (runs, n_base), shape);
  gsl_rng_free (arms.random);
  curves_free (arms.curves);
  return shape;
}

void
culprit_shape_free (CulpritShape *shape)
{
  g_array_unref (shape->peaks);
  g_free (shape);
}
