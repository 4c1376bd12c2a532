/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Most edges are at quantiles of the runs' samples, the others at equal distances for ranges without samples. */
#include "curves-private.h"

#include "peaks.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <string.h>

#define EVEN_EDGES 256
#define RANK_EDGES (CURVE_EDGES - EVEN_EDGES)
#define OWN_EDGES 16       /* at least, if each run has edges of its own */
#define GOLDEN 0.618034    /* whose multiples, less whole numbers, lie evenly between 0 and 1 however many they are */
#define MAPPING_ERROR 1e-6 /* of a bin */
#define QUANTILES 49       /* .02, .04 ... .98 */
#define SLOPES (QUANTILES * (QUANTILES - 1) / 2)

/* What is below an edge of the latencies of a bin, of which @part is below: they may be spread over it, or all at an
 * end of it. Edges that are at its ends are not exactly there once mapped. */
typedef double (*Placement) (double part);

static double
spread (double part)
{
  return part;
}

static double
place_late (double part)
{
  return floor (part + MAPPING_ERROR);
}

static double
place_early (double part)
{
  return ceil (part - MAPPING_ERROR);
}

/* The share of @run's samples below each of @edges, which are first mapped along its line to its own scale. Each
 * latency is somewhere in the clock tick that it stands for. */
static void
measure (const CulpritProfile *run, Line line, const double *edges, Placement place, double *parts)
{
  double width_ns = culprit_lattice_find (run).step_ns;
  double before = 0;
  guint index = 0;

  for (guint edge = 0; edge < CURVE_EDGES; edge++)
    {
      double at_ns = line.scale * edges[edge] + line.shift_ns;
      double inside = 0;

      for (; index < run->bins->len; index++)
        {
          const CulpritBin *bin = culprit_profile_bin (run, index);

          if (culprit_profile_from (run, bin->latency_ns) + width_ns > at_ns)
            break;
          before += bin->count;
        }
      if (index < run->bins->len)
        {
          const CulpritBin *bin = culprit_profile_bin (run, index);

          inside = bin->count * place (MAX (at_ns - culprit_profile_from (run, bin->latency_ns), 0) / width_ns);
        }
      parts[edge] = (before + inside) / run->n;
    }
}

/* The latency of @run that the part @p of its samples is below, mapped back. */
static double
edge_at (const CulpritProfile *run, Line line, double p)
{
  guint64 rank = p * (run->n - 1);
  gint64 latency_ns = culprit_profile_rank (run, rank) - run->middle_ns + (p < 1 ? 0 : run->width_ns);

  return (latency_ns - line.shift_ns) / line.scale;
}

/* Each run has its share of the edges, from its minimum to its maximum latency. */
static void
divide_edges (Curves *curves, const CulpritProfile *const *runs, const Line *lines)
{
  guint placed = 0;

  for (guint run = 0; run < curves->n; run++)
    {
      guint n = (RANK_EDGES - placed) / (curves->n - run);

      for (guint i = 0; i < n; i++)
        curves->edges[placed + i] = edge_at (runs[run], lines[run], (double) i / (n - 1));
      placed += n;
    }
}

/* Of very many runs each has one edge or a few, if any, at other ranks than those beside it: together they are where
 * the samples of all are. */
static void
share_edges (Curves *curves, const CulpritProfile *const *runs, const Line *lines)
{
  double least_ns = INFINITY;
  double most_ns = -INFINITY;

  for (guint run = 0; run < curves->n; run++)
    {
      least_ns = fmin (least_ns, edge_at (runs[run], lines[run], 0));
      most_ns = fmax (most_ns, edge_at (runs[run], lines[run], 1));
    }
  curves->edges[0] = least_ns;
  curves->edges[1] = most_ns;
  for (guint edge = 2; edge < RANK_EDGES; edge++)
    {
      guint run = (guint64) (edge - 2) * curves->n / (RANK_EDGES - 2);

      curves->edges[edge] = edge_at (runs[run], lines[run], fmod (edge * GOLDEN, 1));
    }
}

/* Most edges are where samples are; the others are evenly spaced from the first to the last of these. */
static void
place_edges (Curves *curves, const CulpritProfile *const *runs, const Line *lines)
{
  double least_ns;
  double most_ns;

  if (curves->n * OWN_EDGES <= RANK_EDGES)
    divide_edges (curves, runs, lines);
  else
    share_edges (curves, runs, lines);
  gsl_stats_minmax (&least_ns, &most_ns, curves->edges, 1, RANK_EDGES);
  for (guint edge = 0; edge < EVEN_EDGES; edge++)
    curves->edges[RANK_EDGES + edge] = least_ns + (edge + 0.5) / EVEN_EDGES * (most_ns - least_ns);
  gsl_sort (curves->edges, 1, CURVE_EDGES);
}

Curves *
curves_new (const CulpritProfile *const *runs, const Line *lines, guint n)
{
  Curves *curves = g_new0 (Curves, 1);

  curves->n = n;
  curves->parts = g_array_sized_new (FALSE, FALSE, sizeof (double), n * CURVE_EDGES);
  g_array_set_size (curves->parts, n * CURVE_EDGES);
  place_edges (curves, runs, lines);
  for (guint run = 0; run < n; run++)
    measure (runs[run], lines[run], curves->edges, spread, &g_array_index (curves->parts, double, run *CURVE_EDGES));
  return curves;
}

void
curves_free (Curves *curves)
{
  g_array_unref (curves->parts);
  g_free (curves);
}

void
curves_mix (const Curves *curves, const guint *runs, guint n, double *mixed)
{
  for (guint edge = 0; edge < CURVE_EDGES; edge++)
    mixed[edge] = 0;
  for (guint run = 0; run < n; run++)
    {
      const double *parts = &g_array_index (curves->parts, double, runs[run] * CURVE_EDGES);

      for (guint edge = 0; edge < CURVE_EDGES; edge++)
        mixed[edge] += parts[edge] / n;
    }
}

#define EDGES_TOGETHER 21 /* of CURVE_EDGES: their sums of eight runs fit into the processor's nearest memory */

/* The sums of all selections of the runs from @first on, for some edges from @edge on. */
static void
add_up (const Curves *curves, guint first, guint edge, double sums[][EDGES_TOGETHER])
{
  guint runs = MIN (RUNS_OF_BYTE, curves->n - first);

  memset (sums[0], 0, sizeof sums[0]);
  for (guint run = 0; run < runs; run++)
    {
      const double *parts = &g_array_index (curves->parts, double, (first + run) * CURVE_EDGES + edge);

      for (guint others = 0; others < 1u << run; others++)
        for (guint i = 0; i < EDGES_TOGETHER; i++)
          sums[others | 1u << run][i] = sums[others][i] + parts[i];
    }
}

void
curves_add_chosen (const Curves *curves, const guint8 *chosen, guint n, double *sums)
{
  double known[1 << RUNS_OF_BYTE][EDGES_TOGETHER];

  G_STATIC_ASSERT (CURVE_EDGES % EDGES_TOGETHER == 0);
  memset (sums, 0, (gsize) n * CURVE_EDGES * sizeof *sums);
  for (guint edge = 0; edge < CURVE_EDGES; edge += EDGES_TOGETHER)
    for (guint first = 0; first < curves->n; first += RUNS_OF_BYTE)
      {
        const guint8 *selections = chosen + first / RUNS_OF_BYTE * CURVES_TOGETHER;

        add_up (curves, first, edge, known);
        for (guint i = 0; i < n; i++)
          {
            const double *restrict part = known[selections[i]];
            double *restrict sum = sums + i * CURVE_EDGES + edge;

            for (guint k = 0; k < EDGES_TOGETHER; k++)
              sum[k] += part[k];
          }
      }
}

/* The last of @values, except for the very last, that is at most @value. */
static guint
find_edge (const double *values, double value)
{
  guint low = 0;
  guint high = CURVE_EDGES - 1;

  while (high - low > 1)
    {
      guint middle = (low + high) / 2;

      if (values[middle] <= value)
        low = middle;
      else
        high = middle;
    }
  return low;
}

/* The value in @to on the straight line between two points of @from next to @value. */
static double
interpolate (const double *from, const double *to, double value)
{
  guint edge = find_edge (from, value);
  double length = from[edge + 1] - from[edge];
  double part = length > 0 ? (value - from[edge]) / length : 1;

  return to[edge] + CLAMP (part, 0, 1) * (to[edge + 1] - to[edge]);
}

double
curves_quantile (const Curves *curves, const double *mixed, double p)
{
  return interpolate (mixed, curves->edges, p);
}

double
curves_part_below (const Curves *curves, const double *mixed, double latency_ns)
{
  return interpolate (curves->edges, mixed, latency_ns);
}

static double
median (double *values, guint n)
{
  gsl_sort (values, 1, n);
  return gsl_stats_median_from_sorted_data (values, 1, n);
}

/* The Kolmogorov-Smirnov distance of @from and @to after mapping @to back along @line. */
static double
distance_along (const Curves *curves, const double *from, const double *to, Line line)
{
  double most = 0;

  for (guint edge = 0; edge < CURVE_EDGES; edge++)
    {
      double there = curves_part_below (curves, to, line.scale * curves->edges[edge] + line.shift_ns);

      most = MAX (most, fabs (from[edge] - there));
    }
  return most;
}

/* The line through the quantiles @x and @y with the median of the slopes between those that are @apart or more, and of
 * the remainders. */
static Line
fit_line (const double *x, const double *y, double apart)
{
  double slopes[SLOPES];
  double rest[QUANTILES];
  guint n = 0;
  Line line = { 1, 0 };

  for (guint i = 0; i < QUANTILES; i++)
    for (guint j = 0; j < i; j++)
      if (x[i] > x[j] && y[i] > y[j] && x[i] - x[j] >= apart)
        slopes[n++] = (y[i] - y[j]) / (x[i] - x[j]);
  if (n > 0)
    line.scale = median (slopes, n);
  for (guint i = 0; i < QUANTILES; i++)
    rest[i] = y[i] - line.scale * x[i];
  line.shift_ns = median (rest, QUANTILES);
  return line;
}

void
curves_lines (const Curves *curves, const double *from, const double *to, Line *lines, double *correlation)
{
  double x[QUANTILES];
  double y[QUANTILES];

  for (guint i = 0; i < QUANTILES; i++)
    {
      x[i] = curves_quantile (curves, from, (i + 1.0) / (QUANTILES + 1));
      y[i] = curves_quantile (curves, to, (i + 1.0) / (QUANTILES + 1));
    }
  lines[0] = fit_line (x, y, 0);
  lines[1] = fit_line (x, y, (x[QUANTILES - 1] - x[0]) / 2);
  lines[2] = fit_line (x, y, INFINITY);
  if (correlation)
    *correlation = gsl_stats_correlation (x, 1, y, 1, QUANTILES);
}

double
curves_aligned_distance (const Curves *curves, const double *from, const double *to)
{
  Line lines[CURVE_LINES];
  double least = INFINITY;

  curves_lines (curves, from, to, lines, NULL);
  for (guint i = 0; i < CURVE_LINES; i++)
    least = fmin (least, distance_along (curves, from, to, lines[i]));
  return least;
}

/* The mean of the curves of @n runs if the latencies of each bin are all where @place says. */
static void
mix_placed (
    const Curves *curves, const CulpritProfile *const *runs, const Line *lines, guint n, Placement place, double *mixed)
{
  double parts[CURVE_EDGES];

  memset (mixed, 0, CURVE_EDGES * sizeof *mixed);
  for (guint run = 0; run < n; run++)
    {
      measure (runs[run], lines[run], curves->edges, place, parts);
      for (guint edge = 0; edge < CURVE_EDGES; edge++)
        mixed[edge] += parts[edge] / n;
    }
}

double
curves_sure_distance (const Curves *curves, const CulpritProfile *const *runs, const Line *lines, guint n_from)
{
  const guint n_to = curves->n - n_from;
  double from_least[CURVE_EDGES];
  double from_most[CURVE_EDGES];
  double to_least[CURVE_EDGES];
  double to_most[CURVE_EDGES];
  double most = 0;

  mix_placed (curves, runs, lines, n_from, place_late, from_least);
  mix_placed (curves, runs, lines, n_from, place_early, from_most);
  mix_placed (curves, runs + n_from, lines + n_from, n_to, place_late, to_least);
  mix_placed (curves, runs + n_from, lines + n_from, n_to, place_early, to_most);
  for (guint edge = 0; edge < CURVE_EDGES; edge++)
    most = fmax (most, fmax (from_least[edge] - to_most[edge], to_least[edge] - from_most[edge]));
  return most;
}
