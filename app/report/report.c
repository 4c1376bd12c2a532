/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts the report together and writes it. */
#include "report.h"

#include "chart/chart.h"
#include "chart/colours.h"
#include "files.h"
#include "report-private.h"
#include "report-resources.h"
#include "seeded-hash.h"
#include "study/profiles.h"
#include "study/triage.h"
#include "tables/comparison.h"
#include "tables/stalls.h"
#include "units.h"

#include <string.h>
#include <unistd.h>

#define BEGINNING "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
#define GENERATOR "<meta name=\"generator\" content=\"culprit\"/>\n"
#define FOR_ALL_SCREENS                                                                                                \
  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"                                        \
  "<meta name=\"color-scheme\" content=\"light dark\"/>\n"

/* The sections on all captures: the verdict, the functions whose cost varies, the test of stalls. */

static void
add_list (GString *page, const char *element, const GPtrArray *lines)
{
  page_add (page, "<%s>\n", element);
  for (guint i = 0; i < lines->len; i++)
    page_add (page, "<li>%s</li>\n", (char *) g_ptr_array_index (lines, i));
  page_add (page, "</%s>\n", element);
}

/* What was proved about the culprits by delaying them. */
static void
add_proofs (GString *page, const GPtrArray *proofs)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < proofs->len; i++)
    {
      const CulpritStoredProof *stored = proofs->pdata[i];

      g_ptr_array_add (words, culprit_path_proof_in_words (stored->proof, stored->function));
    }
  if (words->len == 0)
    return;
  page_add (page, "<h3>Proved by delays</h3>\n");
  add_list (page, "ul", words);
}

/* The verdict in words, and what to do next. */
static gboolean
report_add_verdict (GString *page, const ReportContent *content, GError **error)
{
  const CulpritVerdict *verdict = content->verdict;
  g_autoptr (GPtrArray) sentences = culprit_verdict_in_words (verdict);
  g_autoptr (GPtrArray) steps = culprit_verdict_next_steps (verdict);
  g_autofree char *basis = culprit_verdict_basis (verdict);
  g_autoptr (GPtrArray) proofs = culprit_verdict_proofs (verdict, content->study, error);

  if (!proofs)
    return FALSE;
  page_add (page, "<section id=\"verdict\">\n<h2>Verdict</h2>\n");
  add_list (page, verdict->culprits->len > 0 ? "ol" : "ul", sentences);
  if (verdict->captures > 0)
    page_add (page, "<p class=\"aside\">%s; times exclude the tracer's.</p>\n", basis);
  add_proofs (page, proofs);
  if (steps->len > 0)
    {
      page_add (page, "<h3>Next</h3>\n");
      add_list (page, "ul", steps);
    }
  page_add (page, "</section>\n");
  return TRUE;
}

static gboolean
report_add_functions (GString *page, const ReportContent *content, GError **error)
{
  g_autoptr (CulpritTable) functions = culprit_query_functions (content->study, &content->filter, error);

  if (!functions)
    return FALSE;
  if (culprit_table_rows (functions) == 0)
    return TRUE;
  page_add (page, "<section id=\"functions\">\n<h2>Functions whose cost varies</h2>\n"
                  "<p>Means over the windows of all these captures.</p>\n");
  page_add_table (page, functions, &culprit_functions, REPORT_MOST_FUNCTIONS);
  page_add (page, "</section>\n");
  return TRUE;
}

/* The test of stalls, if any capture has one. */
static void
report_add_stalls (GString *page, const ReportContent *content)
{
  const CulpritStalls *stalls = content->verdict->stalls;
  g_autoptr (CulpritTable) places = culprit_places_table (stalls);
  g_autofree char *tested = culprit_stalls_tested (content->verdict);
  g_autofree char *finding = culprit_stalls_finding (content->verdict);

  if (stalls->candidates == 0)
    return;
  page_add (page, "<section id=\"stalls\">\n<h2>Stalls</h2>\n<p>%s</p>\n", tested);
  page_add_table (page, places, &culprit_places, G_MAXUINT);
  page_add (page, "<p>%s</p>\n", finding);
  page_add (page, "</section>\n");
}

/* The longest times without interrupts or preemption, if there are any. */
static gboolean
report_add_sections (GString *page, const ReportContent *content, GError **error)
{
  g_autoptr (CulpritTable) sections = culprit_query_sections (content->study, &content->filter, error);

  if (!sections)
    return FALSE;
  if (culprit_table_rows (sections) == 0)
    return TRUE;
  page_add (page, "<section id=\"sections\">\n<h2>Without interrupts or preemption</h2>\n"
                  "<p>From where to where a CPU had them disabled for 20 us or more, in whole captures.</p>\n");
  page_add_table (page, sections, &culprit_sections, REPORT_MOST_SECTIONS);
  page_add (page, "</section>\n");
  return TRUE;
}

/* What was recorded: the runs with their configuration, and how late their wake-ups were. */

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

/* What was recorded: runs, and the captures of the filter. */
static gboolean
report_add_recorded (GString *page, const ReportContent *content, GError **error)
{
  g_autofree CulpritColumn *columns = culprit_definition_pick (&culprit_runs, culprit_runs.report);
  g_autoptr (CulpritTable) runs = culprit_query_runs (content->study, error);

  if (!runs)
    return FALSE;
  page_add (page, "<section id=\"recorded\">\n<h2>What was recorded</h2>\n");
  if (content->filter.n_captures > 0)
    {
      g_autofree char *windows = culprit_verdict_windows (content->verdict, culprit_table_rows (content->outliers));

      page_add (page, "<p>This report covers %u selected %s.</p>\n", culprit_table_rows (content->outliers), windows);
    }
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

/* The names of the runs that the report covers and that have latencies, of char *; NULL with an error. */
static GPtrArray *
runs_with_latencies (const ReportContent *content, GError **error)
{
  GError *problem = NULL;
  GPtrArray *names = culprit_study_profile_names (content->study, content->filter.run, &problem);

  if (g_error_matches (problem, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND))
    {
      g_error_free (problem);
      return g_ptr_array_new ();
    }
  if (problem)
    g_propagate_error (error, problem);
  return names;
}

static gboolean
report_add_latencies (GString *page, const ReportContent *content, GError **error)
{
  g_autoptr (GPtrArray) names = runs_with_latencies (content, error);
  g_autofree char *left_out = NULL;

  if (!names || !culprit_study_left_out (content->study, content->filter.run, &left_out, error))
    return FALSE;
  if (names->len == 0 && !left_out)
    return TRUE;
  page_add (page, "<section id=\"latencies\">\n<h2>Latencies</h2>\n");
  if (left_out)
    page_add (page, "<p>%s.</p>\n", left_out);
  for (guint i = 0; i < names->len; i++)
    if (!add_histogram (page, content->study, g_ptr_array_index (names, i), error))
      return FALSE;
  page_add (page, "</section>\n");
  return TRUE;
}

/* The section that compares runs with a baseline: what was recorded without tracing, else the first. Runs that belong
 * together are one side. */

#define MOST_SIDES 12

/* What runs that belong together have in common. */
static char *
arm_of (const CulpritTable *runs, guint row)
{
  return g_strjoin ("\n", culprit_table_text (runs, row, "series"), culprit_table_text (runs, row, "arm"), NULL);
}

/* How many of the runs @names (of char *) each arm has. */
static GHashTable *
count_arms (const CulpritTable *runs, GHashTable *rows, const GPtrArray *names)
{
  GHashTable *arms = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, NULL);

  for (guint i = 0; i < names->len; i++)
    {
      char *arm = arm_of (runs, GPOINTER_TO_UINT (g_hash_table_lookup (rows, g_ptr_array_index (names, i))));
      guint count = GPOINTER_TO_UINT (g_hash_table_lookup (arms, arm));

      g_hash_table_insert (arms, arm, GUINT_TO_POINTER (count + 1));
    }
  return arms;
}

/* The sides, the baseline first. Those without spread cannot be compared. */
static GPtrArray *
read_sides (CulpritStudy *study, const CulpritTable *runs, const GPtrArray *names, GError **error)
{
  g_autoptr (GPtrArray) sides = g_ptr_array_new_with_free_func ((GDestroyNotify) culprit_side_free);
  g_autoptr (GHashTable) rows = culprit_table_index (runs, "run");
  g_autoptr (GHashTable) arms = count_arms (runs, rows, names);
  g_autoptr (GHashTable) tried = g_hash_table_new (culprit_hash_text, g_str_equal);
  gboolean has_base = FALSE;

  for (guint i = 0; i < names->len && sides->len < MOST_SIDES; i++)
    {
      const char *run = g_ptr_array_index (names, i);
      guint row = GPOINTER_TO_UINT (g_hash_table_lookup (rows, run));
      g_autofree char *arm = arm_of (runs, row);
      gboolean alone = GPOINTER_TO_UINT (g_hash_table_lookup (arms, arm)) < 2;
      const char *name = alone ? run : culprit_table_text (runs, row, "arm");
      gboolean base = !has_base && g_str_equal (culprit_table_text (runs, row, "tracing"), "off");
      g_autoptr (CulpritSide) side = NULL;

      if (!g_hash_table_add (tried, (gpointer) name))
        continue;
      side = culprit_side_read (study, name, alone ? CULPRIT_SIDE_MEANT : CULPRIT_SIDE_RUNS, name, error);
      if (!side)
        return NULL;
      if (!culprit_side_check (side, NULL))
        continue;
      g_ptr_array_insert (sides, base ? 0 : -1, g_steal_pointer (&side));
      has_base |= base;
    }
  return g_steal_pointer (&sides);
}

/* A sentence for each, and the table. */
static void
add_sides (GString *page, const GPtrArray *sides)
{
  g_autoptr (CulpritTable) table = culprit_definition_begin (&culprit_comparisons);
  const CulpritRules rules = CULPRIT_RULES_USUAL;
  const char *base = culprit_side_at (sides, 0)->name;

  culprit_sides_compare (sides, &rules);
  page_add (page, "<section id=\"comparison\">\n<h2>How runs compare</h2>\n<ul>\n");
  for (guint i = 0; i < sides->len; i++)
    {
      const CulpritSide *side = culprit_side_at (sides, i);
      const CulpritComparison *result = i > 0 ? &side->result : NULL;
      g_autofree char *answer =
          result ? culprit_answer (result, NULL, CULPRIT_ASKED_DIFFERENCE, base, side->name) : NULL;
      g_autofree char *words = result ? culprit_comparison_in_words (result, base, side->name) : NULL;

      if (words)
        page_add (page, "<li>%s %s</li>\n", answer, words);
      culprit_comparison_table_add (table, base, side->name, &side->compared.summary, result, "");
    }
  page_add (page, "</ul>\n");
  page_add_table (page, table, &culprit_comparisons, G_MAXUINT);
  page_add (page, "</section>\n");
}

/* How the runs compare, if there are several with latencies. */
static gboolean
report_add_comparison (GString *page, const ReportContent *content, GError **error)
{
  g_autoptr (GPtrArray) names = runs_with_latencies (content, error);
  g_autoptr (CulpritTable) runs = names && names->len > 1 ? culprit_query_runs (content->study, error) : NULL;
  g_autoptr (GPtrArray) sides = NULL;

  if (names && names->len < 2)
    return TRUE;
  sides = runs ? read_sides (content->study, runs, names, error) : NULL;
  if (!sides)
    return FALSE;
  if (sides->len > 1)
    add_sides (page, sides);
  return TRUE;
}

/* Explains every number of the report: the columns of its tables, and the terms used. */

static const struct
{
  const char *name;
  const CulpritDefinition *table;
} tables[] = {
  { "What was recorded", &culprit_runs }, { "How runs compare", &culprit_comparisons },
  { "Late wake-ups", &culprit_outliers }, { "Where the time went", &culprit_budget },
  { "Call tree", &culprit_calls },        { "Functions whose cost varies", &culprit_functions },
  { "Stalls", &culprit_places },          { "Without interrupts or preemption", &culprit_sections },
};

static const struct
{
  const char *name;
  const char *meaning;
} words[] = {
  { "ordinary", "A wake-up of the same capture that did not trigger it." },
  { "stands out", "The latency is above that of 95 % of the ordinary wake-ups, above their mean by half of it, and "
                  "above their median by "
                  "at least 5 x 1.4826 x their median absolute deviation." },
  { "called too often",
    "At least 70 % of the culprit's excess comes from more calls than when it ordinarily runs; a single "
    "call is never too often." },
  { "took too long", "At most 30 % of it does; in between, it is mixed." },
  { "interference", "Another task or interrupt has half of the excess, and no function in it has half of that." },
  { "late timer", "Only the idle task ran: the event that should have woken it came late." },
  { "blind stall",
    "A stretch in which nothing was traced, at places that differ: firmware or a hypervisor held the CPU." },
  { "unexplained",
    "The wake-up does not stand out, or nothing in it took longer than in the worst of as many ordinary wake-ups." },
  { "confidence",
    "How certain it is that this is a cause, whatever other causes there are: from how far it exceeds the worst "
    "of as many ordinary wake-ups, and how many captures agree." },
  { "weight", "The cause's share of the excess of all captures, with its 95 % interval." },
  { "peak", "A latency significantly more frequent than those around it." },
  { "stretch",
    "The time between two events of a CPU; it is abnormal if it is far longer than ordinary ones at its place." },
};

static void
add_meaning (GString *page, const char *name, const char *meaning)
{
  page_add (page, "<div><dt>%s</dt><dd>%s</dd></div>\n", name, meaning);
}

static void
add_columns (GString *page, const CulpritDefinition *table)
{
  g_autofree CulpritColumn *columns = culprit_definition_pick (table, table->report);

  for (const CulpritColumn *column = columns; column->key; column++)
    {
      g_autofree char *title = culprit_column_heading (column);

      add_meaning (page, title, column->explain);
    }
}

/* What each number means. */
static void
report_add_meaning (GString *page)
{
  page_add (page, "<section id=\"meaning\">\n<h2>What the numbers mean</h2>\n<dl>\n");
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    add_meaning (page, words[i].name, words[i].meaning);
  page_add (page, "</dl>\n");
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      page_add (page, "<h3>%s</h3>\n<dl>\n", tables[i].name);
      add_columns (page, tables[i].table);
      page_add (page, "</dl>\n");
    }
  page_add (page, "</section>\n");
}

static void
content_clear (ReportContent *content)
{
  if (content->verdict != content->judged)
    g_clear_pointer (&content->verdict, culprit_verdict_free);
  g_clear_pointer (&content->judged, culprit_verdict_free);
  g_clear_pointer (&content->outliers, culprit_table_free);
  g_clear_pointer (&content->files, culprit_capture_files_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ReportContent, content_clear)

/* Whether all named captures exist, and belong to the named run. */
static gboolean
check_captures (const ReportContent *content, GError **error)
{
  g_autoptr (CulpritTable) captures = culprit_query_captures (content->study, &content->filter, error);

  if (!captures)
    return FALSE;
  for (guint i = 0; i < content->filter.n_captures; i++)
    {
      gboolean found = FALSE;

      for (guint row = 0; row < culprit_table_rows (captures) && !found; row++)
        found = culprit_table_integer (captures, row, "capture") == content->filter.captures[i];
      if (found)
        continue;
      g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND,
                   "%s: no such capture: %" G_GINT64_FORMAT "%s%s", culprit_study_path (content->study),
                   content->filter.captures[i], content->filter.run ? " in run " : "",
                   content->filter.run ? content->filter.run : "");
      return FALSE;
    }
  return TRUE;
}

static gboolean
read_content (ReportContent *content, GError **error)
{
  const CulpritFilter whole = { .run = content->filter.run };
  const CulpritEvidenceOptions all = { .filter = &whole };
  const CulpritEvidenceOptions some = { .filter = &content->filter };

  if (!check_captures (content, error))
    return FALSE;
  content->judged = culprit_verdict_new (content->study, &all, error);
  if (!content->judged)
    return FALSE;
  content->verdict =
      content->filter.n_captures > 0 ? culprit_verdict_new (content->study, &some, error) : content->judged;
  if (!content->verdict)
    return FALSE;
  content->outliers = culprit_verdict_outliers (content->study, &content->filter, content->judged, NULL, error);
  return content->outliers && culprit_query_ignored (content->study, &content->filter, &content->ignored, error);
}

static void
add_head (GString *page, const char *title, const char *study)
{
  g_autoptr (GBytes) style = g_resource_lookup_data (culprit_report_get_resource (), "/culprit/report/report.css",
                                                     G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  gsize length;
  const char *text = g_bytes_get_data (style, &length);
  g_autofree char *light = chart_colours_css (CHART_LIGHT);
  g_autofree char *dark = chart_colours_css (CHART_DARK);
  g_autofree char *light_shades = report_flame_css (CHART_LIGHT);
  g_autofree char *dark_shades = report_flame_css (CHART_DARK);

  page_add (page, BEGINNING GENERATOR FOR_ALL_SCREENS "<title>%s: %s</title>\n<style>\n", title, study);
  g_string_append_printf (page, ":root { %s%s}\n@media (prefers-color-scheme: dark) { :root { %s%s} }\n", light,
                          light_shades, dark, dark_shades);
  g_string_append_len (page, text, length);
  page_add (page, "</style>\n</head>\n<body>\n<header>\n<h1>%s: %s</h1>\n", title, study);
}

/* The date, and which part of the study is covered. */
static void
add_origin (GString *page, const ReportContent *content)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *date = g_date_time_format (now, "%Y-%m-%d %H:%M UTC");

  g_autofree char *left_out = culprit_ignored_in_words (content->ignored);

  page_add (page, "<p class=\"aside\">%s%s%s%sReported by Culprit on %s.</p>\n</header>\n<main>\n",
            content->filter.run ? content->filter.run : "", content->filter.run ? ": this run only. " : "",
            left_out ? left_out : "", left_out ? ". " : "", date);
}

static gboolean
add_all (GString *page, const ReportContent *content, GError **error)
{
  g_autofree char *name = g_filename_display_basename (culprit_study_path (content->study));
  g_autofree char *title = culprit_verdict_windows (content->verdict, 0);

  title[0] = g_ascii_toupper (title[0]);
  add_head (page, title, name);
  add_origin (page, content);
  if (!report_add_verdict (page, content, error) || !report_add_recorded (page, content, error) ||
      !report_add_latencies (page, content, error) || !report_add_comparison (page, content, error))
    return FALSE;
  report_add_captures (page, content);
  if (!report_add_flame (page, content, error) || !report_add_budgets (page, content, error) ||
      !report_add_functions (page, content, error))
    return FALSE;
  report_add_stalls (page, content);
  if (!report_add_sections (page, content, error))
    return FALSE;
  report_add_meaning (page);
  page_add (page, "</main>\n</body>\n</html>\n");
  return TRUE;
}

gboolean
culprit_report_write (
    CulpritStudy *study, const char *run, const gint64 *captures, guint n_captures, const char *path, GError **error)
{
  g_auto (ReportContent)
      content = { .study = study,
                  .files = culprit_capture_files_new (study, CULPRIT_CAPTURES_ANYWHERE),
                  .filter = { .run = run, .captures = captures, .n_captures = n_captures, .counted = TRUE } };
  g_autoptr (GString) page = g_string_new (NULL);

  return read_content (&content, error) && add_all (page, &content, error) &&
         culprit_write_file (path, page->str, page->len, error);
}

gboolean
culprit_report_is_one (const char *path)
{
  char first[sizeof BEGINNING FOR_ALL_SCREENS] = "";
  struct stat status;
  int file = culprit_open_regular (path, &status);

  if (file < 0)
    return FALSE;
  if (read (file, first, sizeof first - 1) <= 0)
    first[0] = '\0';
  close (file);
  return g_str_has_prefix (first, BEGINNING GENERATOR) || g_str_equal (first, BEGINNING FOR_ALL_SCREENS);
}
