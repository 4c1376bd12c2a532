/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles are stored as counts, without loss. */
#include "profiles.h"

#include "record.h"
#include "statement-private.h"

static void
no_such_run (const CulpritStudy *study, const char *name, GError **error)
{
  g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND,
               "%s: no run \"%s\" with latencies; culprit runs lists them", study->path, name);
}

CulpritProfile *
culprit_study_profile (CulpritStudy *study, const char *name, GError **error)
{
  g_autoptr (Statement) statement = statement_new (study,
                                                   "SELECT latency_ns, SUM (count), MAX (resolution_ns) "
                                                   "FROM run_latency JOIN run USING (run_id) "
                                                   "WHERE name = ?1 GROUP BY latency_ns",
                                                   error);
  g_autoptr (CulpritProfile) profile = culprit_profile_new (1);
  gboolean row = statement != NULL;

  if (!statement)
    return NULL;
  statement_bind (statement, "t", name);
  while (row)
    {
      if (!statement_step (study, statement, &row, error))
        return NULL;
      if (!row)
        break;
      culprit_profile_add (profile, sqlite3_column_int64 (statement, 0), sqlite3_column_int64 (statement, 1));
      profile->width_ns = MAX (profile->width_ns, sqlite3_column_int64 (statement, 2));
    }
  culprit_profile_finish (profile);
  if (profile->n > 0)
    return g_steal_pointer (&profile);
  no_such_run (study, name, error);
  return NULL;
}

GPtrArray *
culprit_study_profile_names (CulpritStudy *study, const char *name, GError **error)
{
  g_autoptr (Statement) statement =
      statement_new (study,
                     "SELECT name FROM run WHERE run_id IN (SELECT run_id FROM run_latency) "
                     "AND (?1 IS NULL OR name = ?1 OR recording = ?1) ORDER BY run_id",
                     error);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  gboolean row = statement != NULL;

  if (statement)
    statement_bind (statement, "t", name);
  while (row)
    {
      if (!statement_step (study, statement, &row, error))
        return NULL;
      if (row)
        g_ptr_array_add (names, g_strdup (statement_text (statement, 0)));
    }
  if (!statement)
    return NULL;
  if (names->len > 0 || !name)
    return g_steal_pointer (&names);
  no_such_run (study, name, error);
  return NULL;
}

static gboolean
store (CulpritStudy *study, const char *name, const CulpritProfile *profile, GError **error)
{
  g_autoptr (Statement) statement = NULL;
  gint64 run;

  if (!study_insert (study, &run, error,
                     "INSERT INTO run (name, source, started_utc, cycles, resolution_ns) "
                     "VALUES (?, 'profile', NULL, ?, ?)",
                     "tui", name, profile->n, profile->width_ns))
    return FALSE;
  statement = statement_new (study, "INSERT INTO run_latency VALUES (?, 0, ?, ?)", error);
  for (guint i = 0; statement && i < profile->bins->len; i++)
    {
      const CulpritBin *bin = culprit_profile_bin (profile, i);

      statement_bind (statement, "iiu", run, bin->latency_ns, bin->count);
      if (!statement_run (study, statement, error))
        return FALSE;
    }
  return statement != NULL;
}

gboolean
culprit_study_add_profile (
    CulpritStudy *study, const char *name, const CulpritProfile *profile, char **stored, GError **error)
{
  g_autofree char *free_name = culprit_study_new_run_name (study, name, error);

  if (!free_name || !study_begin (study, error))
    return FALSE;
  if (store (study, free_name, profile, error) && study_commit (study, error))
    {
      *stored = g_steal_pointer (&free_name);
      return TRUE;
    }
  study_roll_back (study);
  return FALSE;
}
