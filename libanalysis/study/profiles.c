/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles are stored as counts, without loss. */
#include "profiles.h"

#include "statement-private.h"
#include "triage.h"

#define MOST_NS (G_MAXINT64 / 8) /* 36 years: sums and multiples of a few still fit. */

/* Whether a run is ?1 with a number behind it. */
#define IS_NUMBERED                                                                                                    \
  "(substr (name, 1, length (?1) + 1) = ?1 || '-' AND substr (name, length (?1) + 2) GLOB '[0-9]*' "                   \
  "AND substr (name, length (?1) + 2) NOT GLOB '*[^0-9]*')"
#define IS_MEANT "(name = ?1 OR (NOT EXISTS (SELECT 1 FROM run WHERE name = ?1) AND " IS_NUMBERED "))"
#define HAS_LATENCIES "(summary_mean_ns IS NOT NULL OR run_id IN (SELECT run_id FROM run_latency))"

static void
no_such_run (const CulpritStudy *study, const char *name, const char *what, GError **error)
{
  g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND,
               "%s: no run \"%s\" with %s; culprit runs lists them", study->path, name, what);
}

/* A profile of the rows (latency, count, resolution) of @statement; NULL with an error. It may be empty. */
static CulpritProfile *
read_profile (CulpritStudy *study, Statement *statement, GError **error)
{
  g_autoptr (CulpritProfile) profile = culprit_profile_new (1);
  gboolean row = TRUE;

  while (row)
    {
      gint64 latency_ns;
      gint64 width_ns;

      if (!statement_step (study, statement, &row, error))
        return NULL;
      if (!row)
        break;
      latency_ns = sqlite3_column_int64 (statement, 0);
      width_ns = sqlite3_column_int64 (statement, 2);
      if (latency_ns < -MOST_NS || latency_ns > MOST_NS || width_ns > MOST_NS ||
          !culprit_profile_add (profile, latency_ns, sqlite3_column_int64 (statement, 1)))
        {
          g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_STUDY,
                       "%s: not a study, or a damaged one: %" G_GINT64_FORMAT
                       " ns is no latency, or there are too many",
                       study->path, latency_ns);
          return NULL;
        }
      profile->width_ns = MAX (profile->width_ns, width_ns);
    }
  culprit_profile_finish (profile);
  culprit_profile_take_middles (profile);
  return g_steal_pointer (&profile);
}

/* What was told of the run that @label means; of several together it says nothing. */
static gboolean
read_told (CulpritStudy *study, const char *label, CulpritProfile *profile, GError **error)
{
  g_autoptr (Statement) statement =
      statement_new (study, "SELECT MAX (told) FROM run WHERE " IS_MEANT " HAVING COUNT (*) = 1", error);
  gboolean row;

  if (!statement)
    return FALSE;
  statement_bind (statement, "t", label);
  if (!statement_step (study, statement, &row, error))
    return FALSE;
  if (row)
    profile->told = culprit_told_from_json (statement_text (statement, 0));
  return TRUE;
}

CulpritProfile *
culprit_study_profile (CulpritStudy *study, const char *label, gint64 cpu, GError **error)
{
  g_autoptr (Statement) statement = statement_new (study,
                                                   "SELECT latency_ns, SUM (count), MAX (resolution_ns) "
                                                   "FROM run_latency JOIN run USING (run_id) "
                                                   "WHERE " IS_MEANT " AND ?2 IN (cpu, -1) GROUP BY latency_ns",
                                                   error);
  g_autoptr (CulpritProfile) profile = NULL;

  if (!statement)
    return NULL;
  statement_bind (statement, "ti", label, cpu);
  profile = read_profile (study, statement, error);
  if (profile && cpu == CULPRIT_ALL_CPUS && !read_told (study, label, profile, error))
    return NULL;
  if (!profile || profile->n > 0)
    return g_steal_pointer (&profile);
  no_such_run (study, label, "latencies", error);
  return NULL;
}

/* The texts of the first column of @sql, of which @label is the parameter. */
static GPtrArray *
read_names (CulpritStudy *study, const char *sql, const char *label, GError **error)
{
  g_autoptr (Statement) statement = statement_new (study, sql, error);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  gboolean row = statement != NULL;

  if (statement)
    statement_bind (statement, "t", label);
  while (row)
    {
      if (!statement_step (study, statement, &row, error))
        return NULL;
      if (row)
        g_ptr_array_add (names, g_strdup (statement_text (statement, 0)));
    }
  if (!statement)
    return NULL;
  if (names->len > 0 || !label)
    return g_steal_pointer (&names);
  no_such_run (study, label, "latencies", error);
  return NULL;
}

GPtrArray *
culprit_study_profile_names (CulpritStudy *study, const char *name, GError **error)
{
  return read_names (study,
                     "SELECT name FROM run WHERE " HAS_LATENCIES " AND (?1 IS NULL OR recording = ?1 OR " IS_MEANT
                     ") ORDER BY run_id",
                     name, error);
}

/* The profiles of the runs that @sql names by @label. */
static GPtrArray *
read_profiles (CulpritStudy *study, const char *sql, const char *label, GError **error)
{
  g_autoptr (GPtrArray) names = read_names (study, sql, label, error);
  g_autoptr (GPtrArray) profiles = g_ptr_array_new_with_free_func ((GDestroyNotify) culprit_profile_free);

  for (guint i = 0; names && i < names->len; i++)
    {
      CulpritProfile *profile = culprit_study_profile (study, g_ptr_array_index (names, i), CULPRIT_ALL_CPUS, error);

      if (!profile)
        return NULL;
      g_ptr_array_add (profiles, profile);
    }
  return names ? g_steal_pointer (&profiles) : NULL;
}

GPtrArray *
culprit_study_profile_runs (CulpritStudy *study, const char *label, GError **error)
{
  return read_profiles (study,
                        "SELECT name FROM run WHERE run_id IN (SELECT run_id FROM run_latency) "
                        "AND (name = ?1 OR " IS_NUMBERED ") ORDER BY run_id",
                        label, error);
}

GPtrArray *
culprit_study_profile_meant (CulpritStudy *study, const char *label, GError **error)
{
  return read_profiles (
      study, "SELECT name FROM run WHERE run_id IN (SELECT run_id FROM run_latency) AND " IS_MEANT " ORDER BY run_id",
      label, error);
}

static gboolean
count_ignored (CulpritStudy *study, const char *label, guint *ignored, GError **error)
{
  g_autoptr (Statement) statement = statement_new (study,
                                                   "SELECT COUNT (*) FROM capture JOIN run USING (run_id) "
                                                   "WHERE " IS_MEANT " AND triage = '" CULPRIT_TRIAGE_IGNORED "'",
                                                   error);
  gboolean row;

  if (!statement)
    return FALSE;
  statement_bind (statement, "t", label);
  if (!statement_step (study, statement, &row, error))
    return FALSE;
  *ignored = sqlite3_column_int64 (statement, 0);
  return TRUE;
}

CulpritProfile *
culprit_study_profile_untraced (CulpritStudy *study, const char *label, guint *ignored, GError **error)
{
  g_autoptr (Statement) statement =
      statement_new (study,
                     "SELECT latency_ns - tracing_ns AS untraced_ns, COUNT (*), 1 "
                     "FROM window JOIN capture USING (capture_id) JOIN run USING (run_id) "
                     "WHERE " IS_MEANT " AND triage <> '" CULPRIT_TRIAGE_IGNORED "' GROUP BY untraced_ns",
                     error);
  g_autoptr (CulpritProfile) profile = NULL;

  if (!statement || (ignored && !count_ignored (study, label, ignored, error)))
    return NULL;
  statement_bind (statement, "t", label);
  profile = read_profile (study, statement, error);
  if (!profile || profile->n > 0)
    return g_steal_pointer (&profile);
  no_such_run (study, label, "captured wake-ups that count", error);
  return NULL;
}

gboolean
culprit_study_profile_facts (CulpritStudy *study, const char *name, CulpritProfileFacts *facts, GError **error)
{
  g_autoptr (Statement) statement = statement_new (
      study,
      "SELECT summary_mean_ns IS NULL, IFNULL (summary_mean_ns, 0), IFNULL (summary_sd_ns, 0), "
      " IFNULL (summary_samples, 0), IFNULL (period_ns, 0), IFNULL (deadline_ns, 0) FROM run WHERE " IS_MEANT,
      error);
  gboolean row;

  if (!statement)
    return FALSE;
  statement_bind (statement, "t", name);
  if (!statement_step (study, statement, &row, error))
    return FALSE;
  if (!row)
    {
      no_such_run (study, name, "latencies", error);
      return FALSE;
    }
  *facts =
      (CulpritProfileFacts) { .whole = sqlite3_column_int (statement, 0) != 0,
                              .summary = { sqlite3_column_double (statement, 1), sqlite3_column_double (statement, 2),
                                           sqlite3_column_double (statement, 3) },
                              .period_ns = sqlite3_column_int64 (statement, 4),
                              .deadline_ns = sqlite3_column_int64 (statement, 5) };
  return TRUE;
}

GArray *
culprit_study_profile_cpus (CulpritStudy *study, const char *name, GError **error)
{
  g_autoptr (Statement) statement = statement_new (
      study, "SELECT DISTINCT cpu FROM run_latency JOIN run USING (run_id) WHERE " IS_MEANT " ORDER BY cpu", error);
  g_autoptr (GArray) cpus = g_array_new (FALSE, FALSE, sizeof (gint64));
  gboolean row = statement != NULL;

  if (statement)
    statement_bind (statement, "t", name);
  while (row)
    {
      if (!statement_step (study, statement, &row, error))
        return NULL;
      if (row)
        {
          gint64 cpu = sqlite3_column_int64 (statement, 0);

          g_array_append_val (cpus, cpu);
        }
    }
  return statement ? g_steal_pointer (&cpus) : NULL;
}
