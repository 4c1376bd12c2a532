/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The section on late wake-ups: a table of all, and where the time of the longest ones went. */
#include "report-private.h"

#include "tables/budget.h"
#include "units.h"

void
report_add_captures (GString *page, const ReportContent *content)
{
  const CulpritTable *outliers = content->outliers;

  page_add (page, "<section id=\"captures\">\n<h2>Late wake-ups</h2>\n");
  if (culprit_table_rows (outliers) == 0)
    {
      page_add (page, "<p>There are none.</p>\n</section>\n");
      return;
    }
  page_add_table (page, outliers, &culprit_outliers, G_MAXUINT);
  page_add (page, "</section>\n");
}

static int
compare_latencies (gconstpointer a, gconstpointer b, gpointer data)
{
  const CulpritTable *outliers = data;
  guint row_a = *(const guint *) a;
  guint row_b = *(const guint *) b;
  gint64 a_ns = culprit_table_integer (outliers, row_a, "latency_ns");
  gint64 b_ns = culprit_table_integer (outliers, row_b, "latency_ns");

  return a_ns != b_ns ? (a_ns < b_ns ? 1 : -1) : (row_a > row_b) - (row_a < row_b);
}

/* The rows of @outliers, longest latency first. */
static GArray *
sort_rows (CulpritTable *outliers)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint row = 0; row < culprit_table_rows (outliers); row++)
    g_array_append_val (rows, row);
  g_array_sort_with_data (rows, compare_latencies, outliers);
  return rows;
}

/* Its timeline, if the capture itself can be read, and its call tree. */
static gboolean
add_calls (GString *page, const ReportContent *content, guint row, GError **error)
{
  const CulpritTable *outliers = content->outliers;
  gint64 capture = culprit_table_integer (outliers, row, "capture");
  g_autofree char *file = culprit_query_capture_file (content->study, capture, NULL);
  g_autoptr (CulpritTimeline) timeline = file ? culprit_timeline_read (file, NULL, NULL) : NULL;
  g_autoptr (CulpritTree) tree = culprit_query_tree (content->study, capture, error);

  if (!tree)
    return FALSE;
  if (timeline && culprit_capture_outlier (timeline->capture))
    report_add_timeline (page, timeline);
  else
    page_add (page, "<p class=\"aside\">The capture itself could not be read: no timeline.</p>\n");
  report_add_calls (page, tree, culprit_table_integer (outliers, row, "latency_ns"));
  return TRUE;
}

static gboolean
add_capture (GString *page, const ReportContent *content, guint row, GError **error)
{
  const CulpritTable *outliers = content->outliers;
  gint64 capture = culprit_table_integer (outliers, row, "capture");
  gint64 latency_ns = culprit_table_integer (outliers, row, "latency_ns");
  gint64 ordinary = culprit_table_integer (outliers, row, "ordinary_windows");
  const CulpritCase *one = culprit_verdict_case (content->judged, capture);
  g_autoptr (CulpritTable) budget = culprit_query_budget (content->study, capture, CULPRIT_TIMES_UNTRACED,
                                                          culprit_smallest_part_ns (latency_ns), error);
  g_autofree char *words = one ? culprit_case_in_words (one) : g_strdup ("");
  g_autofree char *latency = culprit_time_format (latency_ns);

  if (!budget)
    return FALSE;
  page_add (page,
            "<article id=\"capture-%" G_GINT64_FORMAT "\">\n<h3>Capture %" G_GINT64_FORMAT
            ": %s late</h3>\n<p>%s</p>\n",
            capture, capture, latency, words);
  culprit_budget_mark_stall (budget, one);
  report_add_budget (page, budget, one, latency_ns);
  if (!add_calls (page, content, row, error))
    return FALSE;
  page_add (page,
            "<p class=\"aside\">%s (pid %" G_GINT64_FORMAT ") on CPU %" G_GINT64_FORMAT ", beside %" G_GINT64_FORMAT
            " ordinary wake-up%s; %s</p>\n</article>\n",
            culprit_table_text (outliers, row, "comm"), culprit_table_integer (outliers, row, "pid"),
            culprit_table_integer (outliers, row, "cpu"), ordinary, culprit_plural (ordinary),
            culprit_table_text (outliers, row, "file"));
  return TRUE;
}

gboolean
report_add_budgets (GString *page, const ReportContent *content, GError **error)
{
  g_autoptr (GArray) rows = sort_rows (content->outliers);

  if (rows->len == 0)
    return TRUE;
  page_add (page, "<section id=\"budgets\">\n<h2>Where the time went</h2>\n");
  if (rows->len > REPORT_MOST_BUDGETS)
    page_add (page, "<p>The %u longest of %u late wake-ups.</p>\n", REPORT_MOST_BUDGETS, rows->len);
  for (guint i = 0; i < rows->len && i < REPORT_MOST_BUDGETS; i++)
    if (!add_capture (page, content, g_array_index (rows, guint, i), error))
      return FALSE;
  page_add (page, "</section>\n");
  return TRUE;
}
