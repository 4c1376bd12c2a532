/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores recorded runs. Samples are checked as they are unpacked, and counted by latency as well: a study is asked for
 * distributions more often than for order. */
#include "record.h"

#include "json-private.h"
#include "statement-private.h"

#include <string.h>

#define MAX_NUMBER_SHIFT 63

/* A member as JSON text; NULL where it is missing or null. */
static char *
member_json (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node && !JSON_NODE_HOLDS_NULL (node) ? json_to_string (node, FALSE) : NULL;
}

static char *
object_json (JsonObject *object)
{
  g_autoptr (JsonNode) node = NULL;

  if (!object)
    return NULL;
  node = json_node_init_object (json_node_alloc (), object);
  return json_to_string (node, FALSE);
}

static gboolean
is_taken (CulpritStudy *study, const char *name, gboolean *taken, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "named-run", error);

  if (!statement)
    return FALSE;
  statement_bind_named (statement, "t:run", name);
  return statement_step (study, statement, taken, error);
}

char *
culprit_study_new_run_name (CulpritStudy *study, const char *name, GError **error)
{
  g_autofree char *found = g_utf8_make_valid (name, -1);
  gboolean taken;

  for (guint number = 2;; number++)
    {
      if (!is_taken (study, found, &taken, error))
        return NULL;
      if (!taken)
        return g_steal_pointer (&found);
      g_free (found);
      found = g_strdup_printf ("%s-%u", name, number);
    }
}

static gboolean
store_host (CulpritStudy *study, JsonObject *facts, gint64 *host, GError **error)
{
  const char *name = facts ? json_member_text (facts, "host") : NULL;
  const char *kernel = facts ? json_member_text (facts, "kernel") : NULL;
  const char *machine = facts ? json_member_text (facts, "machine") : NULL;
  g_autoptr (Statement) find = NULL;
  gboolean row;

  name = name ? name : "unknown";
  kernel = kernel ? kernel : "unknown";
  machine = machine ? machine : "unknown";
  if (!study_insert (study, NULL, error,
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
store_run (CulpritStudy *study, const CulpritRecordedRun *recorded, gint64 *run, GError **error)
{
  JsonObject *request = recorded->request;
  g_autofree char *cpus = member_json (request, "cpus");
  g_autofree char *configuration = object_json (request);
  g_autofree char *facts = object_json (recorded->facts);
  gint64 host;

  if (!store_host (study, recorded->facts, &host, error) ||
      !study_change (study, error, "record-run",
                     "t:name i:host t:method t:policy i:priority t:cpus i:period_ns i:threshold_ns i:band_low_ns "
                     "i:band_high_ns t:tracing t:load t:configuration t:recording i:deadline_ns t:facts",
                     recorded->name, host, json_member_text (request, "method"), json_member_text (request, "policy"),
                     json_member_int (request, "priority", 0), cpus, json_member_int (request, "period_ns", 0),
                     json_member_int (request, "threshold_ns", 0), json_member_int (request, "band_low_ns", -1),
                     json_member_int (request, "band_high_ns", 0), recorded->traced ? "on" : "off",
                     json_member_text (request, "load"), configuration, recorded->recording,
                     json_member_int (request, "deadline_ns", 0), facts))
    return FALSE;
  *run = sqlite3_last_insert_rowid (study->database);
  return TRUE;
}

gboolean
culprit_study_begin_run (CulpritStudy *study, const CulpritRecordedRun *recorded, gint64 *run, GError **error)
{
  if (!study_begin (study, error))
    return FALSE;
  if (store_run (study, recorded, run, error) && study_commit (study, error))
    return TRUE;
  study_roll_back (study);
  return FALSE;
}

/* Takes a zigzag LEB128 number off the front. FALSE: there is none. */
static gboolean
unpack (const guint8 **at, const guint8 *end, gint64 *value)
{
  guint64 number = 0;

  for (guint shift = 0; *at < end && shift <= MAX_NUMBER_SHIFT; shift += 7)
    {
      guint8 byte = *(*at)++;

      number |= (guint64) (byte & 0x7f) << shift;
      if (byte & 0x80)
        continue;
      *value = (gint64) (number >> 1) ^ -(gint64) (number & 1);
      return TRUE;
    }
  return FALSE;
}

/* Counts the latencies in @samples. FALSE where these are not @cycles samples. */
static gboolean
count_latencies (const guint8 *samples, gsize size, gint64 cycles, GHashTable *counts)
{
  const guint8 *at = samples;
  const guint8 *end = samples + size;
  gint64 gap_ns;
  gint64 latency_ns;

  for (gint64 i = 0; i < cycles; i++)
    {
      gpointer count;
      gint64 *key;

      if (!unpack (&at, end, &gap_ns) || !unpack (&at, end, &latency_ns))
        return FALSE;
      count = g_hash_table_lookup (counts, &latency_ns);
      key = g_new (gint64, 1);
      *key = latency_ns;
      g_hash_table_replace (counts, key, GUINT_TO_POINTER (GPOINTER_TO_UINT (count) + 1));
    }
  return at == end;
}

static gboolean
store_latencies (CulpritStudy *study, gint64 run, gint64 cpu, GHashTable *counts, GError **error)
{
  g_autoptr (Statement) statement = statement_new (
      study, "INSERT INTO run_latency VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count",
      error);
  GHashTableIter iterator;
  gpointer latency_ns;
  gpointer count;

  g_hash_table_iter_init (&iterator, counts);
  while (statement && g_hash_table_iter_next (&iterator, &latency_ns, &count))
    {
      statement_bind (statement, "iiiu", run, cpu, *(gint64 *) latency_ns, (guint64) GPOINTER_TO_UINT (count));
      if (!statement_run (study, statement, error))
        return FALSE;
    }
  return statement != NULL;
}

static gboolean
store_samples (CulpritStudy *study, gint64 run, JsonObject *line, const guint8 *samples, gsize size, GError **error)
{
  g_autoptr (Statement) statement = statement_new (study, "INSERT INTO run_sample VALUES (?, ?, ?, ?, ?, ?)", error);

  if (!statement)
    return FALSE;
  statement_bind (statement, "iiiii", run, json_member_int (line, "cpu", 0), json_member_int (line, "first_cycle", 0),
                  json_member_int (line, "cycles", 0), json_member_int (line, "first_expected_ns", 0));
  sqlite3_bind_blob64 (statement, 6, samples, size, SQLITE_STATIC);
  return statement_run (study, statement, error);
}

gboolean
culprit_study_add_samples (CulpritStudy *study, gint64 run, JsonObject *line, GError **error)
{
  g_autoptr (GHashTable) counts = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  const char *text = json_member_text (line, "base64");
  gsize size = 0;
  g_autofree guint8 *samples = g_base64_decode (text ? text : "", &size);

  if (!count_latencies (samples, size, json_member_int (line, "cycles", -1), counts))
    {
      g_set_error (
          error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_QUERY,
          "the recorder sent samples that make no sense; install the same version of culprit on both machines");
      return FALSE;
    }
  if (!study_begin (study, error))
    return FALSE;
  if (store_samples (study, run, line, samples, size, error) &&
      store_latencies (study, run, json_member_int (line, "cpu", 0), counts, error) && study_commit (study, error))
    return TRUE;
  study_roll_back (study);
  return FALSE;
}

CulpritProfile *
culprit_samples_profile (JsonObject *line)
{
  g_autoptr (CulpritProfile) profile = culprit_profile_new (1);
  g_autoptr (GHashTable) counts = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  const char *text = json_member_text (line, "base64");
  gsize size = 0;
  g_autofree guint8 *samples = g_base64_decode (text ? text : "", &size);
  GHashTableIter iterator;
  gpointer latency_ns;
  gpointer count;

  if (!count_latencies (samples, size, json_member_int (line, "cycles", -1), counts))
    return NULL;
  g_hash_table_iter_init (&iterator, counts);
  while (g_hash_table_iter_next (&iterator, &latency_ns, &count))
    culprit_profile_add (profile, *(gint64 *) latency_ns, GPOINTER_TO_UINT (count));
  culprit_profile_finish (profile);
  return g_steal_pointer (&profile);
}

gboolean
culprit_study_end_run (CulpritStudy *study, gint64 run, JsonObject *line, GError **error)
{
  g_autofree char *delays = member_json (line, "delays");

  return study_change (
      study, error, "record-end", "i:cycles i:hits i:missed i:late i:page_faults i:smi_count i:steal_ns t:delays i:run",
      json_member_int (line, "cycles", 0), json_member_int (line, "hits", 0), json_member_int (line, "missed", 0),
      json_member_int (line, "late", 0), json_member_int (line, "page_faults", 0), json_member_int (line, "smi", -1),
      json_member_int (line, "steal_ns", -1), delays, run);
}
