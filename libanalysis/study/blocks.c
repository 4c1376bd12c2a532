/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds series of blocks, and reads their latencies. */
#include "blocks-private.h"

#include "budgets.h"
#include "json.h"
#include "profiles.h"
#include "statement-private.h"

#include <string.h>

BlockSeries *
blocks_find (CulpritStudy *study, const char *member, const char *series, const char *function, GError **error)
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

void
block_series_free (BlockSeries *series)
{
  g_clear_pointer (&series->root, json_node_unref);
  g_free (series->name);
  g_free (series);
}

JsonArray *
blocks_list (JsonObject *configuration, const char *name)
{
  JsonNode *node = json_object_get_member (configuration, name);

  return node && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

gboolean
blocks_add_up (guint64 *sum, guint64 more)
{
  *sum += MIN (more, MAX_SUM + 1);
  return *sum <= MAX_SUM;
}

gpointer
blocks_refuse (CulpritStudy *study, const char *series, const char *wrong, const char *command, GError **error)
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

GArray *
blocks_read (CulpritStudy *study, const char *series, const char *command, GError **error)
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
      block.latencies = culprit_study_profile (study, statement_text (statement, 1), CULPRIT_ALL_CPUS, error);
      if (!block.latencies)
        return NULL;
      g_array_append_val (blocks, block);
      if (!blocks_add_up (&latencies, block.latencies->n))
        return blocks_refuse (study, series, "more latencies", command, error);
    }
  return NULL;
}
