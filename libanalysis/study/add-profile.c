/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile is stored first and then held against those of its name: what SQL can compare need not be compared here. */
#include "add-profile.h"

#include "record.h"
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

/* Stores @profile, or @summary where it is NULL. */
static gboolean
store_run (CulpritStudy *study,
           const char *name,
           const CulpritProfile *profile,
           const CulpritSummary *summary,
           gint64 *run,
           GError **error)
{
  g_autofree char *free_name = culprit_study_new_run_name (study, name, error);
  g_autofree char *told = NULL;

  if (!free_name)
    return FALSE;
  if (profile && profile->told)
    told = culprit_told_to_json (profile->told);
  if (profile)
    return study_insert (study, run, error,
                         "INSERT INTO run (name, source, cycles, resolution_ns, told) VALUES (?, 'profile', ?, ?, ?)",
                         "tuit", free_name, profile->n, profile->width_ns, told) &&
           store_latencies (study, *run, profile, error);
  return study_insert (study, run, error,
                       "INSERT INTO run (name, source, summary_mean_ns, summary_sd_ns, summary_samples) "
                       "VALUES (?, 'profile', ?, ?, ?)",
                       "trri", free_name, summary->mean_ns, summary->sd_ns, (gint64) summary->n);
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
      (same && !study_insert (study, NULL, error, "DELETE FROM run WHERE run_id = ?", "i", run)))
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
