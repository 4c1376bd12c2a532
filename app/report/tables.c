/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said over all captures: the verdict, the functions whose cost varies, the test of stalls. */
#include "report-private.h"

#include "names.h"
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
              "<p class=\"aside\">From %u capture%s, of which %u stand%s out of %u ordinary wake-up%s and %u %s "
              "explained; times are without the tracer's.</p>\n",
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

static void
add_function (GString *page, const CulpritTable *functions, guint row)
{
  g_autofree char *label = culprit_function_label (culprit_table_text (functions, row, "function"),
                                                   culprit_table_integer (functions, row, "ordinal"));

  page_add (page, "<tr><td><code>%s</code></td>", label);
  page_add_text_cell (page, culprit_table_text (functions, row, "module"));
  page_add_percent_cell (page, culprit_table_value (functions, row, "variance_share"));
  page_add_time_cell (page, culprit_table_value (functions, row, "excess_ns"));
  page_add_time_cell (page, culprit_table_value (functions, row, "count_part_ns"));
  page_add_time_cell (page, culprit_table_value (functions, row, "cost_part_ns"));
  page_add_mean_cell (page, culprit_table_value (functions, row, "outlier.calls_mean"));
  page_add_mean_cell (page, culprit_table_value (functions, row, "ordinary.calls_mean"));
  page_add_count_cell (page, culprit_table_value (functions, row, "captures"));
  page_add (page, "</tr>\n");
}

gboolean
report_add_functions (GString *page, const ReportContent *content, GError **error)
{
  static const char *const titles[] = { "function", "module", "#of the variance", "#excess",   "#by calls",
                                        "#by cost", "#calls", "#usual calls",     "#captures", NULL };
  g_autoptr (CulpritTable) functions = culprit_query_functions (content->study, &content->filter, error);

  if (!functions)
    return FALSE;
  if (culprit_table_rows (functions) == 0)
    return TRUE;
  page_add (page, "<section id=\"functions\">\n<h2>Functions whose cost varies</h2>\n"
                  "<p>Means over the windows of all these captures; those first with which most of the variance of "
                  "latencies comes.</p>\n");
  page_begin_table (page, titles);
  for (guint row = 0; row < culprit_table_rows (functions) && row < REPORT_MOST_FUNCTIONS; row++)
    add_function (page, functions, row);
  page_end_table (page);
  page_add (page, "</section>\n");
  return TRUE;
}

/* What the stretch of a place lies between. */
static const char *
event_or (const char *event, const char *otherwise)
{
  return event && *event ? event : otherwise;
}

static void
add_place (GString *page, const CulpritPlace *place)
{
  page_add (page, "<tr class=\"%s\"><td><code>%s</code>%s</td>", place->guilty ? "culprit" : "part", place->name,
            place->guilty ? " took too long" : "");
  page_add_text_cell (page, culprit_context_name (place->context));
  page_add_text_cell (page, place->before ? event_or (place->before, "the window's start") : "varies");
  page_add_text_cell (page, place->after ? event_or (place->after, "its end") : "varies");
  page_add (page, "<td class=\"number\">%u</td><td class=\"number\">%.2f %%</td><td class=\"number\">%.3g</td>",
            place->hits, place->share * 100, place->p);
  page_add_text_cell (page, place->reason);
  page_add (page, "</tr>\n");
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
  static const char *const titles[] = { "place", "context", "from", "to", "#struck", "#of ordinary time",
                                        "#p",    "why",     NULL };
  const CulpritStalls *stalls = content->verdict->stalls;

  if (stalls->candidates == 0)
    return;
  page_add (page,
            "<section id=\"stalls\">\n<h2>Stalls</h2>\n<p>Of %u capture%s that stand%s out, %u %s abnormal "
            "stretches without any event that together are half of the excess or more.</p>\n",
            stalls->captures, culprit_plural (stalls->captures), stalls->captures == 1 ? "s" : "", stalls->candidates,
            stalls->candidates == 1 ? "has" : "have");
  page_begin_table (page, titles);
  for (guint i = 0; i < stalls->places->len; i++)
    add_place (page, &g_array_index (stalls->places, CulpritPlace, i));
  page_end_table (page);
  add_finding (page, stalls);
  page_add (page, "</section>\n");
}
