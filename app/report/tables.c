/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sections on all captures: the verdict, the functions whose cost varies, the test of stalls. */
#include "report-private.h"

#include "tables/stalls.h"

static void
add_list (GString *page, const char *element, const GPtrArray *lines)
{
  page_add (page, "<%s>\n", element);
  for (guint i = 0; i < lines->len; i++)
    page_add (page, "<li>%s</li>\n", (char *) g_ptr_array_index (lines, i));
  page_add (page, "</%s>\n", element);
}

void
report_add_verdict (GString *page, const ReportContent *content)
{
  const CulpritVerdict *verdict = content->verdict;
  g_autoptr (GPtrArray) sentences = culprit_verdict_in_words (verdict);
  g_autoptr (GPtrArray) steps = culprit_verdict_next_steps (verdict);
  g_autofree char *basis = culprit_verdict_basis (verdict);

  page_add (page, "<section id=\"verdict\">\n<h2>Verdict</h2>\n");
  add_list (page, verdict->culprits->len > 0 ? "ol" : "ul", sentences);
  if (verdict->captures > 0)
    page_add (page, "<p class=\"aside\">%s; times exclude the tracer's.</p>\n", basis);
  if (steps->len > 0)
    {
      page_add (page, "<h3>Next</h3>\n");
      add_list (page, "ul", steps);
    }
  page_add (page, "</section>\n");
}

gboolean
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

void
report_add_stalls (GString *page, const ReportContent *content)
{
  const CulpritStalls *stalls = content->verdict->stalls;
  g_autoptr (CulpritTable) places = culprit_places_table (stalls);
  g_autofree char *tested = culprit_stalls_tested (stalls);
  g_autofree char *finding = culprit_stalls_finding (stalls);

  if (stalls->candidates == 0)
    return;
  page_add (page, "<section id=\"stalls\">\n<h2>Stalls</h2>\n<p>%s</p>\n", tested);
  page_add_table (page, places, &culprit_places, G_MAXUINT);
  page_add (page, "<p>%s</p>\n", finding);
  page_add (page, "</section>\n");
}
