/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles are stored as counts, without loss. */
#include "profiles.h"

#include "statement-private.h"

#define MOST_NS (G_MAXINT64 / 8) /* 36 years: sums and small multiples still fit. */

static void
no_such_run (const CulpritStudy *study, const char *name, const char *what, GError **error)
{
  g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND, "%s: no run \"%s\" with %s; see culprit runs",
               study->path, name, what);
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
                       " ns is not a valid latency, or there are too many",
                       study->path, latency_ns);
          return NULL;
        }
      profile->width_ns = MAX (profile->width_ns, width_ns);
    }
  culprit_profile_finish (profile);
  culprit_profile_take_middles (profile);
  return g_steal_pointer (&profile);
}

/* The query @name for @label, at its first row; @row: whether it has one. */
static Statement *
first_row (CulpritStudy *study, const char *name, const char *label, gboolean *row, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, name, error);

  if (!statement)
    return NULL;
  statement_bind_named (statement, "t:label", label);
  return statement_step (study, statement, row, error) ? g_steal_pointer (&statement) : NULL;
}

/* What the tool printed about the run that @label means; nothing if it means several. */
static gboolean
read_told (CulpritStudy *study, const char *label, CulpritProfile *profile, GError **error)
{
  gboolean row;
  g_autoptr (Statement) statement = first_row (study, "profile-told", label, &row, error);

  if (!statement)
    return FALSE;
  if (row)
    profile->told = culprit_told_from_json (statement_text (statement, 0));
  return TRUE;
}

CulpritProfile *
culprit_study_profile (CulpritStudy *study, const char *label, gint64 cpu, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "profile", error);
  g_autoptr (CulpritProfile) profile = NULL;

  if (!statement)
    return NULL;
  statement_bind_named (statement, "t:label i:cpu", label, cpu);
  profile = read_profile (study, statement, error);
  if (profile && cpu == CULPRIT_ALL_CPUS && !read_told (study, label, profile, error))
    return NULL;
  if (!profile || profile->n > 0)
    return g_steal_pointer (&profile);
  no_such_run (study, label, "latencies", error);
  return NULL;
}

/* The texts of the first column of study/sql/@query.sql. */
static GPtrArray *
read_names (CulpritStudy *study, const char *query, const char *label, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, query, error);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  gboolean row = statement != NULL;

  if (statement)
    statement_bind_named (statement, "t:label", label);
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
  return read_names (study, "profile-names", name, error);
}

/* The profiles of the runs that study/sql/@query.sql names. */
static GPtrArray *
read_profiles (CulpritStudy *study, const char *query, const char *label, GError **error)
{
  g_autoptr (GPtrArray) names = read_names (study, query, label, error);
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
  return read_profiles (study, "profile-runs", label, error);
}

GPtrArray *
culprit_study_profile_meant (CulpritStudy *study, const char *label, GError **error)
{
  return read_profiles (study, "profile-meant", label, error);
}

gboolean
culprit_study_run_number (CulpritStudy *study, const char *label, guint *number, GError **error)
{
  gboolean row;
  g_autoptr (Statement) statement = first_row (study, "run-number", label, &row, error);

  if (!statement)
    return FALSE;
  *number = row ? sqlite3_column_int (statement, 0) : 0;
  return TRUE;
}

static gboolean
count_ignored (CulpritStudy *study, const char *label, guint *ignored, GError **error)
{
  gboolean row;
  g_autoptr (Statement) statement = first_row (study, "profile-ignored", label, &row, error);

  if (!statement)
    return FALSE;
  *ignored = sqlite3_column_int64 (statement, 0);
  return TRUE;
}

CulpritProfile *
culprit_study_profile_untraced (CulpritStudy *study, const char *label, guint *ignored, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "profile-untraced", error);
  g_autoptr (CulpritProfile) profile = NULL;

  if (!statement || (ignored && !count_ignored (study, label, ignored, error)))
    return NULL;
  statement_bind_named (statement, "t:label", label);
  profile = read_profile (study, statement, error);
  if (!profile || profile->n > 0)
    return g_steal_pointer (&profile);
  no_such_run (study, label, "captured wake-ups that count", error);
  return NULL;
}

gboolean
culprit_study_profile_facts (CulpritStudy *study, const char *name, CulpritProfileFacts *facts, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "profile-facts", error);
  gboolean row;

  if (!statement)
    return FALSE;
  statement_bind_named (statement, "t:label", name);
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
  g_autoptr (Statement) statement = statement_named (study, "profile-cpus", error);
  g_autoptr (GArray) cpus = g_array_new (FALSE, FALSE, sizeof (gint64));
  gboolean row = statement != NULL;

  if (statement)
    statement_bind_named (statement, "t:label", name);
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
