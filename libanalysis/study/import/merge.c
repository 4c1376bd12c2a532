/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merging is copying: every fact of a capture is a row of its own. Only numbers change. */
#include "merge.h"

#include "capture/capture.h"
#include "files.h"
#include "study/statement-private.h"

#include <string.h>

/* Matches the runs of two studies. A label is what the user called a measurement: the recording's name, else the
 * run's. */

#define LONG_LABEL 256 /* bytes: a longer one may be shortened, see study/sql/parts/kept-characters.sql */

static GPtrArray *
find_taken_labels (CulpritStudy *study, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "merge/labels", error);
  g_autoptr (GPtrArray) labels = g_ptr_array_new_with_free_func (g_free);
  gboolean row = statement != NULL;

  while (row)
    {
      if (!statement_step (study, statement, &row, error))
        return NULL;
      if (row)
        g_ptr_array_add (labels, g_strdup (statement_text (statement, 0)));
    }
  return statement ? g_steal_pointer (&labels) : NULL;
}

/* The first of LABEL-2, LABEL-3... that is free. @long_number: where to go on if @label is long, as many may begin
 * alike. The caller owns it; NULL with an error. */
static char *
find_free_label (CulpritStudy *study, const char *label, gint64 *long_number, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "merge/numbered", error);
  gint64 own_number = 2;
  gint64 *number = strlen (label) > LONG_LABEL ? long_number : &own_number;

  for (; statement; (*number)++)
    {
      gboolean row;

      statement_bind_named (statement, "t:label i:number", label, *number);
      if (!statement_step (study, statement, &row, error))
        return NULL;
      if (sqlite3_column_int (statement, 1) == 0)
        return g_strdup (statement_text (statement, 0));
      sqlite3_reset (statement);
    }
  return NULL;
}

/* Creates temp.run_map: for each run of the attached study `other` its number (old), that in this study (new; null
 * until it is copied), and the name and the recording that it gets here. Runs of imported captures are identified by
 * name; recorded runs and imported latencies by their content, so that a run that is already here is recognised, and a
 * different one gets a number appended if its name, or that of its series or arm, means something here. */
static gboolean
merge_map_runs (CulpritStudy *study, GError **error)
{
  g_autoptr (GPtrArray) labels = NULL;
  g_autoptr (GPtrArray) still_taken = NULL;
  gint64 long_number = 2;

  if (!study_execute_named (study, "merge/runs", error) || !(labels = find_taken_labels (study, error)))
    return FALSE;
  for (guint i = 0; i < labels->len; i++)
    {
      const char *label = g_ptr_array_index (labels, i);
      g_autofree char *free_label = find_free_label (study, label, &long_number, error);

      if (!free_label || !study_change (study, error, "merge/rename", "t:label t:free", label, free_label))
        return FALSE;
    }
  if (labels->len == 0)
    return TRUE;
  still_taken = find_taken_labels (study, error);
  if (still_taken && still_taken->len > 0) /* Runs that are not called as their series are. */
    g_set_error_literal (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_QUERY, "its names are not free");
  return still_taken && still_taken->len == 0;
}

typedef struct
{
  char *from; /* folder of the study that is merged */
  char *to;   /* folder of the study that it is merged into */
} Folders;

/* SQL function: converts the name of a capture's file, relative to the other study's folder, to that in this study. */
static void
file_from_other (sqlite3_context *context, int n_arguments, sqlite3_value **arguments)
{
  const Folders *folders = sqlite3_user_data (context);
  const char *file =
      (const char *) sqlite3_value_text (arguments[0]); /* NULL only occurs in studies that we did not write */
  g_autofree char *path = g_canonicalize_filename (file ? file : "", folders->from);
  gsize length = strlen (folders->to);
  gboolean below = g_str_has_prefix (path, folders->to) && path[length] == '/';

  sqlite3_result_text (context, below ? path + length + 1 : path, -1, SQLITE_TRANSIENT);
}

static char *
folder_of (const char *path)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);

  return g_path_get_dirname (absolute);
}

static gboolean
attach (CulpritStudy *study, const CulpritStudy *other, GError **error)
{
  g_autofree char *uri = g_strconcat (other->uri, strchr (other->uri, '?') ? "&" : "?", "mode=ro", NULL);
  g_autoptr (Statement) statement = statement_new (study, "ATTACH ? AS other", error);

  if (!statement)
    return FALSE;
  statement_bind (statement, "t", uri);
  return statement_run (study, statement, error);
}

/* Maps the tree of calls to that of @study, level by level. */
static gboolean
map_nodes (CulpritStudy *study, GError **error)
{
  gint64 deepest;

  if (!study_number (study, "SELECT MAX (depth) FROM other.node", &deepest, error))
    return FALSE;
  for (gint64 depth = 0; depth <= MIN (deepest, CULPRIT_NODES_DEEPEST); depth++)
    if (!study_change (study, error, "merge/add-nodes", "i:depth", depth) ||
        !study_change (study, error, "merge/map-nodes", "i:depth", depth))
      return FALSE;
  return TRUE;
}

static gboolean
copy (CulpritStudy *study, const CulpritStudy *other, CulpritMergeResult *result, GError **error)
{
  g_autofree char *find_largest = sql_text ("merge/largest", NULL);
  g_autofree char *find_otherwise = sql_text ("merge/otherwise", NULL);
  g_autofree char *find_notes = sql_text ("merge/notes", NULL);
  gint64 all;
  gint64 largest;

  if (!study_execute_named (study, "merge/map", error) || !map_nodes (study, error) || !merge_map_runs (study, error) ||
      !study_number (study, "SELECT COUNT (*) FROM new_capture", &result->captures, error) ||
      !study_number (study, find_otherwise, &result->otherwise, error) ||
      !study_number (study, find_notes, &result->notes, error) ||
      !study_number (study, "SELECT COUNT (*) FROM run_map WHERE new IS NULL", &result->runs, error) ||
      !study_number (study, "SELECT COUNT (*) FROM other.capture", &all, error) ||
      !study_number (study, "SELECT COUNT (*) FROM other.fleet_population", &result->populations, error) ||
      !study_execute_named (study, "merge/copy", error) || !study_execute_named (study, "merge/drop", error) ||
      !study_number (study, find_largest, &largest, error) || !study_check_sums (study, largest, error) ||
      !study_check_names (study, other, error))
    return FALSE;
  result->known = all - result->captures;
  return TRUE;
}

/* If SQLite rejects rows, the content of @from is inconsistent. */
static void
blame_other (const char *from, GError **error)
{
  g_clear_error (error);
  g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_STUDY,
               "%s: damaged (its rows do not fit together); nothing was merged; import its captures instead", from);
}

/* Whether nothing in @other would damage the study: sums that overflow, or calls that are not what they say. */
static gboolean
check_harmless (CulpritStudy *other, GError **error)
{
  static const char *const checks[] = { "check/times", "check/nodes" };

  for (guint i = 0; i < G_N_ELEMENTS (checks); i++)
    {
      g_autoptr (Statement) statement = statement_named (other, checks[i], error);
      gboolean row;

      if (!statement || !statement_step (other, statement, &row, error))
        return FALSE;
      if (row)
        {
          g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_STUDY, "%s: nothing was merged: %s",
                       other->path, statement_text (statement, 0));
          return FALSE;
        }
    }
  return TRUE;
}

gboolean
culprit_study_merge (CulpritStudy *study, const char *from, CulpritMergeResult *result, GError **error)
{
  g_autoptr (CulpritStudy) other = culprit_study_open (from, CULPRIT_STUDY_READ, error);
  g_autofree char *from_folder = folder_of (from);
  g_autofree char *to_folder = folder_of (study->path);
  Folders folders = { from_folder, to_folder };
  GError *problem = NULL;
  gboolean good;

  *result = (CulpritMergeResult) { 0 };
  if (!other || !study_check_pages (other, error))
    return FALSE;
  if (culprit_is_same_file (study->path, from))
    return study_number (study, "SELECT COUNT (*) FROM capture", &result->known, error);
  if (!check_harmless (other, error) || !attach (study, other, error))
    return FALSE;
  sqlite3_create_function (study->database, "file_from_other", 1,
                           SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, &folders, file_from_other, NULL,
                           NULL);
  good = study_begin (study, &problem) && copy (study, other, result, &problem) && study_commit (study, &problem);
  if (g_error_matches (problem, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_QUERY))
    blame_other (from, &problem);
  if (!good)
    {
      study_roll_back (study);
      g_propagate_error (error, problem);
    }
  sqlite3_exec (study->database, "DETACH other", NULL, NULL, NULL);
  return good;
}
