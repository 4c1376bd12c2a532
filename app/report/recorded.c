/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was recorded: the runs with their configuration, and how late their wake-ups were. */
#include "report-private.h"

#include "chart/chart.h"
#include "study/profiles.h"
#include "units.h"

/* Whether the report covers the run in @row of @runs. */
static gboolean
is_meant (const CulpritTable *runs, guint row, const char *run)
{
  return !run || g_str_equal (culprit_table_text (runs, row, "run"), run) ||
         g_str_equal (culprit_table_text (runs, row, "series"), run);
}

/* A patch in the colour of a run. */
static void
add_swatch (GString *page, guint number)
{
  page_add (page, "<span class=\"swatch run series-%u\"></span>", number % CHART_COLOURS);
}

static void
add_name (GString *page, const CulpritTable *runs, guint row, guint number)
{
  const char *load = culprit_table_text (runs, row, "load");

  page_add (page, "<td>");
  add_swatch (page, number);
  page_add (page, "%s", culprit_table_text (runs, row, "run"));
  if (*load)
    page_add (page, "<br/><span class=\"aside\">load: %s</span>", load);
  page_add (page, "</td>");
}

static void
add_machine (GString *page, const CulpritTable *runs, guint row, guint number)
{
  page_add (page, "<td class=\"whole\">%s<br/><span class=\"aside\">%s</span></td>",
            culprit_table_text (runs, row, "host"), culprit_table_text (runs, row, "kernel"));
}

/* What made a wake-up a hit: a threshold or a band. */
static void
add_trigger (GString *page, const CulpritTable *runs, guint row, guint number)
{
  gint64 threshold_ns = culprit_table_integer (runs, row, "threshold_ns");
  gint64 high_ns = culprit_table_integer (runs, row, "band_high_ns");
  g_autofree char *threshold = culprit_time_format (threshold_ns);
  g_autofree char *band = culprit_time_format_range (culprit_table_integer (runs, row, "band_low_ns"), high_ns);

  page_add (page, "<td class=\"whole number\">%s</td>", high_ns > 0 ? band : threshold_ns > 0 ? threshold : "");
}

/* The number of captures, and how many of them are left out. */
static void
add_captures (GString *page, const CulpritTable *runs, guint row, guint number)
{
  gint64 ignored = culprit_table_integer (runs, row, "ignored");

  page_add (page, "<td class=\"number\">%" G_GINT64_FORMAT, culprit_table_integer (runs, row, "captures"));
  if (ignored > 0)
    page_add (page, "<br/><span class=\"aside\">%" G_GINT64_FORMAT " ignored</span>", ignored);
  page_add (page, "</td>");
}

/* Cells that show what belongs together. */
static const struct
{
  const char *key;
  void (*add) (GString *page, const CulpritTable *runs, guint row, guint number);
} joined[] = {
  { "run", add_name },
  { "host", add_machine },
  { "threshold_ns", add_trigger },
  { "captures", add_captures },
};

static void
add_cell (GString *page, const CulpritTable *runs, guint row, guint number, const CulpritColumn *column)
{
  for (guint i = 0; i < G_N_ELEMENTS (joined); i++)
    if (g_str_equal (joined[i].key, column->key))
      {
        joined[i].add (page, runs, row, number);
        return;
      }
  page_add_cell (page, runs, row, column);
}

static gboolean
add_run (GString *page,
         CulpritStudy *study,
         const CulpritTable *runs,
         guint row,
         const CulpritColumn *columns,
         GError **error)
{
  guint number;

  if (!culprit_study_run_number (study, culprit_table_text (runs, row, "run"), &number, error))
    return FALSE;
  page_add (page, "<tr>");
  for (; columns->key; columns++)
    add_cell (page, runs, row, number, columns);
  page_add (page, "</tr>\n");
  return TRUE;
}

gboolean
report_add_recorded (GString *page, const ReportContent *content, GError **error)
{
  g_autofree CulpritColumn *columns = culprit_definition_pick (&culprit_runs, culprit_runs.report);
  g_autoptr (CulpritTable) runs = culprit_query_runs (content->study, error);

  if (!runs)
    return FALSE;
  page_add (page, "<section id=\"recorded\">\n<h2>What was recorded</h2>\n");
  if (content->filter.n_captures > 0)
    page_add (page, "<p>This report covers %u selected late wake-up%s.</p>\n", culprit_table_rows (content->outliers),
              culprit_plural (culprit_table_rows (content->outliers)));
  page_begin_table (page, columns);
  for (guint row = 0; row < culprit_table_rows (runs); row++)
    if (is_meant (runs, row, content->filter.run) && !add_run (page, content->study, runs, row, columns, error))
      return FALSE;
  page_end_table (page);
  page_add (page, "</section>\n");
  return TRUE;
}

static gboolean
add_histogram (GString *page, CulpritStudy *study, const char *name, GError **error)
{
  CulpritProfileFacts facts;
  g_autoptr (CulpritProfile) profile = NULL;
  g_autoptr (Chart) chart = NULL;
  g_autofree char *svg = NULL;
  guint number;

  if (!culprit_study_profile_facts (study, name, &facts, error))
    return FALSE;
  if (!facts.whole)
    return TRUE;
  profile = culprit_study_profile (study, name, CULPRIT_ALL_CPUS, error);
  if (!profile || !culprit_study_run_number (study, name, &number, error))
    return FALSE;
  chart = chart_new (CHART_HISTOGRAM, &(ChartSeries) { name, profile, number }, 1, CULPRIT_FITS, CHART_SCALE_AUTOMATIC);
  svg = chart_svg (chart);
  page_add (page, "<figure>\n<figcaption>");
  add_swatch (page, number);
  page_add (page, "%s</figcaption>\n<div class=\"wide\">\n", chart_legend (chart, 0));
  g_string_append (page, svg);
  page_add (page, "</div>\n</figure>\n");
  return TRUE;
}

gboolean
report_add_latencies (GString *page, const ReportContent *content, GError **error)
{
  GError *problem = NULL;
  g_autoptr (GPtrArray) names = culprit_study_profile_names (content->study, content->filter.run, &problem);

  if (g_error_matches (problem, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND))
    {
      g_error_free (problem);
      return TRUE;
    }
  if (!names)
    {
      g_propagate_error (error, problem);
      return FALSE;
    }
  if (names->len == 0)
    return TRUE;
  page_add (page, "<section id=\"latencies\">\n<h2>How late wake-ups were</h2>\n");
  for (guint i = 0; i < names->len; i++)
    if (!add_histogram (page, content->study, g_ptr_array_index (names, i), error))
      return FALSE;
  page_add (page, "</section>\n");
  return TRUE;
}
