/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores recorded runs. Samples are stored as received and also counted by latency, as a study is asked for
 * distributions more often than for the order. */
#include "runs.h"

#include "json.h"
#include "names.h"
#include "series.h"
#include "statement-private.h"

/* A member as JSON text; NULL if it is missing or null. */
static char *
member_json (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node && !JSON_NODE_HOLDS_NULL (node) ? json_to_string (node, FALSE) : NULL;
}

static char *
object_json (JsonObject *object)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);

  return json_to_string (node, FALSE);
}

#define LAST_DOUBLED (G_GINT64_CONSTANT (1) << 40) /* More names than this do not fit into a study. */

/* @name, or with @number appended if that is not 1. */
static char *
numbered (const char *name, gint64 number)
{
  return number == 1 ? g_strdup (name) : g_strdup_printf ("%s-%" G_GINT64_FORMAT, name, number);
}

/* A number that is free and follows one that is taken is searched for by doubling and halving, as a file may have many
 * results of one name. */
char *
culprit_study_new_run_name (CulpritStudy *study, const char *name, GError **error)
{
  g_autoptr (Statement) find = statement_named (study, "name-taken", error);
  g_autofree char *valid = g_utf8_make_valid (name, -1);
  gint64 taken = 0;
  gint64 free = 0; /* not known yet */
  gint64 number = 1;

  while (find && free != taken + 1)
    {
      g_autofree char *candidate = numbered (valid, number);
      gboolean row;

      statement_bind_named (find, "t:name", candidate);
      if (!statement_step (study, find, &row, error))
        return NULL;
      sqlite3_reset (find);
      if (row)
        taken = number;
      else
        free = number;
      if (free != 0)
        number = taken + (free - taken) / 2;
      else
        number = taken < LAST_DOUBLED ? 2 * taken : taken + 1;
    }
  return find ? numbered (valid, free) : NULL;
}

static gboolean
store_host (CulpritStudy *study, const CulpritRecordedRun *recorded, gint64 *host, GError **error)
{
  const char *name = culprit_name_of_host (recorded->host);
  const char *kernel = recorded->kernel ? recorded->kernel : "unknown";
  const char *machine = recorded->machine ? recorded->machine : "unknown";
  g_autoptr (Statement) find = NULL;
  gboolean row;

  if (!study_check_name (study, name, error) || !study_check_name (study, kernel, error) ||
      !study_check_name (study, machine, error) ||
      !study_run (study, NULL, error,
                  "INSERT INTO host (name, kernel, machine) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", "ttt", name,
                  kernel, machine))
    return FALSE;
  find = statement_new (study, "SELECT host_id FROM host WHERE name = ? AND kernel = ? AND machine = ?", error);
  if (!find)
    return FALSE;
  statement_bind (find, "ttt", name, kernel, machine);
  if (!statement_step (study, find, &row, error))
    return FALSE;
  *host = sqlite3_column_int64 (find, 0);
  return TRUE;
}

static gboolean
choose_names (CulpritStudy *study, const CulpritRecordedRun *recorded, CulpritBegunRun *begun, GError **error)
{
  g_autofree char *label = NULL;

  begun->series =
      recorded->begins ? culprit_study_new_run_name (study, recorded->series, error) : g_strdup (recorded->series);
  if (!begun->series)
    return FALSE;
  label = culprit_series_run_name (begun->series, recorded->traced, recorded->turn);
  begun->name = culprit_study_new_run_name (study, label, error);
  return begun->name != NULL;
}

static gboolean
store_run (CulpritStudy *study, const CulpritRecordedRun *recorded, CulpritBegunRun *begun, GError **error)
{
  JsonObject *request = recorded->request;
  g_autofree char *cpus = member_json (request, "cpus");
  g_autofree char *configuration = object_json (request);
  gint64 series;
  gint64 host;

  if (!choose_names (study, recorded, begun, error) || !store_host (study, recorded, &host, error) ||
      !series_enter (study, begun->series, configuration, &series, error) ||
      !study_change (study, error, "record-run",
                     "t:name i:host t:method t:policy i:priority t:cpus i:period_ns i:threshold_ns i:band_low_ns "
                     "i:band_high_ns t:tracing t:load i:series i:turn i:deadline_ns t:facts",
                     begun->name, host, json_member_text (request, "method"), json_member_text (request, "policy"),
                     json_member_int (request, "priority", 0), cpus, json_member_int (request, "period_ns", 0),
                     json_member_int (request, "threshold_ns", 0), json_member_int (request, "band_low_ns", -1),
                     json_member_int (request, "band_high_ns", 0), recorded->traced ? "on" : "off",
                     json_member_text (request, "load"), series, recorded->turn,
                     json_member_int (request, "deadline_ns", 0), recorded->facts))
    return FALSE;
  begun->run = sqlite3_last_insert_rowid (study->database);
  return !recorded->window ||
         study_change (study, error, "series-windows", "i:run t:kind", begun->run, recorded->window);
}

void
culprit_begun_run_clear (CulpritBegunRun *begun)
{
  g_clear_pointer (&begun->name, g_free);
  g_clear_pointer (&begun->series, g_free);
}

gboolean
culprit_study_begin_run (CulpritStudy *study,
                         const CulpritRecordedRun *recorded,
                         CulpritBegunRun *begun,
                         GError **error)
{
  *begun = (CulpritBegunRun) { 0 };
  if (!study_begin (study, error))
    return FALSE;
  if (store_run (study, recorded, begun, error) && study_commit (study, error))
    return TRUE;
  study_roll_back (study);
  return FALSE;
}

static gboolean
store_latencies (CulpritStudy *study, gint64 run, gint64 cpu, const CulpritProfile *latencies, GError **error)
{
  g_autoptr (Statement) statement = statement_new (
      study, "INSERT INTO run_latency VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count",
      error);

  for (guint i = 0; statement && i < latencies->bins->len; i++)
    {
      const CulpritBin *bin = culprit_profile_bin (latencies, i);

      statement_bind (statement, "iiiu", run, cpu, bin->latency_ns, bin->count);
      if (!statement_run (study, statement, error))
        return FALSE;
    }
  return statement != NULL;
}

static gboolean
store_samples (CulpritStudy *study, gint64 run, const CulpritRecordedSamples *samples, GError **error)
{
  g_autoptr (Statement) statement = statement_new (study, "INSERT INTO run_sample VALUES (?, ?, ?, ?, ?, ?)", error);

  if (!statement)
    return FALSE;
  statement_bind (statement, "iiiii", run, samples->cpu, samples->first_cycle, samples->cycles,
                  samples->first_expected_ns);
  sqlite3_bind_blob64 (statement, 6, samples->packed, samples->size, SQLITE_STATIC);
  return statement_run (study, statement, error);
}

gboolean
culprit_study_add_samples (CulpritStudy *study, gint64 run, const CulpritRecordedSamples *samples, GError **error)
{
  if (!study_begin (study, error))
    return FALSE;
  if (store_samples (study, run, samples, error) &&
      store_latencies (study, run, samples->cpu, samples->latencies, error) && study_commit (study, error))
    return TRUE;
  study_roll_back (study);
  return FALSE;
}

gboolean
culprit_study_add_latencies (CulpritStudy *study, gint64 run, const CulpritProfile *latencies, GError **error)
{
  if (!study_begin (study, error))
    return FALSE;
  if (study_run (study, NULL, error, "UPDATE run SET resolution_ns = ? WHERE run_id = ?", "ii", latencies->width_ns,
                 run) &&
      store_latencies (study, run, 0, latencies, error) && study_check_sums (study, latencies->n, error) &&
      study_commit (study, error))
    return TRUE;
  study_roll_back (study);
  return FALSE;
}

static gboolean
store_end (CulpritStudy *study, gint64 run, const CulpritRunTotals *totals, GError **error)
{
  if (totals->delay_calls >= 0 &&
      !study_change (study, error, "record-delayed", "i:calls i:spun_ns i:withheld i:run", totals->delay_calls,
                     totals->delay_spun_ns, totals->delay_withheld, run))
    return FALSE;
  return study_change (study, error, "record-end",
                       "i:cycles i:hits i:missed i:late i:page_faults i:smi_count i:steal_ns t:delays i:run",
                       totals->cycles, totals->hits, totals->missed, totals->late, totals->page_faults,
                       totals->smi_count, totals->steal_ns, totals->delays, run);
}

gboolean
culprit_study_end_run (CulpritStudy *study, gint64 run, const CulpritRunTotals *totals, GError **error)
{
  if (!study_begin (study, error))
    return FALSE;
  if (store_end (study, run, totals, error) && study_commit (study, error))
    return TRUE;
  study_roll_back (study);
  return FALSE;
}
