/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of latencies: moments, quantiles with their bins, peaks. Cells are found by the key of their column. */
#include "tables/latency.h"

#include "tables/tables.h"
#include "tables/words-private.h"
#include "units.h"

#include <math.h>
#include <string.h>

static const CulpritColumn columns[] = {
  { "run", "Run", CULPRIT_KIND_TEXT, "The run, or the file it came from.", 14, TRUE },
  { "n", "n", CULPRIT_KIND_COUNT, WORDS_LATENCIES, 9 },
  { "min_ns", "Min", CULPRIT_KIND_TIME, WORDS_MIN, 9 },
  { "q1_ns", "1st Qu.", CULPRIT_KIND_TIME, "A quarter of the latencies are not above it (R's type 7)." },
  { "median_ns", "Median", CULPRIT_KIND_RANGE,
    "Half of the latencies are not above it; a range if only its bin is known.", 9 },
  { "mean_ns", "Mean", CULPRIT_KIND_TIME, WORDS_MEAN, 9 },
  { "q3_ns", "3rd Qu.", CULPRIT_KIND_TIME, "Three quarters of the latencies are not above it (R's type 7)." },
  { "max_ns", "Max", CULPRIT_KIND_TIME, "The maximum latency.", 9 },
  { "sd_ns", "SD", CULPRIT_KIND_TIME, WORDS_SD, 9 },
  { "mode_ns", "Mode", CULPRIT_KIND_TIME, "The most frequent latency." },
  { "p25_ns", "25 %", CULPRIT_KIND_TIME, "25 of 100 latencies are not above it (R's type 7)." },
  { "p50_ns", "50 %", CULPRIT_KIND_TIME, "Half of the latencies are not above it (R's type 7)." },
  { "p75_ns", "75 %", CULPRIT_KIND_TIME, "75 of 100 latencies are not above it (R's type 7)." },
  { "p90_ns", "90 %", CULPRIT_KIND_TIME, "90 of 100 latencies are not above it (R's type 7)." },
  { "p95.4_ns", "95.4 %", CULPRIT_KIND_TIME, "954 of 1000 latencies are not above it (R's type 7)." },
  { "p99_ns", "99 %", CULPRIT_KIND_RANGE,
    "99 of 100 latencies are not above it (R's type 7); a range if only its bin is known.", 9 },
  { "p99.5_ns", "99.5 %", CULPRIT_KIND_TIME, "995 of 1000 latencies are not above it (R's type 7)." },
  { "p99.9_ns", "99.9 %", CULPRIT_KIND_RANGE,
    "999 of 1000 latencies are not above it (R's type 7); a range if only its bin is known.", 9 },
  { "p99.99_ns", "99.99 %", CULPRIT_KIND_TIME, "9,999 of 10,000 latencies are not above it (R's type 7)." },
  { "p99.999_ns", "99.999 %", CULPRIT_KIND_TIME, "99,999 of 100,000 latencies are not above it (R's type 7)." },
  { "late", "Overruns", CULPRIT_KIND_COUNT, WORDS_OVERRUNS, 5 },
  { "peaks", "Peaks", CULPRIT_KIND_TEXT, "Significant peaks, with the share of the wake-ups around each.", 12, TRUE },
  { "read_as", "Resolution", CULPRIT_KIND_TEXT,
    "How finely latencies are known: the width of the bins they were counted in, and which figures the tool that "
    "measured "
    "them gave itself.",
    12, TRUE },
  { "median_from_ns", "From", CULPRIT_KIND_TIME, "Where the bin of the median begins." },
  { "median_to_ns", "To", CULPRIT_KIND_TIME, "Where it ends." },
  { "p99_from_ns", "From", CULPRIT_KIND_TIME, "Where the bin of the 99 % quantile begins." },
  { "p99_to_ns", "To", CULPRIT_KIND_TIME, "Where it ends." },
  { "p99.9_from_ns", "From", CULPRIT_KIND_TIME, "Where the bin of the 99.9 % quantile begins." },
  { "p99.9_to_ns", "To", CULPRIT_KIND_TIME, "Where it ends." },
  { NULL },
};

const CulpritDefinition culprit_latencies = {
  .row = "run",
  .columns = columns,
  .text = "run n min_ns q1_ns median_ns mean_ns q3_ns max_ns",
  .window = "run n min_ns mean_ns sd_ns median_ns p99_ns p99.9_ns max_ns late peaks read_as",
};

CulpritTable *
culprit_latencies_table (const char *keys)
{
  g_auto (GStrv) names = keys ? g_strsplit (keys, " ", -1) : NULL;
  CulpritTable *table = keys ? culprit_table_new () : culprit_definition_begin (&culprit_latencies);

  for (char **name = names; name && *name; name++)
    culprit_table_add_column (table, *name);
  return table;
}

static char *
peaks_in_words (const CulpritRunLatencies *run)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; run->description && i < run->description->peaks->len; i++)
    {
      const CulpritPeak *peak = &g_array_index (run->description->peaks, CulpritPeak, i);
      g_autofree char *at = culprit_time_format (peak->at_ns);
      g_autofree char *share = culprit_share_format (peak->share);

      if (!peak->weak)
        g_string_append_printf (text, "%s%s (%s)", text->len > 0 ? ", " : "", at, share);
    }
  return g_string_free (text, FALSE);
}

/* "bins of 10.0 us; from the tool: min, mean, max" */
static char *
reading_in_words (const CulpritProfile *profile)
{
  g_autofree char *width = profile ? culprit_time_format (profile->width_ns) : NULL;
  g_autofree char *printed = profile && profile->printed ? culprit_printed_in_words (profile->printed) : NULL;
  g_autofree char *beyond = culprit_count_format (profile ? profile->beyond : 0);

  if (!profile)
    return g_strdup ("mean, standard deviation and number");
  return g_strdup_printf ("%s%s%s%s%s%s%s", profile->middle_ns > 0 ? "bins of " : "", width,
                          profile->beyond > 0 ? "; above the end: " : "", profile->beyond > 0 ? beyond : "",
                          profile->beyond > 0 ? " more" : "", printed ? "; from the tool: " : "",
                          printed ? printed : "");
}

/* "p99.9_from_ns": the quantile, and which of its values. */
static double
find_quantile (const CulpritDescription *description, const char *key)
{
  char *part = NULL;
  guint p_millionths = g_str_has_prefix (key, "median") ? 500000 : lround (g_ascii_strtod (key + 1, &part) * 1e4);

  for (guint i = 0; i < description->quantiles->len; i++)
    {
      const CulpritQuantile *quantile = &g_array_index (description->quantiles, CulpritQuantile, i);

      if (quantile->p_millionths == p_millionths)
        return g_str_has_suffix (key, "_from_ns") ? quantile->from_ns
               : g_str_has_suffix (key, "_to_ns") ? quantile->to_ns
                                                  : quantile->ns;
    }
  return NAN;
}

static double
find_number (const CulpritRunLatencies *run, const char *key)
{
  const CulpritMoments summary = { .n = run->summary.n, .mean_ns = run->summary.mean_ns, .sd_ns = run->summary.sd_ns };
  const CulpritMoments *moments = run->description ? &run->description->moments : &summary;
  gboolean whole = run->description != NULL;
  const struct
  {
    const char *key;
    double value;
  } known[] = {
    { "n", moments->n },
    { "mean_ns", moments->mean_ns },
    { "sd_ns", moments->sd_ns },
    { "min_ns", whole ? moments->min_ns : NAN },
    { "median_ns", whole ? moments->median_ns : NAN },
    { "max_ns", whole ? moments->max_ns : NAN },
    { "mode_ns", whole ? moments->mode_ns : NAN },
    { "q1_ns", whole ? culprit_quantile_known (run->profile, 250000) : NAN },
    { "q3_ns", whole ? culprit_quantile_known (run->profile, 750000) : NAN },
    { "late", run->lateness.deadline_ns > 0 ? run->lateness.late : NAN },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_str_equal (key, known[i].key))
      return known[i].value;
  return whole ? find_quantile (run->description, key) : NAN;
}

void
culprit_latencies_add (CulpritTable *table, const CulpritRunLatencies *run)
{
  g_autofree char *peaks = peaks_in_words (run);
  g_autofree char *read_as = reading_in_words (run->profile);

  for (guint i = 0; i < table->columns->len; i++)
    {
      const char *key = g_ptr_array_index (table->columns, i);
      const char *text = g_str_equal (key, "run")       ? run->name
                         : g_str_equal (key, "peaks")   ? peaks
                         : g_str_equal (key, "read_as") ? read_as
                                                        : NULL;

      if (text)
        culprit_table_add_text (table, text);
      else
        culprit_table_add_real (table, find_number (run, key));
    }
}
