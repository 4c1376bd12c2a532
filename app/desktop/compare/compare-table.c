/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every ratio says what it is a ratio of. */
#include "compare/compare-table.h"

#include "study/comparison-table.h"

/* The base has no difference from itself. */
static void
show_difference (GtkWidget *cell, CulpritRow *row)
{
  g_autofree char *text = culprit_cell_text (culprit_row_value (row, "mean_difference_ns"), CELL_DIFFERENCE);

  gtk_label_set_label (GTK_LABEL (cell), culprit_row_place (row) == 0 ? "base" : text);
}

const TableColumn compare_columns[] = {
  { "run", "Run", CELL_TEXT,
    "The run, or all runs of that name with a number behind it, added up; or the captured wake-ups of one with the "
    "tracer's time taken out, of which too many are late.",
    12, TRUE },
  { "mean_ns", "Mean", CELL_TIME, "The mean latency.", 8 },
  { "sd_ns", "SD", CELL_TIME, "The standard deviation, with n - 1.", 7 },
  { "n", "n", CELL_COUNT, "How many wake-ups were measured.", 6 },
  { "mean_difference_ns", "Difference", CELL_DIFFERENCE, "The run's mean less the base's mean.", 8, FALSE, NULL,
    show_difference },
  { "low_ns", "95 % from", CELL_DIFFERENCE,
    "Where the 95 % interval of the difference begins. It needs six or more runs of each, since the latencies of one "
    "run "
    "depend on each other.",
    8 },
  { "high_ns", "to", CELL_DIFFERENCE, "Where the 95 % interval of the difference ends.", 8 },
  { "overhead_percent", "Overhead", CELL_CHANGE, "The difference of the means, in per cent of the base's mean.", 8 },
  { "t", "t", CELL_RATIO,
    "The difference of the means divided by its standard error (Welch's test of the means of runs).", 6 },
  { "corrected_p", "p", CELL_P,
    "How likely so large a t is where the means are the same, corrected for all that is claimed of all runs shown "
    "(Holm).",
    6 },
  { "significant", "Differs", CELL_TEXT,
    "Whether the means differ: by more than the margin, with a corrected p below 0.05. Untested where there are too "
    "few runs.",
    3 },
  { "same_shape", "Same Shape", CELL_TEXT,
    "Whether both are the same but for a shift and a scale, as one system with tracing and without should be. Runs are "
    "compared, not wake-ups: at least six of each are needed.",
    10 },
  { "ks_d", "KS D", CELL_RATIO,
    "Kolmogorov and Smirnov's distance: the largest difference between the parts of the wake-ups that are not above a "
    "latency, from 0 to 1.",
    5 },
  { "ks_p", "KS p", CELL_P,
    "How likely so large a distance is when runs are exchanged between both at random. It needs six or more runs of "
    "each.",
    6 },
  { "cliffs_delta", "Cliff's δ", CELL_RATIO,
    "Of all pairs of a wake-up of the run and one of the base: the part in which the run's is greater less the part "
    "in which it is smaller, from -1 to 1.",
    6 },
  { "tail_p", "Tail p", CELL_P,
    "How likely such a difference between the numbers of latencies above the 99.5 % quantile of both together is when "
    "runs are exchanged between both at random. It needs six or more runs of each.",
    6 },
  { NULL },
};

CulpritRows *
compare_rows (const Comparing *comparing)
{
  CulpritTable *table = culprit_comparison_table_new ();
  const char *base = comparing_side (comparing, 0)->name;

  for (guint i = 0; i < comparing->sides->len; i++)
    {
      const CompareSide *side = comparing_side (comparing, i);

      culprit_comparison_table_add (table, base, side->name, &side->summary, comparing_result (comparing, i),
                                    comparing_has_shape (comparing, i) ? COMPARE_COMPUTING : "");
    }
  return culprit_rows_new (table);
}
