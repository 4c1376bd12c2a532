/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks what is asked for, and draws the order. */
#include "treating.h"

#include "delaying.h"
#include "latency/trial.h"
#include "recorder/request.h"

#include <gio/gio.h>
#include <string.h>

/* Rounds with half of their blocks treated. */
static JsonArray *
order (guint rounds)
{
  g_autoptr (GArray) choices = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (JsonArray) drawn = NULL;
  JsonArray *treatments = json_array_new ();

  for (gint64 i = 0; i < CULPRIT_TRIAL_ROUND; i++)
    g_array_append_val (choices, i);
  drawn = culprit_blocks_order (choices, rounds);
  for (guint i = 0; i < json_array_get_length (drawn); i++)
    json_array_add_boolean_element (treatments, json_array_get_int_element (drawn, i) < CULPRIT_TRIAL_ROUND / 2);
  return treatments;
}

static gboolean
is_command (const char *text)
{
  return text && *text && strlen (text) < COMMAND_SIZE;
}

gboolean
culprit_request_treat (JsonObject *request, const CulpritTreating *treating, GError **error)
{
  if (!is_command (treating->treat) || !is_command (treating->undo))
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                 "--%s must be a command of at most %d bytes; --treat and --undo are needed together",
                 is_command (treating->treat) ? "undo" : "treat", COMMAND_SIZE - 1);
  else if (treating->blocks < CULPRIT_TRIAL_LEAST_BLOCKS || treating->blocks > CULPRIT_TRIAL_MOST_BLOCKS ||
           treating->blocks % CULPRIT_TRIAL_ROUND > 0)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "--blocks must be a multiple of %d from %d to %d",
                 CULPRIT_TRIAL_ROUND, CULPRIT_TRIAL_LEAST_BLOCKS, CULPRIT_TRIAL_MOST_BLOCKS);
  else
    {
      json_object_set_boolean_member (request, "aligned", TRUE); /* Timers meet all blocks at the same phase. */
      json_object_set_string_member (request, "treat", treating->treat);
      json_object_set_string_member (request, "undo", treating->undo);
      json_object_set_array_member (request, "treatments", order (treating->blocks / CULPRIT_TRIAL_ROUND));
      return TRUE;
    }
  return FALSE;
}
