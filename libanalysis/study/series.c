/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Creates names of runs; names are parsed only for files, where there is nothing else. */
#include "series.h"

#include "runs.h"
#include "statement-private.h"

#include <string.h>

#define MOST_DIGITS 18 /* that fit in a number */

char *
culprit_series_run_name (const char *series, gboolean traced, gint64 turn)
{
  return turn > 0 ? g_strdup_printf ("%s/%s-%" G_GINT64_FORMAT, series, traced ? "on" : "off", turn)
                  : g_strdup (series);
}

gboolean
series_enter (CulpritStudy *study, const char *name, const char *configuration, gint64 *series, GError **error)
{
  g_autoptr (Statement) find = NULL;
  gboolean row;

  if (!study_check_name (study, name, error) ||
      !study_run (study, NULL, error, "INSERT INTO series (name, configuration) VALUES (?, ?) ON CONFLICT DO NOTHING",
                  "tt", name, configuration))
    return FALSE;
  find = statement_new (study, "SELECT series_id FROM series WHERE name = ?", error);
  if (!find)
    return FALSE;
  statement_bind (find, "t", name);
  if (!statement_step (study, find, &row, error))
    return FALSE;
  *series = sqlite3_column_int64 (find, 0);
  return TRUE;
}

/* "STEM-7" is the seventh of "STEM". -1: there is no number. */
static gint64
split_number (const char *name, char **stem)
{
  const char *dash = strrchr (name, '-');
  gsize digits = dash ? strspn (dash + 1, "0123456789") : 0;

  if (!dash || dash == name || digits == 0 || digits > MOST_DIGITS || dash[1 + digits] != '\0')
    {
      *stem = g_strdup (name);
      return -1;
    }
  *stem = g_strndup (name, dash - name);
  return g_ascii_strtoll (dash + 1, NULL, 10);
}

gboolean
series_of_file (CulpritStudy *study, const char *name, gint64 *series, gint64 *turn, GError **error)
{
  g_autoptr (Statement) find = statement_new (study, "SELECT series_id FROM series WHERE name = ? AND of_files", error);
  g_autofree char *stem = NULL;
  g_autofree char *new_name = NULL;
  gboolean row;

  *turn = split_number (name, &stem);
  if (!find)
    return FALSE;
  statement_bind (find, "t", stem);
  if (!statement_step (study, find, &row, error))
    return FALSE;
  *series = row ? sqlite3_column_int64 (find, 0) : 0;
  if (row)
    return TRUE;
  new_name = culprit_study_new_run_name (study, stem, error);
  if (!new_name)
    return FALSE;
  if (g_str_equal (new_name, stem))
    return study_run (study, series, error, "INSERT INTO series (name, of_files) VALUES (?, 1)", "t", stem);
  *turn = -1;
  return TRUE;
}
