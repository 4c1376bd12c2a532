/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of comparisons; unknown values are null. */
#include "tables/comparison.h"

#include "latency/comparison/comparison-words.h"
#include "tables/tables.h"
#include "tables/words-private.h"

#include <math.h>

#define UNTESTED "untested" /* in CSV; people read CULPRIT_UNDECIDED */
#define OF_RUNS " It needs six or more runs of each, since the latencies of one run depend on each other."

static const CulpritColumn columns[] = {
  { "base", "Baseline", CULPRIT_KIND_TEXT, "The run that the others are compared with." },
  { "run", "Run", CULPRIT_KIND_TEXT,
    "The run, or all numbered runs of that name together; or the captured wake-ups of a run without the tracer's time, "
    "too many of which are late.",
    12, TRUE },
  { "mean_ns", "Mean", CULPRIT_KIND_EXACT, WORDS_MEAN, 8 },
  { "sd_ns", "SD", CULPRIT_KIND_EXACT, WORDS_SD, 7 },
  { "n", "n", CULPRIT_KIND_COUNT, WORDS_LATENCIES, 6 },
  { "mean_difference_ns", "Difference", CULPRIT_KIND_DIFFERENCE, "The run's mean minus the baseline's mean.", 8 },
  { "low_ns", "95 % From", CULPRIT_KIND_DIFFERENCE, "Where the 95 % interval of the difference begins." OF_RUNS, 8 },
  { "high_ns", "To", CULPRIT_KIND_DIFFERENCE, "Where the 95 % interval of the difference ends.", 8 },
  { "overhead_percent", "Overhead", CULPRIT_KIND_CHANGE,
    "The difference of the means, in per cent of the baseline's mean.", 8 },
  { "t", "t", CULPRIT_KIND_RATIO,
    "The difference of the means divided by its standard error (Welch's test of the means of runs).", 6 },
  { "df", "df", CULPRIT_KIND_RATIO, "The degrees of freedom of that test." },
  { "p", "p", CULPRIT_KIND_P, "How likely a t this large is if the means are equal." },
  { "corrected_p", "p", CULPRIT_KIND_P,
    "How likely a t this large is if the means are equal, corrected for all tests of all runs shown (Holm).", 6 },
  { "significant", "Significant", CULPRIT_KIND_ANSWER,
    "Whether the means differ: by more than the margin, with a corrected p below 0.05. With too few runs this is "
    "undecided (in CSV: untested).",
    3 },
  { "mannwhitney_u", "U", CULPRIT_KIND_MEAN,
    "The Mann-Whitney U: pairs in which the baseline's latency is greater; ties count half." },
  { "mannwhitney_p", "U p", CULPRIT_KIND_P, "How likely a U this different is by chance." OF_RUNS },
  { "ks_d", "KS D", CULPRIT_KIND_RATIO,
    "The Kolmogorov-Smirnov distance: the largest difference between the shares of wake-ups up to any latency, from "
    "0 to 1.",
    5 },
  { "ks_p", "KS p", CULPRIT_KIND_P,
    "How likely a distance this large is if runs are randomly permuted between both." OF_RUNS, 6 },
  { "cliffs_delta", "Cliff's δ", CULPRIT_KIND_RATIO,
    "Of all pairs of a wake-up of the run and one of the baseline: the share in which the run's is greater minus the "
    "share in which it is smaller, from -1 to 1.",
    6 },
  { "wasserstein_ns", "Wasserstein", CULPRIT_KIND_TIME,
    "How far, on average, latencies must be moved to turn one distribution into the other." },
  { "tail_p", "Tail p", CULPRIT_KIND_P,
    "How likely such a difference in the number of latencies above the common 99.5 % quantile is if runs are randomly "
    "permuted between both." OF_RUNS,
    6 },
  { "same_shape", "Same Shape", CULPRIT_KIND_ANSWER,
    "Whether both have the same shape apart from shift and scale, as one system with and without tracing should. Runs "
    "are compared, not wake-ups: at least six of each are needed.",
    10 },
  { "units", "Tested", CULPRIT_KIND_TEXT, "What was tested: runs, latencies or values; none if there is no test." },
  { "margin_ns", "Margin", CULPRIT_KIND_TIME, "Smaller differences of the mean or a quantile are not relevant." },
  { "p_reason", "Untested", CULPRIT_KIND_TEXT, "Why there is no p." },
  { NULL },
};

const CulpritDefinition culprit_comparisons = {
  .row = "run",
  .columns = columns,
  .text = "run mean_ns sd_ns n overhead_percent t significant",
  .report = "run mean_ns sd_ns n mean_difference_ns low_ns high_ns overhead_percent corrected_p significant ks_d",
  .window = "run mean_ns sd_ns n mean_difference_ns low_ns high_ns overhead_percent t corrected_p significant "
            "same_shape ks_d ks_p cliffs_delta tail_p",
};

const char *
culprit_answer_text (const char *answer)
{
  const char *inconclusive = culprit_shape_verdict_name (CULPRIT_SHAPE_INCONCLUSIVE);

  return g_str_equal (answer, UNTESTED) || g_str_equal (answer, inconclusive) ? CULPRIT_UNDECIDED : answer;
}

static const char *
say_significant (const CulpritClaim *claim)
{
  return isnan (claim->p) ? UNTESTED : claim->significant ? "yes" : "no";
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
    culprit_table_add_real (table, comparison->ranked && !comparison->selected ? numbers[i] : NAN);
}

/* What the tests are based on, or why there are none. */
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
