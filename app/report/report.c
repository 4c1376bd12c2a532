/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts the report together and writes it. */
#include "chart/colours.h"
#include "report-private.h"
#include "report-resources.h"
#include "study/triage.h"
#include "write-file.h"

#include <stdlib.h>
#include <sys/stat.h>

static void
content_clear (ReportContent *content)
{
  if (content->verdict != content->judged)
    g_clear_pointer (&content->verdict, culprit_verdict_free);
  g_clear_pointer (&content->judged, culprit_verdict_free);
  g_clear_pointer (&content->outliers, culprit_table_free);
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
add_head (GString *page, const char *study)
{
  g_autoptr (GBytes) style = g_resource_lookup_data (culprit_report_get_resource (), "/culprit/report/report.css",
                                                     G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  gsize length;
  const char *text = g_bytes_get_data (style, &length);
  g_autofree char *light = chart_colours_css (CHART_LIGHT);
  g_autofree char *dark = chart_colours_css (CHART_DARK);

  page_add (page,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
            "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>Late wake-ups: %s</title>\n<style>\n",
            study);
  g_string_append_printf (page, ":root { %s}\n@media (prefers-color-scheme: dark) { :root { %s} }\n", light, dark);
  g_string_append_len (page, text, length);
  page_add (page, "</style>\n</head>\n<body>\n<header>\n<h1>Late wake-ups: %s</h1>\n", study);
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

  add_head (page, name);
  add_origin (page, content);
  report_add_verdict (page, content);
  if (!report_add_recorded (page, content, error) || !report_add_latencies (page, content, error) ||
      !report_add_comparison (page, content, error))
    return FALSE;
  report_add_captures (page, content);
  if (!report_add_budgets (page, content, error) || !report_add_functions (page, content, error))
    return FALSE;
  report_add_stalls (page, content);
  report_add_meaning (page);
  page_add (page, "</main>\n</body>\n</html>\n");
  return TRUE;
}

/* The file that @path refers to, following symbolic links. If it exists, it must be a regular file: /dev/stdout, for
 * example, cannot be replaced. NULL with an error. The caller owns it. */
static char *
find_target (const char *path, GError **error)
{
  g_autofree char *shown = g_filename_display_name (path);
  struct stat status;
  char *real;

  if (stat (path, &status) != 0)
    return g_strdup (path);
  real = S_ISREG (status.st_mode) ? realpath (path, NULL) : NULL;
  if (!real)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE, "%s: cannot be replaced: it is not a regular file",
                 shown);
  return real;
}

gboolean
culprit_report_write (
    CulpritStudy *study, const char *run, const gint64 *captures, guint n_captures, const char *path, GError **error)
{
  g_auto (ReportContent)
      content = { .study = study,
                  .filter = { .run = run, .captures = captures, .n_captures = n_captures, .counted = TRUE } };
  g_autoptr (GString) page = g_string_new (NULL);
  g_autofree char *target = find_target (path, error);

  return target && read_content (&content, error) && add_all (page, &content, error) &&
         culprit_write_file (target, page->str, page->len, error);
}
