/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Floods the histogram from above: each bin joins the peak next to it; where two peaks meet, the lower one ends. */
#include "peaks.h"

#include "lattice.h"

#include <math.h>
#include <stdlib.h>

#define MAX_BINS (1 << 22)

typedef struct
{
  guint64 count;
  guint32 peak; /* the bin of the peak that it belongs to, plus one; 0: not flooded yet */
} Cell;

typedef struct
{
  Cell *cells;
  guint n;
  double *prominences; /* by the peak's bin */
} Landscape;

static double
transform (guint64 count)
{
  return 2 * sqrt (count + 0.375);
}

/* The peak that the bin @index currently belongs to, following peaks that were joined to others. */
static guint
find_peak (Landscape *landscape, guint index)
{
  guint peak = landscape->cells[index].peak - 1;

  while (landscape->cells[peak].peak - 1 != peak)
    peak = landscape->cells[peak].peak - 1;
  landscape->cells[index].peak = peak + 1;
  return peak;
}

/* Two peaks meet at a valley of @count: the lower one ends; of equal ones, that at larger latencies. */
static void
meet (Landscape *landscape, guint left, guint right, guint64 count)
{
  guint higher = landscape->cells[left].count >= landscape->cells[right].count ? left : right;
  guint lower = higher == left ? right : left;

  landscape->prominences[lower] = transform (landscape->cells[lower].count) - transform (count);
  landscape->cells[lower].peak = higher + 1;
}

static void
flood (Landscape *landscape, guint index)
{
  Cell *cell = &landscape->cells[index];
  gboolean left = index > 0 && cell[-1].peak != 0;
  gboolean right = index + 1 < landscape->n && cell[1].peak != 0;

  if (!left && !right)
    cell->peak = index + 1;
  else if (left && right)
    {
      guint left_peak = find_peak (landscape, index - 1);
      guint right_peak = find_peak (landscape, index + 1);

      meet (landscape, left_peak, right_peak, cell->count);
      cell->peak = left_peak + 1;
    }
  else
    cell->peak = find_peak (landscape, left ? index - 1 : index + 1) + 1;
}

static int
compare_heights (const void *a, const void *b, void *data)
{
  const Cell *cells = data;
  guint left = *(const guint *) a;
  guint right = *(const guint *) b;

  if (cells[left].count != cells[right].count)
    return cells[left].count > cells[right].count ? -1 : 1;
  return left < right ? -1 : left > right;
}

static void
flood_all (Landscape *landscape)
{
  g_autofree guint *order = g_new (guint, landscape->n);

  for (guint i = 0; i < landscape->n; i++)
    order[i] = i;
  qsort_r (order, landscape->n, sizeof *order, compare_heights, landscape->cells);
  for (guint i = 0; i < landscape->n; i++)
    flood (landscape, order[i]);
  landscape->prominences[order[0]] = transform (landscape->cells[order[0]].count) - transform (0);
}

/* The lowest bin between two others; of equal ones, the first. */
static guint
find_pass (const Landscape *landscape, guint from, guint to)
{
  guint pass = from;

  for (guint i = from; i <= to; i++)
    if (landscape->cells[i].count < landscape->cells[pass].count)
      pass = i;
  return pass;
}

/* The bins in which peaks are searched for: whole ticks of the profile's clock, so that each has the same number of
 * ticks. */
typedef struct
{
  CulpritLattice lattice;
  gint64 ticks; /* per bin */
  gint64 first; /* the first bin; bin 0 begins with tick 0 */
} Bins;

static gint64
floor_divide (gint64 value, gint64 divisor)
{
  return value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor);
}

static gint64
bin_of (const Bins *bins, gint64 latency_ns)
{
  return floor_divide (culprit_lattice_tick (&bins->lattice, latency_ns), bins->ticks) - bins->first;
}

/* The beginning of the bin @index, counted from the first one. */
static gint64
bin_from (const Bins *bins, gint64 index)
{
  return culprit_lattice_from (&bins->lattice, (bins->first + index) * bins->ticks);
}

/* Divides the @n samples among the peaks that were kept, at the valleys. */
static void
add_shares (const Landscape *landscape, const Bins *bins, const GArray *indices, guint64 n, GArray *peaks)
{
  guint from = 0;

  for (guint i = 0; i < indices->len; i++)
    {
      guint to = i + 1 < indices->len
                     ? find_pass (landscape, g_array_index (indices, guint, i), g_array_index (indices, guint, i + 1))
                     : landscape->n;
      CulpritPeak *peak = &g_array_index (peaks, CulpritPeak, i);
      guint64 mass = 0;

      for (guint index = from; index < to; index++)
        mass += landscape->cells[index].count;
      peak->share = (double) mass / n;
      peak->from_ns = bin_from (bins, from);
      peak->to_ns = bin_from (bins, to);
      from = to;
    }
}

/* Bins of about @width_ns for @profile, and their number. */
static Bins
choose_bins (const CulpritProfile *profile, gint64 width_ns, guint *n)
{
  gint64 last_ns = culprit_profile_bin (profile, profile->bins->len - 1)->latency_ns;
  Bins bins = { .lattice = culprit_lattice_find (profile) };

  bins.ticks = MAX (1, llround (width_ns / bins.lattice.step_ns));
  bins.first = bin_of (&bins, culprit_profile_bin (profile, 0)->latency_ns);
  while (bin_of (&bins, last_ns) >= MAX_BINS)
    {
      bins.ticks *= 2;
      bins.first = 0;
      bins.first = bin_of (&bins, culprit_profile_bin (profile, 0)->latency_ns);
    }
  *n = bin_of (&bins, last_ns) + 1;
  return bins;
}

GArray *
culprit_peaks_find (const CulpritProfile *profile, gint64 width_ns, double prominence)
{
  GArray *peaks = g_array_new (FALSE, FALSE, sizeof (CulpritPeak));
  g_autoptr (GArray) indices = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree Cell *cells = NULL;
  g_autofree double *prominences = NULL;
  Landscape landscape;
  Bins bins = choose_bins (profile, width_ns, &landscape.n);

  landscape.cells = cells = g_new0 (Cell, landscape.n);
  landscape.prominences = prominences = g_new0 (double, landscape.n);
  for (guint i = 0; i < profile->bins->len; i++)
    {
      const CulpritBin *bin = culprit_profile_bin (profile, i);

      cells[bin_of (&bins, bin->latency_ns)].count += bin->count;
    }
  flood_all (&landscape);
  for (guint i = 0; i < landscape.n; i++)
    {
      CulpritPeak peak = { .low_ns = bin_from (&bins, i),
                           .high_ns = bin_from (&bins, i + 1) - 1,
                           .count = cells[i].count,
                           .prominence = prominences[i] };

      if (peak.prominence < prominence)
        continue;
      g_array_append_val (peaks, peak);
      g_array_append_val (indices, i);
    }
  add_shares (&landscape, &bins, indices, profile->n, peaks);
  return peaks;
}
