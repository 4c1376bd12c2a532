/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps bins sorted, so that ranks are found by one pass over few numbers instead of by sorting all samples. */
#include "profile.h"

#include "budgets.h"
#include "units.h"

#include <math.h>
#include <stdlib.h>

/* Unpacks pairs of zigzag LEB128 numbers: the gap to the previous sample, and the latency. */

#define MAX_NUMBER_SHIFT 63

/* Reads a number and advances. FALSE: there is none. */
static gboolean
unpack (const guint8 **at, const guint8 *end, gint64 *value)
{
  guint64 number = 0;

  for (guint shift = 0; *at < end && shift <= MAX_NUMBER_SHIFT; shift += 7)
    {
      guint8 byte = *(*at)++;

      number |= (guint64) (byte & 0x7f) << shift;
      if (byte & 0x80)
        continue;
      *value = (gint64) (number >> 1) ^ -(gint64) (number & 1);
      return TRUE;
    }
  return FALSE;
}

gboolean
culprit_samples_next (const guint8 **at, const guint8 *end, gint64 *latency_ns)
{
  gint64 gap_ns;

  return unpack (at, end, &gap_ns) && unpack (at, end, latency_ns) && *latency_ns > -MAX_LATENCY_NS &&
         *latency_ns < MAX_LATENCY_NS;
}

CulpritProfile *
culprit_samples_unpack (const guint8 *packed, gsize size, gint64 cycles)
{
  g_autoptr (CulpritProfile) profile = culprit_profile_new (1);
  const guint8 *at = packed;
  const guint8 *end = packed + size;
  gint64 latency_ns;

  for (gint64 i = 0; i < cycles; i++)
    {
      if (!culprit_samples_next (&at, end, &latency_ns))
        return NULL;
      culprit_profile_add (profile, latency_ns, 1);
    }
  culprit_profile_finish (profile);
  return at == end ? g_steal_pointer (&profile) : NULL;
}

/* Chooses ranks and finds their latencies in one pass. */

double
culprit_rank_median (double rank, double n)
{
  if (rank <= 1)
    return -expm1 (-M_LN2 / n);
  if (rank >= n)
    return exp (-M_LN2 / n);
  return (rank - 0.3175) / (n + 0.365);
}

/* The rank, from 1, of the point @i of @points. */
static guint64
choose_rank (guint64 n, guint i, guint points)
{
  double end = log (n - 0.5) - log (0.5);
  double logit = end * (2.0 * i / (points - 1) - 1);

  if (n <= points)
    return i + 1;
  return CLAMP (0.5 + n / (1 + exp (-logit)) + 0.5, 1, n);
}

GArray *
culprit_rank_points (const CulpritProfile *profile, guint most)
{
  GArray *points = g_array_new (FALSE, FALSE, sizeof (CulpritRankPoint));
  guint wanted = MIN (profile->n, most);
  double n = profile->n + profile->beyond;
  guint64 last = 0;
  guint64 before = 0; /* samples before the bin */
  guint index = 0;

  for (guint i = 0; i < wanted; i++)
    {
      guint64 rank = choose_rank (profile->n, i, wanted);
      CulpritRankPoint point = { culprit_rank_median (rank, n), culprit_rank_median (n + 1 - rank, n) };

      if (rank <= last)
        continue;
      while (before + culprit_profile_bin (profile, index)->count < rank)
        before += culprit_profile_bin (profile, index++)->count;
      point.ns = culprit_profile_bin (profile, index)->latency_ns;
      g_array_append_val (points, point);
      last = rank;
    }
  return points;
}

#define FINE_NS 1000 /* the unit of tools that do not use ns: bins of any other width are coarse */

CulpritProfile *
culprit_profile_new (gint64 width_ns)
{
  CulpritProfile *profile = g_new0 (CulpritProfile, 1);

  profile->bins = g_array_new (FALSE, FALSE, sizeof (CulpritBin));
  profile->width_ns = width_ns;
  profile->end_ns = G_MININT64;
  return profile;
}

void
culprit_profile_free (CulpritProfile *profile)
{
  g_array_unref (profile->bins);
  g_clear_pointer (&profile->printed, culprit_printed_free);
  g_free (profile);
}

gboolean
culprit_profile_add (CulpritProfile *profile, gint64 latency_ns, guint64 count)
{
  CulpritBin bin = { latency_ns, count };

  if (count > G_MAXINT64 - profile->n)
    return FALSE;
  if (count > 0)
    g_array_append_val (profile->bins, bin);
  profile->n += count;
  profile->end_ns = MAX (profile->end_ns, latency_ns);
  return TRUE;
}

gboolean
culprit_profile_add_all (CulpritProfile *profile, const CulpritProfile *other)
{
  if (other->n > G_MAXINT64 - profile->n)
    return FALSE;
  g_array_append_vals (profile->bins, other->bins->data, other->bins->len);
  profile->n += other->n;
  profile->beyond = MIN (profile->beyond + other->beyond, MAX_SUM);
  profile->width_ns = MAX (profile->width_ns, other->width_ns);
  profile->middle_ns = MAX (profile->middle_ns, other->middle_ns);
  return TRUE;
}

static int
compare_bins (const void *a, const void *b)
{
  const CulpritBin *left = a;
  const CulpritBin *right = b;

  return (left->latency_ns > right->latency_ns) - (left->latency_ns < right->latency_ns);
}

void
culprit_profile_finish (CulpritProfile *profile)
{
  CulpritBin *bins = (CulpritBin *) (gpointer) profile->bins->data;
  guint kept = 0;

  if (profile->bins->len > 0)
    qsort (bins, profile->bins->len, sizeof *bins, compare_bins);
  for (guint i = 0; i < profile->bins->len; i++)
    if (kept > 0 && bins[kept - 1].latency_ns == bins[i].latency_ns)
      bins[kept - 1].count += bins[i].count;
    else
      bins[kept++] = bins[i];
  g_array_set_size (profile->bins, kept);
}

/* From the beginning of a bin of this width to the latency that represents it. */
static gint64
middle_of (gint64 width_ns)
{
  return width_ns == 1 || width_ns == FINE_NS ? 0 : width_ns / 2;
}

/* A table in ms may contain finer latencies. */
void
culprit_profile_take_middles (CulpritProfile *profile)
{
  for (guint i = 0; i < profile->bins->len; i++)
    if (culprit_profile_bin (profile, i)->latency_ns % profile->width_ns != 0)
      return;
  profile->middle_ns = middle_of (profile->width_ns);
  profile->end_ns += profile->middle_ns;
  for (guint i = 0; i < profile->bins->len; i++)
    g_array_index (profile->bins, CulpritBin, i).latency_ns += profile->middle_ns;
}

void
culprit_profile_end (CulpritProfile *profile, gint64 end_ns)
{
  profile->end_ns = end_ns;
  while (profile->bins->len > 0)
    {
      const CulpritBin *last = culprit_profile_bin (profile, profile->bins->len - 1);

      if (last->latency_ns <= end_ns)
        break;
      profile->n -= last->count;
      profile->beyond = MIN (profile->beyond + last->count, MAX_SUM);
      g_array_set_size (profile->bins, profile->bins->len - 1);
    }
}

gint64
culprit_profile_step (const CulpritProfile *profile)
{
  return profile->middle_ns > 0 || profile->width_ns == FINE_NS ? profile->width_ns : 1;
}

gint64
culprit_profile_last (const CulpritProfile *profile, gint64 latency_ns)
{
  return latency_ns - profile->middle_ns + culprit_profile_step (profile) - 1;
}

/* Those beyond are at least this: the end of the last bin. */
gint64
culprit_profile_beyond_from (const CulpritProfile *profile)
{
  return culprit_profile_last (profile, profile->end_ns) + 1;
}

static gint64
round_down (gint64 ns, gint64 width_ns)
{
  return culprit_floor_divide (ns, width_ns) * width_ns;
}

CulpritProfile *
culprit_profile_coarsen (const CulpritProfile *profile, gint64 width_ns)
{
  CulpritProfile *coarse = culprit_profile_new (width_ns);

  coarse->middle_ns = middle_of (width_ns);
  for (guint i = 0; i < profile->bins->len; i++)
    {
      const CulpritBin *bin = culprit_profile_bin (profile, i);
      gint64 latency_ns = round_down (bin->latency_ns - profile->middle_ns, width_ns) + coarse->middle_ns;
      CulpritBin *last =
          coarse->bins->len > 0 ? &g_array_index (coarse->bins, CulpritBin, coarse->bins->len - 1) : NULL;

      if (!last || last->latency_ns != latency_ns) /* They come in order. */
        culprit_profile_add (coarse, latency_ns, bin->count);
      else
        last->count += bin->count;
    }
  coarse->n = profile->n;
  coarse->beyond = profile->beyond;
  if (profile->beyond > 0)
    coarse->end_ns = round_down (culprit_profile_beyond_from (profile), width_ns) - width_ns + coarse->middle_ns;
  return coarse;
}

CulpritProfile *
culprit_profile_cut (const CulpritProfile *profile, gint64 end_ns)
{
  CulpritProfile *cut = culprit_profile_new (profile->width_ns);
  guint64 above = profile->beyond;

  cut->middle_ns = profile->middle_ns;
  for (guint i = 0; i < profile->bins->len; i++)
    {
      const CulpritBin *bin = culprit_profile_bin (profile, i);

      if (bin->latency_ns <= end_ns)
        culprit_profile_add (cut, bin->latency_ns, bin->count);
      else
        above += bin->count;
    }
  culprit_profile_add (cut, end_ns + profile->width_ns, above);
  culprit_profile_finish (cut);
  return cut;
}

/* The longest latency of @profile as far as its tool knew it; NaN: it is only known to be above the histogram's end. */
static double
longest_ns (const CulpritProfile *profile)
{
  double printed_ns = profile->printed ? profile->printed->max_ns : NAN;

  return isnan (printed_ns) && profile->beyond == 0
             ? culprit_profile_to (profile, culprit_profile_rank (profile, profile->n - 1))
             : printed_ns;
}

static gboolean
has_printed_mean (const CulpritProfile *profile)
{
  return profile->printed && !isnan (profile->printed->mean_ns);
}

/* The sum of all its latencies, by the mean that the tool told, if it did; NaN: there are some beyond. */
static double
whole_sum_ns (const CulpritProfile *profile)
{
  double sum_ns = 0;

  if (profile->beyond > 0 || has_printed_mean (profile))
    return (profile->printed ? profile->printed->mean_ns : NAN) * (profile->n + profile->beyond);
  for (guint i = 0; i < profile->bins->len; i++)
    sum_ns += culprit_profile_bin (profile, i)->latency_ns * (double) culprit_profile_bin (profile, i)->count;
  return sum_ns;
}

CulpritProfile *
culprit_profile_sum (const GPtrArray *profiles)
{
  gint64 end_ns = G_MAXINT64; /* of the shortest histogram with latencies above it */
  double max_ns = -INFINITY;
  double sum_ns = 0;
  gboolean unknown = FALSE;
  gboolean has_mean = FALSE;
  CulpritProfile *sum = culprit_profile_new (1);

  for (guint i = 0; i < profiles->len; i++)
    {
      const CulpritProfile *profile = g_ptr_array_index (profiles, i);
      double longest = longest_ns (profile);

      culprit_profile_add_all (sum, profile);
      if (profile->beyond > 0)
        end_ns = MIN (end_ns, profile->end_ns);
      unknown |= isnan (longest);
      has_mean |= profile->beyond > 0 || has_printed_mean (profile);
      max_ns = fmax (max_ns, longest);
      sum_ns += whole_sum_ns (profile);
    }
  culprit_profile_finish (sum);
  if (sum->beyond > 0)
    culprit_profile_end (sum, end_ns);
  if (profiles->len > 0 && (has_mean || max_ns != longest_ns (sum)))
    {
      sum->printed = culprit_printed_new ();
      sum->printed->max_ns = unknown ? NAN : max_ns;
      sum->printed->mean_ns = has_mean ? sum_ns / (sum->n + sum->beyond) : NAN;
    }
  return sum;
}

/* Tools cut the maximum to whole microseconds, unless they count in ns. */
static gboolean
is_all_before (const CulpritProfile *profile, gint64 deadline_ns)
{
  const gint64 cut_ns = culprit_profile_step (profile) > 1 ? FINE_NS : 1;

  return profile->printed && profile->printed->max_ns + cut_ns <= deadline_ns;
}

/* Of those in the histogram, how many are surely not before the deadline. */
static guint64
count_surely_late (const CulpritProfile *profile, gint64 deadline_ns)
{
  return profile->n - culprit_profile_count_to (profile, deadline_ns - 1 + profile->middle_ns);
}

/* Also those in a bin that begins before it. */
static guint64
count_possibly_late (const CulpritProfile *profile, gint64 deadline_ns)
{
  return count_surely_late (profile, deadline_ns - culprit_profile_step (profile) + 1);
}

gboolean
culprit_profile_hides (const CulpritProfile *profile, gint64 deadline_ns)
{
  const CulpritPrinted *printed = profile->printed;

  if (!printed || profile->beyond > 0 || profile->n == 0 || is_all_before (profile, deadline_ns))
    return FALSE;
  return printed->max_ns >
         culprit_profile_to (profile, culprit_profile_rank (profile, profile->n - 1)) + profile->width_ns;
}

guint64
culprit_profile_count_late (const CulpritProfile *profile, gint64 deadline_ns)
{
  guint64 surely = culprit_profile_count_surely_late (profile, deadline_ns);

  if (is_all_before (profile, deadline_ns) || culprit_profile_hides (profile, deadline_ns))
    return surely;
  return MAX (count_possibly_late (profile, deadline_ns) + profile->beyond, surely);
}

guint64
culprit_profile_count_surely_late (const CulpritProfile *profile, gint64 deadline_ns)
{
  gboolean all_beyond = !is_all_before (profile, deadline_ns) && deadline_ns <= culprit_profile_beyond_from (profile);
  guint64 counted = count_surely_late (profile, deadline_ns) + (all_beyond ? profile->beyond : 0);

  return counted == 0 && profile->printed && profile->printed->max_ns >= deadline_ns ? 1 : counted;
}

gboolean
culprit_profile_divides (const CulpritProfile *profile, gint64 deadline_ns)
{
  return culprit_profile_count_late (profile, deadline_ns) > culprit_profile_count_surely_late (profile, deadline_ns);
}

char *
culprit_beyond_in_words (guint64 beyond, guint64 n, const char *name)
{
  g_autofree char *shown = culprit_count_format (beyond);
  g_autofree char *all = culprit_count_format (n + beyond);

  if (beyond == 0)
    return NULL;
  return g_strdup_printf (
      "%s of %s latencies of %s are above the end of its histogram: how long they were is not known", shown, all, name);
}

gint64
culprit_profile_rank (const CulpritProfile *profile, guint64 rank)
{
  guint64 before = 0;

  for (guint i = 0; i < profile->bins->len; i++)
    {
      before += culprit_profile_bin (profile, i)->count;
      if (rank < before)
        return culprit_profile_bin (profile, i)->latency_ns;
    }
  return culprit_profile_bin (profile, profile->bins->len - 1)->latency_ns;
}

guint64
culprit_profile_count_to (const CulpritProfile *profile, gint64 latency_ns)
{
  guint64 count = 0;

  for (guint i = 0; i < profile->bins->len && culprit_profile_bin (profile, i)->latency_ns <= latency_ns; i++)
    count += culprit_profile_bin (profile, i)->count;
  return count;
}
