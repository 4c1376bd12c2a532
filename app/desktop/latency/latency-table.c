/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moments, quantiles with their intervals, peaks. */
#include "latency/latency-table.h"

#include "units.h"

#include <math.h>

/* A quantile of a coarse histogram is somewhere in a bin. */
static void
show_quantile (GtkWidget *cell, CulpritRow *row, const char *from, const char *to)
{
  double from_ns = culprit_row_real (row, from);
  double to_ns = culprit_row_real (row, to);
  g_autofree char *text =
      isnan (from_ns) ? g_strdup ("–") : culprit_time_format_range (llround (from_ns), llround (to_ns));

  gtk_label_set_label (GTK_LABEL (cell), text);
}

static void
show_median (GtkWidget *cell, CulpritRow *row)
{
  show_quantile (cell, row, "median_from_ns", "median_to_ns");
}

static void
show_p99 (GtkWidget *cell, CulpritRow *row)
{
  show_quantile (cell, row, "p99_from_ns", "p99_to_ns");
}

static void
show_p999 (GtkWidget *cell, CulpritRow *row)
{
  show_quantile (cell, row, "p999_from_ns", "p999_to_ns");
}

const TableColumn latency_columns[] = {
  { "run", "Run", CELL_TEXT, "The run, or the file it came from.", 14, TRUE },
  { "n", "Latencies", CELL_COUNT, "How many wake-ups were measured.", 9 },
  { "min_ns", "Min", CELL_TIME, "The smallest latency.", 9 },
  { "mean_ns", "Mean", CELL_TIME, "The mean latency.", 9 },
  { "sd_ns", "SD", CELL_TIME, "The standard deviation, with n - 1.", 9 },
  { "median_ns", "Median", CELL_TIME, "Half of the latencies are not above it; a range where only its bin is known.", 9,
    FALSE, NULL, show_median },
  { "p99_ns", "99 %", CELL_TIME,
    "99 of 100 latencies are not above it (R's type 7); a range where only its bin is known.", 9, FALSE, NULL,
    show_p99 },
  { "p999_ns", "99.9 %", CELL_TIME,
    "999 of 1000 latencies are not above it (R's type 7); a range where only its bin is known.", 9, FALSE, NULL,
    show_p999 },
  { "max_ns", "Max", CELL_TIME, "The greatest latency.", 9 },
  { "late", "Late", CELL_COUNT, "Wake-ups late by half of the period or more, or by the deadline.", 5 },
  { "peaks", "Peaks", CELL_TEXT, "Latencies that stand out as peaks, with the share of the wake-ups around each.", 12,
    TRUE },
  { "read_as", "Read As", CELL_TEXT,
    "How wide the bins are in which latencies were counted, and which figures are not counted but the tool's own.", 12,
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

/* "bins of 10.0 us; min, mean, max as told" */
static char *
tell_read_as (const CulpritProfile *profile)
{
  g_autofree char *width = culprit_time_format (profile->width_ns);
  g_autofree char *told = profile->told ? culprit_told_in_words (profile->told) : NULL;

  return g_strdup_printf ("%s%s%s%s", profile->middle_ns > 0 ? "bins of " : "", width, told ? "; as told: " : "",
                          told ? told : "");
}

/* The quantiles that the table shows, each with the bin that it lies in. */
static const struct
{
  const char *name;
  guint p_millionths;
} quantiles[] = { { "median", 500000 }, { "p99", 990000 }, { "p999", 999000 } };

static CulpritQuantile
find_quantile (const CulpritDescription *description, guint p_millionths)
{
  for (guint i = 0; i < description->quantiles->len; i++)
    if (g_array_index (description->quantiles, CulpritQuantile, i).p_millionths == p_millionths)
      return g_array_index (description->quantiles, CulpritQuantile, i);
  return (CulpritQuantile) { .ns = NAN, .from_ns = NAN, .to_ns = NAN };
}

static void
add_bins (CulpritTable *table, const CulpritDescription *description)
{
  for (guint i = 0; i < G_N_ELEMENTS (quantiles); i++)
    {
      CulpritQuantile quantile = find_quantile (description, quantiles[i].p_millionths);

      culprit_table_add_real (table, quantile.from_ns);
      culprit_table_add_real (table, quantile.to_ns);
    }
}

static void
add_described (CulpritTable *table, const CulpritLatencies *one)
{
  const CulpritMoments *moments = &one->description->moments;
  g_autofree char *peaks = tell_peaks (one->description->peaks);
  g_autofree char *read_as = tell_read_as (one->profile);

  culprit_table_add_text (table, one->name);
  culprit_table_add_integer (table, moments->n);
  culprit_table_add_real (table, moments->min_ns);
  culprit_table_add_real (table, moments->mean_ns);
  culprit_table_add_real (table, moments->sd_ns);
  culprit_table_add_real (table, moments->median_ns);
  culprit_table_add_real (table, find_quantile (one->description, 990000).ns);
  culprit_table_add_real (table, find_quantile (one->description, 999000).ns);
  culprit_table_add_real (table, moments->max_ns);
  if (one->facts.period_ns > 0)
    culprit_table_add_integer (table,
                               culprit_lateness (one->profile, one->facts.period_ns, one->facts.deadline_ns).late);
  else
    culprit_table_add_real (table, NAN);
  culprit_table_add_text (table, peaks);
  culprit_table_add_text (table, read_as);
  add_bins (table, one->description);
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
  culprit_table_add_text (table, "mean, standard deviation and number");
  for (guint i = 0; i < 2 * G_N_ELEMENTS (quantiles); i++)
    culprit_table_add_real (table, NAN);
}

CulpritRows *
latency_rows (const GPtrArray *latencies)
{
  CulpritTable *table = culprit_table_new ();

  for (const TableColumn *column = latency_columns; column->key; column++)
    culprit_table_add_column (table, column->key);
  for (guint i = 0; i < G_N_ELEMENTS (quantiles); i++)
    {
      g_autofree char *from = g_strdup_printf ("%s_from_ns", quantiles[i].name);
      g_autofree char *to = g_strdup_printf ("%s_to_ns", quantiles[i].name);

      culprit_table_add_column (table, from);
      culprit_table_add_column (table, to);
    }
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
