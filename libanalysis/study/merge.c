/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merging is copying: every fact of a capture is a row of its own. Only numbers change. */
#include "merge.h"

#include "merge-private.h"
#include "statement-private.h"

#include "capture/digest.h"

#include <string.h>
#include <sys/stat.h>

/* Numbers in the other study and in this one. A capture that both know, but by digests of different kinds, is the same
 * where its size and its events agree. Captures and windows are moved up behind those that are here. */
static const char map_sql[] =
    "CREATE TEMP TABLE map AS SELECT "
    " (SELECT IFNULL (MAX (capture_id), 0) FROM main.capture) AS captures, "
    " (SELECT IFNULL (MAX (window_id), 0) FROM main.window) AS windows;"
    "CREATE TEMP TABLE new_capture AS SELECT capture_id FROM other.capture "
    " WHERE sha256 NOT IN (SELECT sha256 FROM main.capture)"
    " AND (size_bytes, first_ns, last_ns, events, sha256 LIKE '%" CULPRIT_DIGEST_KIND "') NOT IN"
    " (SELECT size_bytes, first_ns, last_ns, events, sha256 NOT LIKE '%" CULPRIT_DIGEST_KIND "' FROM main.capture);"
    "CREATE UNIQUE INDEX temp.new_capture_id ON new_capture (capture_id);"
    "INSERT INTO main.host (name, kernel, machine) SELECT name, kernel, machine FROM other.host "
    " WHERE 1 ON CONFLICT DO NOTHING;"
    "INSERT INTO main.function (name, module, ordinal) SELECT name, module, ordinal FROM other.function "
    " WHERE 1 ON CONFLICT DO NOTHING;"
    "CREATE TEMP TABLE host_map AS SELECT o.host_id AS old, m.host_id AS new FROM other.host AS o "
    " JOIN main.host AS m USING (name, kernel, machine);"
    "CREATE TEMP TABLE function_map AS SELECT o.function_id AS old, m.function_id AS new FROM other.function AS o "
    " JOIN main.function AS m USING (name, module, ordinal);"
    "CREATE UNIQUE INDEX temp.function_map_old ON function_map (old);";

static const char copy_sql[] =
    "INSERT INTO main.run (name, host_id, source, started_utc, method, policy, priority, cpus, period_ns, "
    " threshold_ns, band_low_ns, band_high_ns, tracing, load, configuration, recording, deadline_ns, facts, cycles, "
    " hits, missed, late, page_faults, smi_count, steal_ns, delays, resolution_ns, summary_mean_ns, summary_sd_ns, "
    " summary_samples, told) "
    "SELECT run_map.name, host_map.new, source, started_utc, method, policy, priority, cpus, period_ns, threshold_ns, "
    "band_low_ns, "
    " band_high_ns, tracing, load, configuration, run_map.recording, deadline_ns, facts, cycles, hits, missed, late, "
    " page_faults, smi_count, steal_ns, delays, resolution_ns, summary_mean_ns, summary_sd_ns, summary_samples, "
    " told "
    "FROM other.run JOIN run_map ON run_map.old = run_id LEFT JOIN host_map ON host_map.old = host_id "
    "WHERE run_map.new IS NULL ORDER BY run_id;"
    "CREATE TEMP TABLE new_run AS SELECT old, run_id AS new FROM run_map JOIN main.run USING (name) "
    " WHERE run_map.new IS NULL;"
    "UPDATE run_map SET new = (SELECT new FROM new_run WHERE new_run.old = run_map.old) WHERE new IS NULL;"
    "INSERT INTO main.run_latency SELECT new, cpu, latency_ns, count "
    "FROM other.run_latency JOIN new_run ON old = run_id;"
    "INSERT INTO main.run_sample SELECT new, cpu, first_cycle, run_sample.cycles, first_expected_ns, samples "
    "FROM other.run_sample JOIN new_run ON old = run_id;"
    "INSERT INTO main.capture SELECT capture_id + map.captures, run_map.new, host_map.new, file_from_other (file), "
    " sha256, size_bytes, imported_utc, file_version, instance, clock, cpus, first_ns, last_ns, events, "
    " function_events, lost_events, overwritten_events, truncated_calls, ordinary_windows, marker, trigger_ns, "
    " period_ns, period_source, no_windows, triage, note, hit_cycle, needed_kb, smi_count, steal_ns, delays, "
    "read_version,"
    " period_error_ns, graph_depth, graph_functions, interrupts_traced "
    "FROM other.capture JOIN new_capture USING (capture_id) JOIN run_map ON run_map.old = run_id "
    " JOIN host_map ON host_map.old = host_id, map ORDER BY capture_id;"
    "INSERT INTO main.capture_cpu SELECT capture_id + map.captures, cpu, events, first_ns, last_ns, losses, "
    " lost_events, overwritten_events, entry_entry_floor_ns, entry_exit_floor_ns, exit_entry_floor_ns, "
    " exit_exit_floor_ns FROM other.capture_cpu JOIN new_capture USING (capture_id), map;"
    "INSERT INTO main.capture_event SELECT capture_id + map.captures, event, count "
    "FROM other.capture_event JOIN new_capture USING (capture_id), map;"
    "INSERT INTO main.capture_function SELECT capture_id + map.captures, new, calls, self_ns, tracing_ns, total_ns, "
    " off_cpu_ns, truncated FROM other.capture_function JOIN new_capture USING (capture_id) "
    " JOIN function_map ON old = function_id, map;"
    "INSERT INTO main.window SELECT window_id + map.windows, capture_id + map.captures, kind, cpu, pid, comm, "
    " start_ns, end_ns, latency_ns, tracing_ns, not_captured_ns, uncertain_ns "
    "FROM other.window JOIN new_capture USING (capture_id), map;"
    "INSERT INTO main.outlier_cost SELECT window_id + map.windows, new, context, calls, self_ns, "
    " outlier_cost.tracing_ns, total_ns, longest_stretch_ns, truncated, path "
    "FROM other.outlier_cost JOIN other.window USING (window_id) JOIN new_capture USING (capture_id) "
    " JOIN function_map ON old = function_id, map;"
    "INSERT INTO main.ordinary_cost SELECT capture_id + map.captures, new, context, windows, calls, calls_squared, "
    " self_ns, self_squared, self_latency, tracing_ns, intrinsic_squared, intrinsic_untraced, untraced_max_ns, "
    " calls_max, stretch_max_ns, untraced_spread, calls_spread, stretch_spread "
    "FROM (SELECT * FROM other.ordinary_cost JOIN new_capture USING (capture_id)) AS cost "
    " JOIN function_map ON old = function_id, (SELECT captures FROM map) AS map;"
    "INSERT INTO main.outlier_source SELECT window_id + map.windows, context, source, self_ns, "
    " outlier_source.tracing_ns, path, priority "
    "FROM other.outlier_source JOIN other.window USING (window_id) JOIN new_capture USING (capture_id), map;"
    "INSERT INTO main.ordinary_source SELECT capture_id + map.captures, context, source, ordinary_source.windows, "
    " self_ns, tracing_ns, untraced_max_ns, untraced_spread FROM other.ordinary_source JOIN new_capture USING "
    "(capture_id), map;"
    "INSERT INTO main.stall SELECT window_id + map.windows, stall.cpu, stall.start_ns, length_ns, context, new, "
    " other_cpus, silent_cpus, before_event, after_event "
    "FROM other.stall JOIN other.window USING (window_id) JOIN new_capture USING (capture_id) "
    " JOIN function_map ON old = function_id, map;";

static const char drop_sql[] =
    "DROP TABLE IF EXISTS map; DROP TABLE IF EXISTS new_capture; DROP TABLE IF EXISTS new_run; "
    "DROP TABLE IF EXISTS host_map; DROP TABLE IF EXISTS function_map; DROP TABLE IF EXISTS run_map;";

typedef struct
{
  char *from; /* folder of the study that is merged */
  char *to;   /* folder of the study that it is merged into */
} Folders;

/* SQL function: the name of a capture's file, relative to the other study's folder, as this study names it. */
static void
file_from_other (sqlite3_context *context, int n_arguments, sqlite3_value **arguments)
{
  const Folders *folders = sqlite3_user_data (context);
  g_autofree char *path = g_canonicalize_filename ((const char *) sqlite3_value_text (arguments[0]), folders->from);
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
  g_autoptr (Statement) statement = statement_new (study, "ATTACH ? AS other", error);

  if (!statement)
    return FALSE;
  statement_bind (statement, "t", other->uri);
  return statement_run (study, statement, error);
}

static gboolean
copy (CulpritStudy *study, CulpritMergeResult *result, GError **error)
{
  gint64 all;

  if (!study_execute (study, map_sql, error) || !merge_map_runs (study, error) ||
      !study_number (study, "SELECT COUNT (*) FROM new_capture", &result->captures, error) ||
      !study_number (study, "SELECT COUNT (*) FROM run_map WHERE new IS NULL", &result->runs, error) ||
      !study_number (study, "SELECT COUNT (*) FROM other.capture", &all, error) ||
      !study_execute (study, copy_sql, error) || !study_execute (study, drop_sql, error))
    return FALSE;
  result->known = all - result->captures;
  return TRUE;
}

/* Whether both paths are the same file. */
static gboolean
is_same_file (const char *a, const char *b)
{
  struct stat left;
  struct stat right;

  return stat (a, &left) == 0 && stat (b, &right) == 0 && left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

gboolean
culprit_study_merge (CulpritStudy *study, const char *from, CulpritMergeResult *result, GError **error)
{
  g_autoptr (CulpritStudy) other = culprit_study_open (from, CULPRIT_STUDY_READ, error);
  g_autofree char *from_folder = folder_of (from);
  g_autofree char *to_folder = folder_of (study->path);
  Folders folders = { from_folder, to_folder };
  gboolean good;

  *result = (CulpritMergeResult) { 0 };
  if (other && is_same_file (study->path, from))
    return study_number (study, "SELECT COUNT (*) FROM capture", &result->known, error);
  if (!other || !attach (study, other, error))
    return FALSE;
  sqlite3_create_function (study->database, "file_from_other", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, &folders,
                           file_from_other, NULL, NULL);
  good = study_begin (study, error) && copy (study, result, error) && study_commit (study, error);
  if (!good)
    study_roll_back (study);
  sqlite3_exec (study->database, "DETACH other", NULL, NULL, NULL);
  return good;
}
