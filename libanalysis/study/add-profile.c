/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile is stored first and then compared with those of its name, so that SQL does the comparing. */
#include "add-profile.h"

#include "runs.h"
#include "series-private.h"
#include "statement-private.h"

static gboolean
store_latencies (CulpritStudy *study, gint64 run, const CulpritProfile *profile, GError **error)
{
  g_autoptr (Statement) statement = statement_new (study, "INSERT INTO run_latency VALUES (?, 0, ?, ?)", error);

  for (guint i = 0; statement && i < profile->bins->len; i++)
    {
      const CulpritBin *bin = culprit_profile_bin (profile, i);

      statement_bind (statement, "iiu", run, bin->latency_ns, bin->count);
      if (!statement_run (study, statement, error))
        return FALSE;
    }
  return statement != NULL;
}

/* Creates a run called @name for latencies; @run: its number. If the name is taken, it gets another one and a series of
 * its own. */
static gboolean
store_name (CulpritStudy *study, const char *name, gint64 *run, GError **error)
{
  g_autoptr (Statement) find = statement_named (study, "profile-name-taken", error);
  g_autofree char *run_name = g_utf8_make_valid (name, -1);
  gboolean taken;
  gint64 series = 0;
  gint64 turn = -1;

  if (!find)
    return FALSE;
  statement_bind_named (find, "t:name", run_name);
  if (!statement_step (study, find, &taken, error) ||
      (!taken && !series_of_file (study, run_name, &series, &turn, error)))
    return FALSE;
  if (series == 0)
    {
      g_free (run_name);
      run_name = culprit_study_new_run_name (study, name, error);
      turn = -1;
    }
  return run_name && study_run (study, run, error,
                                "INSERT INTO run (name, source, series_id, turn) "
                                "VALUES (?, 'profile', NULLIF (?, 0), NULLIF (?, -1))",
                                "tii", run_name, series, turn);
}

/* Stores @profile, or @summary if it is NULL. */
static gboolean
store_run (CulpritStudy *study,
           const char *name,
           const CulpritProfile *profile,
           const CulpritSummary *summary,
           gint64 *run,
           GError **error)
{
  g_autofree char *told = NULL;

  if (!store_name (study, name, run, error))
    return FALSE;
  if (profile && profile->told)
    told = culprit_told_to_json (profile->told);
  if (profile)
    return study_run (study, NULL, error, "UPDATE run SET cycles = ?, resolution_ns = ?, told = ? WHERE run_id = ?",
                      "uiti", profile->n, profile->width_ns, told, *run) &&
           store_latencies (study, *run, profile, error) && study_check_sums (study, profile->n, error);
  return study_run (study, NULL, error,
                    "UPDATE run SET summary_mean_ns = ?, summary_sd_ns = ?, summary_samples = ? WHERE run_id = ?",
                    "rrii", summary->mean_ns, summary->sd_ns, (gint64) summary->n, *run);
}

static gboolean
is_known (CulpritStudy *study, gint64 run, const char *name, gboolean *known, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "profile-known", error);
  gboolean row;

  if (!statement)
    return FALSE;
  statement_bind_named (statement, "i:run t:name", run, name);
  if (!statement_step (study, statement, &row, error))
    return FALSE;
  *known = row && sqlite3_column_int64 (statement, 0) > 0;
  return TRUE;
}

static gboolean
add (CulpritStudy *study,
     const char *name,
     const CulpritProfile *profile,
     const CulpritSummary *summary,
     guint *stored,
     guint *known,
     GError **error)
{
  gboolean same = FALSE;
  gint64 run;

  if (!store_run (study, name, profile, summary, &run, error) || !is_known (study, run, name, &same, error) ||
      (same && !study_run (study, NULL, error, "DELETE FROM run WHERE run_id = ?", "i", run)))
    return FALSE;
  *stored += !same;
  *known += same;
  return TRUE;
}

char *
culprit_study_profile_name (const char *name, const CulpritNamedProfile *profile)
{
  return profile->name ? g_strconcat (name, "-", profile->name, NULL) : g_strdup (name);
}

static gboolean
add_all (
    CulpritStudy *study, const char *name, const CulpritLatencyFile *file, guint *stored, guint *known, GError **error)
{
  for (guint i = 0; i < file->profiles->len; i++)
    {
      const CulpritNamedProfile *profile = g_ptr_array_index (file->profiles, i);
      g_autofree char *full_name = culprit_study_profile_name (name, profile);

      if (!add (study, full_name, profile->profile, NULL, stored, known, error))
        return FALSE;
    }
  for (guint i = 0; i < file->summaries->len; i++)
    {
      const CulpritNamedSummary *summary = &g_array_index (file->summaries, CulpritNamedSummary, i);

      if (!add (study, summary->name ? summary->name : name, NULL, &summary->summary, stored, known, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
culprit_study_add_profiles (
    CulpritStudy *study, const char *name, const CulpritLatencyFile *file, guint *stored, guint *known, GError **error)
{
  *stored = *known = 0;
  if (!study_begin (study, error))
    return FALSE;
  if (add_all (study, name, file, stored, known, error) && study_commit (study, error))
    return TRUE;
  study_roll_back (study);
  return FALSE;
}
