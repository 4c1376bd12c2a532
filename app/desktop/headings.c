/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dates are the starts of runs; imported captures and other tools' latencies have none. */
#include "headings.h"

#include "capture/windows/measured.h"
#include "units.h"

#include <string.h>

#define DATE strlen ("2026-11-21")
#define MINUTE strlen ("2026-11-21 11:05")

/* The first @length characters of the start of the run in @row. The caller owns it; NULL: unknown. */
static char *
date_of (CulpritRow *row, gsize length)
{
  const char *started = row ? culprit_row_text (row, "started_utc") : "";

  return *started ? g_strndup (started, length) : NULL;
}

static gboolean
is_shown (CulpritDocument *document, CulpritRow *row)
{
  const char *run = culprit_document_run (document);

  return !run || g_str_equal (culprit_row_text (row, "run"), run) ||
         g_str_equal (culprit_row_text (row, "series"), run);
}

static void
set_text (char **text, const char *other)
{
  g_free (*text);
  *text = g_strdup (other);
}

/* The first and the last day of recording. */
static void
find_days (CulpritDocument *document, char **first, char **last)
{
  CulpritRows *runs = culprit_document_runs (document);

  for (guint i = 0; runs && i < g_list_model_get_n_items (G_LIST_MODEL (runs)); i++)
    {
      g_autoptr (CulpritRow) row = g_list_model_get_item (G_LIST_MODEL (runs), i);
      g_autofree char *day = is_shown (document, row) ? date_of (row, DATE) : NULL;

      if (day && (!*first || g_strcmp0 (day, *first) < 0))
        set_text (first, day);
      if (day && (!*last || g_strcmp0 (day, *last) > 0))
        set_text (last, day);
    }
}

char *
heading_of_runs (CulpritDocument *document)
{
  g_autofree char *study = g_path_get_basename (culprit_document_path (document));
  g_autofree char *first = NULL;
  g_autofree char *last = NULL;

  find_days (document, &first, &last);
  if (!first)
    return g_steal_pointer (&study);
  if (g_str_equal (first, last))
    return g_strdup_printf ("%s, recorded %s", study, first);
  return g_strdup_printf ("%s, recorded %s to %s", study, first, last);
}

char *
heading_of_capture (CulpritDocument *document, gint64 capture)
{
  CulpritRows *runs = culprit_document_runs (document);
  CulpritRow *row = culprit_document_row (document, capture);
  const char *name = row ? culprit_row_text (row, "run") : "";
  g_autofree char *study = g_path_get_basename (culprit_document_path (document));
  g_autofree char *file = row ? g_path_get_basename (culprit_row_text (row, "file")) : NULL;
  g_autofree char *latency = row ? culprit_time_format (culprit_row_integer (row, "latency_ns")) : NULL;
  g_autofree char *started = NULL;

  if (!row)
    return g_steal_pointer (&study);
  for (guint i = 0; runs && !started && i < g_list_model_get_n_items (G_LIST_MODEL (runs)); i++)
    {
      g_autoptr (CulpritRow) run = g_list_model_get_item (G_LIST_MODEL (runs), i);

      if (g_str_equal (culprit_row_text (run, "run"), name))
        started = date_of (run, MINUTE);
    }
  return g_strdup_printf ("%s: timeline of %s (%s), %s %s%s%s%s", study, file, name, latency,
                          culprit_late_or_long (culprit_row_text (row, "window_kind")), started ? ", recorded " : "",
                          started ? started : "", started ? " UTC" : "");
}

char *
heading_name_capture (CulpritDocument *document, gint64 capture)
{
  CulpritRow *row = culprit_document_row (document, capture);
  g_autofree char *file = row ? g_path_get_basename (culprit_row_text (row, "file")) : NULL;
  char *dot = file ? strrchr (file, '.') : NULL;

  if (dot && dot != file)
    *dot = '\0';
  return g_steal_pointer (&file);
}
