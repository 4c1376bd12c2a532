/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moments, quantiles with their intervals, peaks. */
#include "latency/latency-table.h"

#include "units.h"

#include <math.h>

const TableColumn latency_columns[] = {
  { "run", "Run", CELL_TEXT, "The run, or the file it came from.", 14, TRUE },
  { "n", "Latencies", CELL_COUNT, "How many wake-ups were measured.", 9 },
  { "min_ns", "Min", CELL_TIME, "The smallest latency.", 9 },
  { "mean_ns", "Mean", CELL_TIME, "The mean latency.", 9 },
  { "sd_ns", "SD", CELL_TIME, "The standard deviation, with n - 1.", 9 },
  { "median_ns", "Median", CELL_TIME, "Half of the latencies are not above it.", 9 },
  { "p99_ns", "99 %", CELL_TIME, "99 of 100 latencies are not above it (R's type 7).", 9 },
  { "p999_ns", "99.9 %", CELL_TIME, "999 of 1000 latencies are not above it (R's type 7).", 9 },
  { "max_ns", "Max", CELL_TIME, "The greatest latency.", 9 },
  { "late", "Late", CELL_COUNT, "Wake-ups late by half of the period or more, or by the deadline.", 5 },
  { "peaks", "Peaks", CELL_TEXT, "Latencies that stand out as peaks, with the share of the wake-ups around each.", 12,
    TRUE },
  { NULL },
};

static char *
tell_peaks (const GArray *peaks)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < peaks->len; i++)
    {
      const CulpritPeak *peak = &g_array_index (peaks, CulpritPeak, i);
      g_autofree char *at = culprit_time_format (peak->low_ns);

      if (peak->prominence >= CULPRIT_PEAK_SIGNIFICANT)
        g_string_append_printf (text, "%s%s (%.2g %%)", text->len > 0 ? ", " : "", at, peak->share * 100);
    }
  return g_string_free (text, FALSE);
}

static double
quantile (const CulpritDescription *description, guint p_millionths)
{
  for (guint i = 0; i < description->quantiles->len; i++)
    if (g_array_index (description->quantiles, CulpritQuantile, i).p_millionths == p_millionths)
      return g_array_index (description->quantiles, CulpritQuantile, i).ns;
  return NAN;
}

static void
add_described (CulpritTable *table, const CulpritLatencies *one)
{
  const CulpritMoments *moments = &one->description->moments;
  g_autofree char *peaks = tell_peaks (one->description->peaks);

  culprit_table_add_text (table, one->name);
  culprit_table_add_integer (table, moments->n);
  culprit_table_add_real (table, moments->min_ns);
  culprit_table_add_real (table, moments->mean_ns);
  culprit_table_add_real (table, moments->sd_ns);
  culprit_table_add_real (table, moments->median_ns);
  culprit_table_add_real (table, quantile (one->description, 990000));
  culprit_table_add_real (table, quantile (one->description, 999000));
  culprit_table_add_real (table, moments->max_ns);
  if (one->facts.period_ns > 0)
    culprit_table_add_integer (table,
                               culprit_lateness (one->profile, one->facts.period_ns, one->facts.deadline_ns).late);
  else
    culprit_table_add_real (table, NAN);
  culprit_table_add_text (table, peaks);
}

/* Only mean and standard deviation are known. */
static void
add_summary (CulpritTable *table, const CulpritLatencies *one)
{
  culprit_table_add_text (table, one->name);
  culprit_table_add_real (table, one->facts.summary.n);
  culprit_table_add_real (table, NAN);
  culprit_table_add_real (table, one->facts.summary.mean_ns);
  culprit_table_add_real (table, one->facts.summary.sd_ns);
  for (guint i = 0; i < 5; i++)
    culprit_table_add_real (table, NAN);
  culprit_table_add_text (table, "");
}

CulpritRows *
latency_rows (const GPtrArray *latencies)
{
  CulpritTable *table = culprit_table_new ();

  for (const TableColumn *column = latency_columns; column->key; column++)
    culprit_table_add_column (table, column->key);
  for (guint i = 0; i < latencies->len; i++)
    {
      const CulpritLatencies *one = g_ptr_array_index (latencies, i);

      if (one->description)
        add_described (table, one);
      else
        add_summary (table, one);
    }
  return culprit_rows_new (table);
}
