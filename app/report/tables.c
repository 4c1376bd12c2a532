/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sections on all captures: the verdict, the functions whose cost varies, the test of stalls. */
#include "report-private.h"

#include "tables/stalls.h"
#include "units.h"

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

  page_add (page, "<section id=\"verdict\">\n<h2>Verdict</h2>\n");
  add_list (page, verdict->culprits->len > 0 ? "ol" : "ul", sentences);
  if (verdict->captures > 0)
    page_add (page,
              "<p class=\"aside\">From %u capture%s, of which %u clearly exceed%s %u ordinary wake-up%s and %u %s "
              "explained; times exclude the tracer's.</p>\n",
              verdict->captures, culprit_plural (verdict->captures), verdict->stands_out,
              verdict->stands_out == 1 ? "s" : "", verdict->ordinary, culprit_plural (verdict->ordinary),
              verdict->explained, verdict->explained == 1 ? "is" : "are");
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

static void
add_finding (GString *page, const CulpritStalls *stalls)
{
  if (!stalls->spread)
    {
      page_add (page, "<p>No blind stalls.</p>\n");
      return;
    }
  g_autofree char *length = culprit_time_format ((gint64) stalls->length_ns);

  page_add (page, "<p>Blind stalls%s in %u capture%s, of %s on average: no place explains them. Proof: %s.</p>\n",
            stalls->likely ? ", likely," : "", stalls->struck, culprit_plural (stalls->struck), length,
            culprit_proof_name (stalls->proof));
}

void
report_add_stalls (GString *page, const ReportContent *content)
{
  const CulpritStalls *stalls = content->verdict->stalls;
  g_autoptr (CulpritTable) places = culprit_places_table (stalls);

  if (stalls->candidates == 0)
    return;
  page_add (page,
            "<section id=\"stalls\">\n<h2>Stalls</h2>\n<p>Of %u capture%s that stand%s out, %u %s abnormal "
            "stretches without any event that together are half of the excess or more.</p>\n",
            stalls->captures, culprit_plural (stalls->captures), stalls->captures == 1 ? "s" : "", stalls->candidates,
            stalls->candidates == 1 ? "has" : "have");
  page_add_table (page, places, &culprit_places, G_MAXUINT);
  add_finding (page, stalls);
  page_add (page, "</section>\n");
}
