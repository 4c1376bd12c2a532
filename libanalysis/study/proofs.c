/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the blocks of a proof: their delays from the configuration of the series, their latencies from its runs. */
#include "proofs.h"

#include "budgets.h"
#include "clean.h"
#include "json.h"
#include "profiles.h"
#include "statement-private.h"

#include <math.h>
#include <string.h>

#define MOST_DELAYS (CULPRIT_PROOF_MOST_DELAYS + 1)
#define MOST_RUNS (MOST_DELAYS * CULPRIT_PROOF_MOST_ROUNDS)
#define LONGEST_DELAY_NS 1000000000

/* An entry of "delayed". */
typedef struct
{
  gint64 turn;
  gint64 calls;
  gint64 spun_ns;
  gint64 withheld;
} Delayed;

static const Member delayed_members[] = {
  MEMBER (Delayed, "turn", turn, NUMBER, 1, MOST_RUNS, 0, TRUE),
  MEMBER (Delayed, "calls", calls, NUMBER, 0, MAX_SUM, 0, TRUE),
  MEMBER (Delayed, "spun_ns", spun_ns, NUMBER, 0, MAX_SUM, 0, TRUE),
  MEMBER (Delayed, "withheld", withheld, NUMBER, 0, MAX_SUM, 0),
  { 0 },
};

static JsonArray *
list_of (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

/* The delay of the run @turn; -1: not known. */
static gint64
delay_of (JsonArray *delays, gint64 turn)
{
  JsonNode *node = delays && turn <= json_array_get_length (delays) ? json_array_get_element (delays, turn - 1) : NULL;
  gboolean number = node && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_INT64;
  gint64 delay_ns = number ? json_node_get_int (node) : -1;

  return delay_ns <= LONGEST_DELAY_NS ? delay_ns : -1;
}

/* Adds to a sum that must not exceed MAX_SUM. */
static gboolean
add_up (guint64 *sum, guint64 more)
{
  *sum += MIN (more, MAX_SUM + 1);
  return *sum <= MAX_SUM;
}

/* Whether there are no more runs, and no more different delays, than are ever measured. */
static gboolean
is_measurable (JsonArray *delays)
{
  g_autoptr (GHashTable) different = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  guint runs = json_array_get_length (delays);

  for (gint64 turn = 1; turn <= runs && runs <= MOST_RUNS; turn++)
    {
      gint64 delay_ns = delay_of (delays, turn);

      g_hash_table_add (different, g_memdup2 (&delay_ns, sizeof delay_ns));
    }
  return runs <= MOST_RUNS && g_hash_table_size (different) <= MOST_DELAYS;
}

/* What the configuration tells of runs that have ended: their turn -> Delayed. NULL: not what was ever measured. */
static GHashTable *
read_delayed (JsonObject *configuration)
{
  g_autoptr (GHashTable) by_turn = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  JsonArray *list = list_of (configuration, "delayed");
  guint64 calls = 0;
  guint64 spun_ns = 0;
  guint64 withheld = 0;

  for (guint i = 0; list && i < json_array_get_length (list); i++)
    {
      JsonNode *node = json_array_get_element (list, i);
      Delayed *delayed = g_new0 (Delayed, 1);
      gboolean good =
          JSON_NODE_HOLDS_OBJECT (node) && !members_read (json_node_get_object (node), delayed_members, delayed);

      g_hash_table_replace (by_turn, &delayed->turn, delayed);
      if (!good || !add_up (&calls, delayed->calls) || !add_up (&spun_ns, delayed->spun_ns) ||
          !add_up (&withheld, delayed->withheld))
        return NULL;
    }
  return g_steal_pointer (&by_turn);
}

/* NULL with an error that says what is @wrong. */
static gpointer
refuse_damaged (CulpritStudy *study, const char *series, const char *wrong, GError **error)
{
  g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND,
               "%s: damaged (%s has %s than culprit prove measures); measure again", culprit_study_path (study), series,
               wrong);
  return NULL;
}

static void
clear_block (gpointer data)
{
  culprit_profile_free (((CulpritDelayBlock *) data)->latencies);
}

/* The runs of @series that have ended, in their order. An array of CulpritDelayBlock that the caller owns. */
static GArray *
read_blocks (CulpritStudy *study, const char *series, JsonObject *configuration, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "proof-runs", error);
  g_autoptr (GArray) blocks = g_array_new (FALSE, FALSE, sizeof (CulpritDelayBlock));
  g_autoptr (GHashTable) by_turn = read_delayed (configuration);
  JsonArray *delays = list_of (configuration, "delays");
  gboolean row = statement != NULL;
  guint64 latencies = 0;

  g_array_set_clear_func (blocks, clear_block);
  if (!statement)
    return NULL;
  if (!by_turn)
    return refuse_damaged (study, series, "more calls, or others,", error);
  statement_bind_named (statement, "t:series", series);
  while (row)
    {
      CulpritDelayBlock block = { 0 };
      const Delayed *delayed;
      gint64 turn;

      if (!statement_step (study, statement, &row, error))
        return NULL;
      turn = row ? sqlite3_column_int64 (statement, 0) : 0;
      delayed = g_hash_table_lookup (by_turn, &turn);
      block.delay_ns = delayed ? delay_of (delays, turn) : -1;
      if (block.delay_ns < 0)
        continue;
      block.calls = delayed->calls;
      block.spun_ns = delayed->spun_ns;
      block.withheld = delayed->withheld;
      block.latencies = culprit_study_profile (study, statement_text (statement, 1), CULPRIT_ALL_CPUS, error);
      if (!block.latencies)
        return NULL;
      g_array_append_val (blocks, block);
      if (!add_up (&latencies, block.latencies->n))
        return refuse_damaged (study, series, "more latencies", error);
    }
  return g_steal_pointer (&blocks);
}

/* "MODULE:FUNCTION" or "FUNCTION". */
static gboolean
count_calls (CulpritStudy *study, const char *function, CulpritCountedCalls *counted, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "proof-calls", error);
  const char *colon = strchr (function, ':');
  g_autofree char *module = colon ? g_strndup (function, colon - function) : NULL;
  gboolean row;

  if (!statement)
    return FALSE;
  statement_bind_named (statement, "t:name t:module", colon ? colon + 1 : function, module);
  if (!statement_step (study, statement, &row, error))
    return FALSE;
  *counted = (CulpritCountedCalls) { .captures = sqlite3_column_int64 (statement, 0),
                                     .ran = sqlite3_column_int64 (statement, 1),
                                     .fewest = sqlite3_column_int64 (statement, 2),
                                     .mean = sqlite3_column_double (statement, 3),
                                     .most = sqlite3_column_int64 (statement, 4),
                                     .ordinary = sqlite3_column_type (statement, 5) == SQLITE_NULL
                                                     ? NAN
                                                     : sqlite3_column_double (statement, 5) };
  return TRUE;
}

static CulpritStoredProof *
judge (CulpritStudy *study, const char *series, const char *text, GError **error)
{
  g_autoptr (CulpritStoredProof) stored = g_new0 (CulpritStoredProof, 1);
  g_autoptr (JsonNode) root = json_parse_bounded (text, strlen (text), JSON_LONGEST_LINE, NULL);
  JsonObject *configuration = root && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
  const char *function = configuration ? json_member_text (configuration, "delay_at") : NULL;
  JsonArray *delays = configuration ? list_of (configuration, "delays") : NULL;
  g_autoptr (GArray) blocks = NULL;

  if (!function || !delays)
    {
      g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND, "%s: %s does not tell what it delayed",
                   culprit_study_path (study), series);
      return NULL;
    }
  if (!is_measurable (delays))
    return refuse_damaged (study, series, "more delays", error);
  stored->series = g_strdup (series);
  stored->function = culprit_clean_line (function);
  blocks = read_blocks (study, series, configuration, error);
  if (!blocks || !count_calls (study, function, &stored->counted, error))
    return NULL;
  stored->proof = culprit_path_proof_new (blocks);
  return g_steal_pointer (&stored);
}

/* The last one of those called @series or of @function; NULL for all. NULL without an error: there is none. */
static CulpritStoredProof *
find_last (CulpritStudy *study, const char *series, const char *function, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "proof", error);
  gboolean row;

  if (!statement)
    return NULL;
  statement_bind_named (statement, "t:series t:function", series, function);
  if (!statement_step (study, statement, &row, error) || !row)
    return NULL;
  return judge (study, statement_text (statement, 0), statement_text (statement, 1), error);
}

CulpritStoredProof *
culprit_study_proof (CulpritStudy *study, const char *series, GError **error)
{
  GError *problem = NULL;
  CulpritStoredProof *stored = find_last (study, series, NULL, &problem);

  if (problem)
    g_propagate_error (error, problem);
  else if (!stored)
    g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND,
                 series ? "%s: no function was delayed in a recording called \"%s\""
                        : "%s: no function was delayed on purpose yet; name one",
                 culprit_study_path (study), series);
  return stored;
}

CulpritStoredProof *
culprit_study_proof_of (CulpritStudy *study, const char *function, GError **error)
{
  return find_last (study, NULL, function, error);
}

const char *
culprit_stored_proof_name (const CulpritStoredProof *stored)
{
  const char *colon = strchr (stored->function, ':');

  return colon ? colon + 1 : stored->function;
}

void
culprit_stored_proof_free (CulpritStoredProof *stored)
{
  g_clear_pointer (&stored->proof, culprit_path_proof_free);
  g_free (stored->series);
  g_free (stored->function);
  g_free (stored);
}
