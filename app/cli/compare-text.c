/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit compare for people, and as a table for spreadsheets. */
#include "compare.h"

#include "units.h"

#include <math.h>

#define WIDTH 100

/* "the 99 % quantile is 2.0 us higher (1.0 to 4.0)" for each quantile. */
static void
print_shifts (const CulpritComparison *comparison)
{
  for (guint i = 0; i < CULPRIT_SHIFTS && comparison->ranked; i++)
    {
      const CulpritShift *shift = &comparison->shifts[i];

      g_print ("  %6g %% quantile: %+.3f us, 95 %% interval %+.3f to %+.3f\n", shift->p * 100,
               shift->difference_ns / 1e3, shift->low_ns / 1e3, shift->high_ns / 1e3);
    }
}

static void
print_row (const Comparing *comparing, guint place)
{
  const CulpritSummary *summary = &g_array_index (comparing->compared, CulpritCompared, place).summary;
  g_autofree char *name = print_shorten (compare_side (comparing, place)->name, 22);

  g_print ("%-22s %12.3f %10.3f %10.0f", name, summary->mean_ns / 1e3, summary->sd_ns / 1e3, summary->n);
  if (place > 0)
    {
      const CulpritComparison *comparison = compare_result (comparing, place);
      double percent = comparison->means.overhead_percent;
      g_autofree char *overhead = isnan (percent) ? g_strdup ("-") : g_strdup_printf ("%.2f %%", percent);

      g_print (" %10s %9.3f %12s", overhead, comparison->means.t, comparison->significant ? "yes" : "no");
    }
  g_print ("\n");
}

/* The peaks of both, when shapes were compared. */
static void
print_peaks (const CulpritShape *shape)
{
  for (guint i = 0; i < shape->peaks->len; i++)
    {
      const CulpritShapePeak *peak = &g_array_index (shape->peaks, CulpritShapePeak, i);
      g_autofree char *here = culprit_time_format (peak->base_ns);
      g_autofree char *there = culprit_time_format (peak->other_ns);

      g_print ("  peak at %s (%s there): %.2f %% and %.2f %% of the wake-ups, p = %.3f\n", here, there,
               peak->base_share * 100, peak->other_share * 100, peak->p);
    }
}

/* Beyond the base's latencies there is no rank to go by. */
static char *
mapped_in_words (const CulpritMapped *mapped, guint64 latency_ns, const char *base)
{
  g_autofree char *from = culprit_time_format (latency_ns);
  g_autofree char *to = culprit_time_format (isnan (mapped->ns) ? 0 : llround (mapped->ns));
  g_autofree char *low = isnan (mapped->low_ns) ? g_strdup ("?") : culprit_time_format (llround (mapped->low_ns));
  g_autofree char *high = isnan (mapped->high_ns) ? g_strdup ("?") : culprit_time_format (llround (mapped->high_ns));

  if (isnan (mapped->ns))
    return g_strdup_printf ("%s is beyond all latencies of %s: nothing corresponds to it", from, base);
  return g_strdup_printf ("%s of %s corresponds to %s (%s to %s); %.4f %% of the wake-ups are not above it", from, base,
                          to, low, high, mapped->p * 100);
}

static void
print_mapped (const Comparing *comparing, const Side *side)
{
  if (comparing->n_mapped > 0 && isnan (side->mapped[0].p))
    g_print ("  --map: not of %s, of which only mean and sd are known, or not of the base\n", side->name);
  for (guint i = 0; i < comparing->n_mapped && !isnan (side->mapped[i].p); i++)
    {
      const CulpritMapped *mapped = &side->mapped[i];
      g_autofree char *words = mapped_in_words (mapped, comparing->mapped_ns[i], compare_side (comparing, 0)->name);

      g_print ("  ");
      print_wrapped (words, 2, WIDTH);
    }
}

void
compare_print_text (const Comparing *comparing)
{
  g_print ("%-22s %12s %10s %10s %10s %9s %12s\n", "run", "mean us", "sd us", "n", "overhead", "t", "significant");
  for (guint i = 0; i < comparing->sides->len; i++)
    print_row (comparing, i);
  for (guint i = 1; i < comparing->sides->len; i++)
    {
      const Side *side = compare_side (comparing, i);
      const char *base = compare_side (comparing, 0)->name;
      g_autofree char *words = culprit_comparison_in_words (compare_result (comparing, i), base, side->name);
      g_autofree char *shape = side->shape ? culprit_shape_in_words (side->shape, base, side->name) : NULL;

      g_print ("\n");
      print_wrapped (words, 0, WIDTH);
      print_shifts (compare_result (comparing, i));
      print_mapped (comparing, side);
      if (!shape)
        continue;
      print_wrapped (shape, 0, WIDTH);
      print_peaks (side->shape);
    }
}

static void
add_row (CulpritTable *table, const Comparing *comparing, guint place)
{
  const CulpritSummary *summary = &g_array_index (comparing->compared, CulpritCompared, place).summary;
  const CulpritComparison *comparison = compare_result (comparing, place);
  const CulpritMeans *means = &comparison->means;
  const CulpritRanks *ranks = &comparison->ranks;
  const Side *side = compare_side (comparing, place);
  const double numbers[] = { summary->mean_ns,
                             summary->sd_ns,
                             summary->n,
                             means->difference_ns,
                             means->low_ns,
                             means->high_ns,
                             means->overhead_percent,
                             means->t,
                             means->df,
                             means->p,
                             comparison->corrected_p };
  const double shapes[] = { ranks->u,          ranks->u_p,          ranks->ks,
                            ranks->ks_p,       ranks->cliffs_delta, ranks->wasserstein_ns,
                            comparison->tail_p };

  culprit_table_add_text (table, compare_side (comparing, 0)->name);
  culprit_table_add_text (table, side->name);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    culprit_table_add_real (table, numbers[i]);
  culprit_table_add_text (table, comparison->significant ? "yes" : "no");
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    culprit_table_add_real (table, comparison->ranked ? shapes[i] : NAN);
  culprit_table_add_text (table, side->shape ? culprit_shape_verdict_name (side->shape->verdict) : "");
}

void
compare_print_csv (const Comparing *comparing)
{
  static const char *const names[] = {
    "base",
    "run",
    "mean_ns",
    "sd_ns",
    "n",
    "mean_difference_ns",
    "low_ns",
    "high_ns",
    "overhead_percent",
    "t",
    "df",
    "p",
    "corrected_p",
    "significant",
    "mannwhitney_u",
    "mannwhitney_p",
    "ks_d",
    "ks_p",
    "cliffs_delta",
    "wasserstein_ns",
    "tail_p",
    "same_shape",
  };
  g_autoptr (CulpritTable) table = culprit_table_new ();

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    culprit_table_add_column (table, names[i]);
  for (guint i = 1; i < comparing->sides->len; i++)
    add_row (table, comparing, i);
  print_table (table, FORMAT_CSV, NULL, "");
}
