/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the library's table of latencies that the document has read. */
#include "latency/latency-table.h"

#include "tables/latency.h"

CulpritRows *
latency_rows (const GPtrArray *latencies)
{
  CulpritTable *table = culprit_latencies_table (NULL);

  for (guint i = 0; i < latencies->len; i++)
    {
      const CulpritLatencies *one = g_ptr_array_index (latencies, i);
      CulpritRunLatencies run = { one->name, one->profile, one->description, one->facts.summary };

      if (one->description && one->facts.period_ns > 0)
        run.lateness = culprit_lateness (one->profile, one->facts.period_ns, one->facts.deadline_ns);
      culprit_latencies_add (table, &run);
    }
  return culprit_rows_new (table);
}
