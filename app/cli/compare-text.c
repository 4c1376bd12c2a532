/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit compare for people, and as a table for spreadsheets. */
#include "compare.h"

#include "study/comparison-table.h"
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

static void
print_mapped (const Comparing *comparing, const Side *side)
{
  if (comparing->n_mapped > 0 && isnan (side->mapped[0].p))
    g_print ("  --map: not of %s, of which only mean and sd are known, or not of the base\n", side->name);
  for (guint i = 0; i < comparing->n_mapped && !isnan (side->mapped[i].p); i++)
    {
      const CulpritMapped *mapped = &side->mapped[i];
      g_autofree char *words =
          culprit_mapped_in_words (mapped, comparing->mapped_ns[i], compare_side (comparing, 0)->name);

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

void
compare_print_csv (const Comparing *comparing)
{
  g_autoptr (CulpritTable) table = culprit_comparison_table_new ();
  const char *base = compare_side (comparing, 0)->name;

  for (guint i = 1; i < comparing->sides->len; i++)
    {
      const Side *side = compare_side (comparing, i);

      culprit_comparison_table_add (
          table, base, side->name, &g_array_index (comparing->compared, CulpritCompared, i).summary,
          compare_result (comparing, i), side->shape ? culprit_shape_verdict_name (side->shape->verdict) : "");
    }
  print_table (table, FORMAT_CSV, NULL, "");
}
