/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds series of blocks, reads their latencies, and their conditions from the configuration of the series. */
#include "blocks.h"

#include "budgets.h"
#include "clean.h"
#include "json.h"
#include "profiles.h"
#include "statement-private.h"
#include "units.h"

#include <math.h>
#include <string.h>

#define MOST_DELAYS (CULPRIT_PROOF_MOST_DELAYS + 1)
#define MOST_RUNS (MOST_DELAYS * CULPRIT_PROOF_MOST_ROUNDS)
#define LONGEST_DELAY_NS 1000000000

/* A run, perhaps without latencies. */
typedef struct
{
  gint64 turn; /* the place of its condition in the list, from 1 */
  gint64 missed;
  CulpritProfile *latencies;
} Block;

/* Such a series. */
typedef struct
{
  char *name;
  JsonNode *root;
  JsonObject *configuration;
} BlockSeries;

static void
block_series_free (BlockSeries *series)
{
  g_clear_pointer (&series->root, json_node_unref);
  g_free (series->name);
  g_free (series);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BlockSeries, block_series_free)

/* The last series of the study called @series, or whose configuration names @function; NULL for all. It is one with
 * blocks if the configuration has the text @member. NULL without an error: there is none. */
static BlockSeries *
find_series (CulpritStudy *study, const char *member, const char *series, const char *function, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "blocks-last", error);
  g_autoptr (BlockSeries) found = NULL;
  g_autofree char *path = g_strconcat ("$.", member, NULL);
  const char *text;
  gboolean row;

  if (!statement)
    return NULL;
  statement_bind_named (statement, "t:member t:series t:function", path, series, function);
  if (!statement_step (study, statement, &row, error) || !row)
    return NULL;
  found = g_new0 (BlockSeries, 1);
  found->name = g_strdup (statement_text (statement, 0));
  text = statement_text (statement, 1);
  found->root = json_parse_bounded (text, strlen (text), JSON_LONGEST_LINE, NULL);
  if (found->root && JSON_NODE_HOLDS_OBJECT (found->root))
    found->configuration = json_node_get_object (found->root);
  if (found->configuration && json_member_text (found->configuration, member))
    return g_steal_pointer (&found);
  g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND,
               "%s: damaged (the configuration of %s cannot be read); measure again", culprit_study_path (study),
               found->name);
  return NULL;
}

/* The list @name of @configuration; NULL: it has none. */
static JsonArray *
find_list (JsonObject *configuration, const char *name)
{
  JsonNode *node = json_object_get_member (configuration, name);

  return node && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

/* Adds to a sum that must not exceed MAX_SUM. */
static gboolean
add_up (guint64 *sum, guint64 more)
{
  *sum += MIN (more, MAX_SUM + 1);
  return *sum <= MAX_SUM;
}

/* NULL with an error: @series "has more delays than culprit prove measures", if these are @wrong and @command. */
static gpointer
refuse (CulpritStudy *study, const char *series, const char *wrong, const char *command, GError **error)
{
  g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND,
               "%s: damaged (%s has %s than culprit %s measures); measure again", culprit_study_path (study), series,
               wrong, command);
  return NULL;
}

static void
clear_block (gpointer data)
{
  g_clear_pointer (&((Block *) data)->latencies, culprit_profile_free);
}

/* An array of Block, which the caller owns, in the order of measuring. NULL with an error; @command has measured it. */
static GArray *
read_blocks (CulpritStudy *study, const char *series, const char *command, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "blocks", error);
  g_autoptr (GArray) blocks = g_array_new (FALSE, FALSE, sizeof (Block));
  guint64 latencies = 0;
  gboolean row;

  g_array_set_clear_func (blocks, clear_block);
  if (!statement)
    return NULL;
  statement_bind_named (statement, "t:series", series);
  while (statement_step (study, statement, &row, error))
    {
      Block block = { .turn = row ? sqlite3_column_int64 (statement, 0) : 0 };

      if (!row)
        return g_steal_pointer (&blocks);
      block.missed = CLAMP (sqlite3_column_int64 (statement, 2), 0, (gint64) MAX_SUM);
      block.latencies = sqlite3_column_int (statement, 3)
                            ? culprit_study_profile (study, statement_text (statement, 1), CULPRIT_ALL_CPUS, error)
                            : culprit_profile_new (1);
      if (!block.latencies)
        return NULL;
      g_array_append_val (blocks, block);
      if (!add_up (&latencies, block.latencies->n))
        return refuse (study, series, "more latencies", command, error);
    }
  return NULL;
}

/* Proofs. */

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

/* The delay of the run @turn; -1: not known. */
static gint64
delay_of (JsonArray *delays, gint64 turn)
{
  JsonNode *node = delays && turn <= json_array_get_length (delays) ? json_array_get_element (delays, turn - 1) : NULL;
  gboolean number = node && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_INT64;
  gint64 delay_ns = number ? json_node_get_int (node) : -1;

  return delay_ns <= LONGEST_DELAY_NS ? delay_ns : -1;
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
  JsonArray *list = find_list (configuration, "delayed");
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

/* The blocks of runs that have ended, an array of CulpritDelayBlock whose latencies are those of @blocks. NULL with an
 * error. */
static GArray *
match_delays (CulpritStudy *study, const BlockSeries *series, const GArray *blocks, GError **error)
{
  g_autoptr (GArray) matched = g_array_new (FALSE, FALSE, sizeof (CulpritDelayBlock));
  g_autoptr (GHashTable) by_turn = read_delayed (series->configuration);
  JsonArray *delays = find_list (series->configuration, "delays");

  if (!by_turn)
    return refuse (study, series->name, "more calls, or others,", "prove", error);
  for (guint i = 0; i < blocks->len; i++)
    {
      const Block *measured = &g_array_index (blocks, Block, i);
      const Delayed *delayed = g_hash_table_lookup (by_turn, &measured->turn);
      gboolean known = delayed && measured->latencies->n > 0;
      CulpritDelayBlock block = { .delay_ns = known ? delay_of (delays, measured->turn) : -1,
                                  .latencies = measured->latencies };

      if (block.delay_ns < 0)
        continue;
      block.calls = delayed->calls;
      block.spun_ns = delayed->spun_ns;
      block.withheld = delayed->withheld;
      g_array_append_val (matched, block);
    }
  return g_steal_pointer (&matched);
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
judge_proof (CulpritStudy *study, const BlockSeries *series, GError **error)
{
  g_autoptr (CulpritStoredProof) stored = g_new0 (CulpritStoredProof, 1);
  const char *function = json_member_text (series->configuration, "delay_at");
  JsonArray *delays = find_list (series->configuration, "delays");
  g_autoptr (GArray) measured = NULL;
  g_autoptr (GArray) blocks = NULL;

  if (!delays)
    {
      g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND, "%s: %s does not tell what it delayed",
                   culprit_study_path (study), series->name);
      return NULL;
    }
  if (!is_measurable (delays))
    return refuse (study, series->name, "more delays", "prove", error);
  stored->series = g_strdup (series->name);
  stored->function = culprit_clean_line (function);
  measured = read_blocks (study, series->name, "prove", error);
  blocks = measured ? match_delays (study, series, measured, error) : NULL;
  if (!blocks || !count_calls (study, function, &stored->counted, error))
    return NULL;
  stored->proof = culprit_path_proof_new (blocks);
  return g_steal_pointer (&stored);
}

/* The last one of those called @series or of @function; NULL for all. NULL without an error: there is none. */
static CulpritStoredProof *
find_last (CulpritStudy *study, const char *series, const char *function, GError **error)
{
  g_autoptr (BlockSeries) found = find_series (study, "delay_at", series, function, error);

  return found ? judge_proof (study, found, error) : NULL;
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
                 series ? "%s: no function was delayed in a recording called \"%s\"; see culprit runs"
                        : "%s: no function was delayed on purpose yet; name one",
                 culprit_study_path (study), series);
  return stored;
}

CulpritStoredProof *
culprit_study_proof_of (CulpritStudy *study, const char *function, GError **error)
{
  return find_last (study, NULL, function, error);
}

char *
culprit_counted_calls_in_words (const CulpritCountedCalls *counted)
{
  g_autofree char *mean = culprit_calls_format (counted->mean);
  g_autofree char *ordinary = culprit_calls_format (counted->ordinary);
  g_autofree char *range = g_strdup_printf (": %s times in one of them (%" G_GINT64_FORMAT " to %" G_GINT64_FORMAT ")",
                                            mean, counted->fewest, counted->most);
  g_autofree char *beside = g_strdup_printf ("; on average %s times in an ordinary one", ordinary);

  if (counted->captures == 0)
    return NULL;
  return g_strdup_printf ("By the captures of this study it ran in %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
                          " late wake-up%s%s%s.",
                          counted->ran, counted->captures, culprit_plural (counted->captures),
                          counted->ran > 0 ? range : "", isnan (counted->ordinary) ? "" : beside);
}

char *
culprit_stored_proof_head (const CulpritStoredProof *stored)
{
  return g_strdup_printf ("%s: %s delayed at its entry, %u round%s of %u blocks in random order", stored->series,
                          stored->function, stored->proof->rounds, culprit_plural (stored->proof->rounds),
                          stored->proof->doses->len);
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

/* Trials. */

/* The blocks of which @treatments tells whether they were treated: an array of CulpritTreatedBlock whose latencies are
 * those of @blocks. */
static GArray *
match_treatments (JsonArray *treatments, const GArray *blocks)
{
  GArray *matched = g_array_new (FALSE, FALSE, sizeof (CulpritTreatedBlock));

  for (guint i = 0; i < blocks->len; i++)
    {
      const Block *block = &g_array_index (blocks, Block, i);
      JsonNode *node = block->turn >= 1 && block->turn <= json_array_get_length (treatments)
                           ? json_array_get_element (treatments, block->turn - 1)
                           : NULL;
      gboolean known = node && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_BOOLEAN;
      CulpritTreatedBlock treated = { block->turn, known && json_node_get_boolean (node), block->missed,
                                      block->latencies };

      if (known)
        g_array_append_val (matched, treated);
    }
  return matched;
}

static CulpritStoredTrial *
judge_trial (CulpritStudy *study, const BlockSeries *series, GError **error)
{
  g_autoptr (CulpritStoredTrial) stored = g_new0 (CulpritStoredTrial, 1);
  JsonArray *treatments = find_list (series->configuration, "treatments");
  const char *undo = json_member_text (series->configuration, "undo");
  g_autoptr (GArray) measured = NULL;
  g_autoptr (GArray) blocks = NULL;

  if (!treatments)
    {
      g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND, "%s: %s does not tell what it treated",
                   culprit_study_path (study), series->name);
      return NULL;
    }
  if (json_array_get_length (treatments) > CULPRIT_TRIAL_MOST_BLOCKS)
    return refuse (study, series->name, "more blocks", "trial", error);
  stored->series = g_strdup (series->name);
  stored->treat = culprit_clean_line (json_member_text (series->configuration, "treat"));
  stored->undo = culprit_clean_line (undo ? undo : "");
  measured = read_blocks (study, series->name, "trial", error);
  if (!measured)
    return NULL;
  blocks = match_treatments (treatments, measured);
  stored->trial = culprit_trial_new (blocks);
  return g_steal_pointer (&stored);
}

CulpritStoredTrial *
culprit_study_trial (CulpritStudy *study, const char *series, GError **error)
{
  GError *problem = NULL;
  g_autoptr (BlockSeries) found = find_series (study, "treat", series, NULL, &problem);

  if (found)
    return judge_trial (study, found, error);
  if (problem)
    g_propagate_error (error, problem);
  else
    g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND,
                 series ? "%s: no treatment was tried in a recording called \"%s\"; see culprit runs"
                        : "%s: no treatment was tried yet; give --treat and --undo",
                 culprit_study_path (study), series);
  return NULL;
}

char *
culprit_stored_trial_head (const CulpritStoredTrial *stored)
{
  return g_strdup_printf (
      "%s: treated by “%s”, undone by “%s”, %u round%s of %d blocks in random order, half of them treated",
      stored->series, stored->treat, stored->undo, stored->trial->rounds, culprit_plural (stored->trial->rounds),
      CULPRIT_TRIAL_ROUND);
}

void
culprit_stored_trial_free (CulpritStoredTrial *stored)
{
  g_clear_pointer (&stored->trial, culprit_trial_free);
  g_free (stored->series);
  g_free (stored->treat);
  g_free (stored->undo);
  g_free (stored);
}
