/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the library's table of latencies that the document has read. */
#include "latency/latency-table.h"

#include "charts/run-cell.h"
#include "tables/latency.h"

const TableCell latency_cells[] = {
  RUN_CELL,
  { NULL },
};

CulpritRows *
latency_rows (const GPtrArray *latencies)
{
  CulpritTable *table = culprit_latencies_table (NULL);
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  CulpritRows *rows;

  for (guint i = 0; i < latencies->len; i++)
    {
      const CulpritLatencies *one = g_ptr_array_index (latencies, i);
      CulpritRunLatencies run = { one->name, one->profile, one->description, one->facts.summary };

      if (one->description && one->facts.period_ns > 0)
        run.lateness = culprit_lateness (one->profile, one->facts.period_ns, one->facts.deadline_ns);
      culprit_latencies_add (table, &run);
      g_array_append_val (numbers, one->number);
    }
  rows = culprit_rows_new (table);
  run_cell_attach (rows, numbers);
  return rows;
}
