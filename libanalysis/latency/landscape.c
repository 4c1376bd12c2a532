/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Floods the histogram from above: each bin joins the peak next to it; where two peaks meet, the lower one ends. */
#include "landscape-private.h"

#include <math.h>
#include <stdlib.h>

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

Landscape *
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

void
landscape_free (Landscape *landscape)
{
  g_free (landscape->counts);
  g_free (landscape->peaks);
  g_free (landscape->before);
  g_free (landscape->after);
  g_free (landscape->prominences);
  g_free (landscape);
}

double
landscape_prominence (const Landscape *landscape, guint index)
{
  return landscape->prominences[index];
}

void
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

double
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

guint
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
