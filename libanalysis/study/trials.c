/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the blocks of a trial: which were treated from the configuration of the series, their latencies from its runs.
 */
#include "trials.h"

#include "blocks-private.h"
#include "clean.h"
#include "json.h"

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
      CulpritTreatedBlock treated = { block->turn, known && json_node_get_boolean (node), block->latencies };

      if (known)
        g_array_append_val (matched, treated);
    }
  return matched;
}

static CulpritStoredTrial *
judge (CulpritStudy *study, const BlockSeries *series, GError **error)
{
  g_autoptr (CulpritStoredTrial) stored = g_new0 (CulpritStoredTrial, 1);
  JsonArray *treatments = blocks_list (series->configuration, "treatments");
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
    return blocks_refuse (study, series->name, "more blocks", "trial", error);
  stored->series = g_strdup (series->name);
  stored->treat = culprit_clean_line (json_member_text (series->configuration, "treat"));
  stored->undo = culprit_clean_line (undo ? undo : "");
  measured = blocks_read (study, series->name, "trial", error);
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
  g_autoptr (BlockSeries) found = blocks_find (study, "treat", series, NULL, &problem);

  if (found)
    return judge (study, found, error);
  if (problem)
    g_propagate_error (error, problem);
  else
    g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND,
                 series ? "%s: no treatment was tried in a recording called \"%s\""
                        : "%s: no treatment was tried yet; give --treat and --undo",
                 culprit_study_path (study), series);
  return NULL;
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
