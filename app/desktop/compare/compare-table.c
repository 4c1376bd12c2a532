/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the library's table of a comparison. */
#include "compare/compare-table.h"

#include "charts/run-cell.h"
#include "show.h"
#include "tables/comparison.h"

/* The base has no difference from itself. */
static void
show_difference (GtkWidget *cell, CulpritRow *row)
{
  g_autofree char *text = culprit_row_cell (row, culprit_definition_find (&culprit_comparisons, "mean_difference_ns"));

  show_line (cell, culprit_row_place (row) == 0 ? "base" : text);
}

const TableCell compare_cells[] = {
  RUN_CELL,
  { "mean_difference_ns", NULL, show_difference },
  { NULL },
};

CulpritRows *
compare_rows (const Comparing *comparing)
{
  CulpritTable *table = culprit_definition_begin (&culprit_comparisons);
  const char *base = comparing_side (comparing, 0)->name;
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  CulpritRows *rows;

  for (guint i = 0; i < comparing->sides->len; i++)
    {
      const CompareSide *side = comparing_side (comparing, i);

      culprit_comparison_table_add (table, base, side->name, &side->compared.summary, comparing_result (comparing, i),
                                    comparing_has_shape (comparing, i) ? COMPARE_COMPUTING : "");
      g_array_append_val (numbers, side->number);
    }
  rows = culprit_rows_new (table);
  run_cell_attach (rows, numbers);
  return rows;
}
