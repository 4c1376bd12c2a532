/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is not known of a comparison is a null. */
#include "comparison-table.h"

#include <math.h>

CulpritTable *
culprit_comparison_table_new (void)
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
    "units",
    "margin_ns",
    "p_reason",
  };
  CulpritTable *table = culprit_table_new ();

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    culprit_table_add_column (table, names[i]);
  return table;
}

static const char *
say_significant (const CulpritClaim *claim)
{
  return isnan (claim->p) ? "untested" : claim->significant ? "yes" : "no";
}

static void
add_means (CulpritTable *table, const CulpritComparison *comparison)
{
  const CulpritMeans unknown = { NAN, NAN, NAN, NAN, NAN, NAN, NAN };
  const CulpritMeans *means = comparison ? &comparison->means : &unknown;
  const double numbers[] = { means->difference_ns,
                             means->low_ns,
                             means->high_ns,
                             means->overhead_percent,
                             means->t,
                             means->df,
                             means->p,
                             comparison ? comparison->claims[CULPRIT_CLAIM_MEAN].corrected_p : NAN };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    culprit_table_add_real (table, numbers[i]);
  culprit_table_add_text (table, !comparison ? "" : say_significant (&comparison->claims[CULPRIT_CLAIM_MEAN]));
}

static void
add_ranks (CulpritTable *table, const CulpritComparison *comparison)
{
  const CulpritRanks *ranks = &comparison->ranks;
  const double numbers[] = { ranks->u,
                             comparison->u_p,
                             ranks->ks,
                             comparison->claims[CULPRIT_CLAIM_DISTRIBUTION].p,
                             ranks->cliffs_delta,
                             ranks->wasserstein_ns,
                             comparison->claims[CULPRIT_CLAIM_TAIL].p };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    culprit_table_add_real (table, comparison->ranked ? numbers[i] : NAN);
}

/* What the tests rest on, or why there are none. */
static void
add_basis (CulpritTable *table, const CulpritComparison *comparison)
{
  const char *units = comparison ? culprit_units_name (comparison->units) : NULL;
  const char *reason = comparison ? culprit_claim_untested (comparison, CULPRIT_CLAIM_MEAN) : NULL;

  culprit_table_add_text (table, units ? units : "");
  culprit_table_add_real (table, comparison ? comparison->margin_ns : NAN);
  culprit_table_add_text (table, reason ? reason : "");
}

void
culprit_comparison_table_add (CulpritTable *table,
                              const char *base,
                              const char *run,
                              const CulpritSummary *summary,
                              const CulpritComparison *comparison,
                              const char *same_shape)
{
  const CulpritComparison none = { .ranked = FALSE };

  culprit_table_add_text (table, base);
  culprit_table_add_text (table, run);
  culprit_table_add_real (table, summary->mean_ns);
  culprit_table_add_real (table, summary->sd_ns);
  culprit_table_add_real (table, summary->n);
  add_means (table, comparison);
  add_ranks (table, comparison ? comparison : &none);
  culprit_table_add_text (table, same_shape);
  add_basis (table, comparison);
}
