/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks what is asked for, and puts blocks into random order. */
#include "blocks.h"

#include "delayer/name.h"
#include "latency/comparison/path-proof.h"
#include "latency/comparison/trial.h"
#include "recorder/request.h"
#include "request.h"
#include "units.h"

#include <gio/gio.h>
#include <string.h>

#define MOST_DELAY_NS 10000000 /* that a recorder takes */

/* Rounds of all @choices (of gint64, whose order changes), each in random order. The caller owns them. */
static JsonArray *
order_blocks (GArray *choices, guint rounds)
{
  JsonArray *blocks = json_array_new ();

  for (guint round = 0; round < rounds; round++)
    for (guint i = 0; i < choices->len; i++)
      {
        gint64 *next = &g_array_index (choices, gint64, i);
        gint64 *other = &g_array_index (choices, gint64, g_random_int_range (i, choices->len));
        gint64 choice = *other;

        *other = *next;
        *next = choice;
        json_array_add_int_element (blocks, choice);
      }
  return blocks;
}

double
culprit_block_duration_ns (JsonObject *request)
{
  double limit_ns = culprit_request_number (request, "limit_ns");
  double cycles_ns =
      (double) culprit_request_number (request, "cycles") * culprit_request_number (request, "period_ns");

  return limit_ns == 0 || (cycles_ns > 0 && cycles_ns < limit_ns) ? cycles_ns : limit_ns;
}

GArray *
culprit_delays_parse (const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, ",", -1);
  g_autoptr (GArray) delays = g_array_new (FALSE, TRUE, sizeof (gint64));

  g_array_set_size (delays, 1);
  for (char **word = words; *word; word++)
    {
      guint64 delay_ns;

      if (!culprit_time_parse (*word, &delay_ns) || delay_ns > MOST_DELAY_NS ||
          delays->len > CULPRIT_PROOF_MOST_DELAYS ||
          (gint64) delay_ns <= g_array_index (delays, gint64, delays->len - 1))
        return NULL;
      g_array_append_val (delays, delay_ns);
    }
  return delays->len > 1 ? g_steal_pointer (&delays) : NULL;
}

char *
culprit_delays_demand (void)
{
  return g_strdup_printf ("must be 1 to %d ascending times with units, up to 10ms, e.g. " CULPRIT_DELAYS_USUAL,
                          CULPRIT_PROOF_MOST_DELAYS);
}

gboolean
culprit_request_delay (JsonObject *request, const CulpritDelaying *delaying, GError **error)
{
  const Setting *percent = setting_find ("delay_percent");
  g_autoptr (GArray) delays = culprit_delays_parse (delaying->delays);
  g_autofree char *demand = culprit_delays_demand ();
  gboolean good = FALSE;

  if (!delay_is_name (delaying->function))
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, DELAY_NO_NAME, delaying->function);
  else if (delaying->percent < percent->least || delaying->percent > percent->most)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "--budget must be from 1 to 50");
  else if (delaying->rounds < CULPRIT_PROOF_ROUNDS || delaying->rounds > CULPRIT_PROOF_MOST_ROUNDS)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "--blocks must be from %d to %d", CULPRIT_PROOF_ROUNDS,
                 CULPRIT_PROOF_MOST_ROUNDS);
  else if (!delays)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "--delay \"%s\" %s", delaying->delays, demand);
  else
    good = TRUE;
  if (!good)
    return FALSE;
  json_object_set_boolean_member (request, "aligned", TRUE);
  json_object_set_string_member (request, "delay_at", delaying->function);
  json_object_set_int_member (request, "delay_percent", delaying->percent);
  json_object_set_array_member (request, "delays", order_blocks (delays, delaying->rounds));
  return TRUE;
}

/* Rounds with half of their blocks treated. */
static JsonArray *
order_treatments (guint rounds)
{
  g_autoptr (GArray) choices = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (JsonArray) drawn = NULL;
  JsonArray *treatments = json_array_new ();

  for (gint64 i = 0; i < CULPRIT_TRIAL_ROUND; i++)
    g_array_append_val (choices, i);
  drawn = order_blocks (choices, rounds);
  for (guint i = 0; i < json_array_get_length (drawn); i++)
    json_array_add_boolean_element (treatments, json_array_get_int_element (drawn, i) < CULPRIT_TRIAL_ROUND / 2);
  return treatments;
}

static gboolean
is_command (const char *text)
{
  return text && text[strspn (text, " \t\n")] && strlen (text) < COMMAND_SIZE;
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
      json_object_set_array_member (request, "treatments", order_treatments (treating->blocks / CULPRIT_TRIAL_ROUND));
      return TRUE;
    }
  return FALSE;
}
