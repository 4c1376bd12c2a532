/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit trial */
#include "blocks.h"
#include "print.h"
#include "record/blocks.h"
#include "study/blocks.h"
#include "units.h"

#include <math.h>

static const Member effect_members[] = {
  MEMBER (CulpritTrialEffect, "part", part, NAME, .name_of = culprit_trial_part_name),
  MEMBER (CulpritTrialEffect, "without_ns", without_ns, REAL),
  MEMBER (CulpritTrialEffect, "with_ns", with_ns, REAL),
  MEMBER (CulpritTrialEffect, "difference_ns", effect_ns, REAL),
  MEMBER (CulpritTrialEffect, "low_ns", low_ns, REAL),
  MEMBER (CulpritTrialEffect, "high_ns", high_ns, REAL),
  MEMBER (CulpritTrialEffect, "p", p, REAL),
  MEMBER (CulpritTrialEffect, "differs", differs, FLAG),
  MEMBER (CulpritTrialEffect, "more_blocks", more_blocks, COUNT),
  MEMBER (CulpritTrialEffect, "more_blocks_show_ns", shown_ns, REAL),
  { 0 },
};

static const Member block_members[] = {
  MEMBER (CulpritTrialBlock, "block", turn, NUMBER), /* from 1 */
  MEMBER (CulpritTrialBlock, "treated", treated, FLAG),
  MEMBER (CulpritTrialBlock, "wakeups", n, NUMBER),
  MEMBER (CulpritTrialBlock, "tail_ns", tail_ns, REAL),
  MEMBER (CulpritTrialBlock, "body_ns", body_ns, REAL),
  { 0 },
};

static const Member trial_members[] = {
  MEMBER (CulpritTrial, "rounds", rounds, COUNT),
  MEMBER (CulpritTrial, "left_out", left_out, COUNT),
  MEMBER (CulpritTrial, "refusal", refusal, TEXT),
  MEMBER (CulpritTrial, "effects", effects, ARRAY, .of = effect_members),
  MEMBER (CulpritTrial, "blocks", blocks, ARRAY, .of = block_members),
  { 0 },
};

static void
add_words (JsonBuilder *builder, gconstpointer trial, gconstpointer context)
{
  g_autofree char *words = culprit_trial_in_words (*(CulpritTrial *const *) trial);

  members_add_text (builder, words);
}

static const Member stored_members[] = {
  MEMBER (CulpritStoredTrial, "run", series, TEXT),
  MEMBER (CulpritStoredTrial, "treat", treat, TEXT),
  MEMBER (CulpritStoredTrial, "undo", undo, TEXT),
  MEMBER (CulpritStoredTrial, "words", trial, OWN, .add = add_words),
  MEMBER (CulpritStoredTrial, "trial", trial, POINTER, .of = trial_members),
  { 0 },
};

static void
print_effect (const CulpritTrialEffect *effect)
{
  g_autofree char *without = culprit_time_format (llround (effect->without_ns));
  g_autofree char *with = culprit_time_format (llround (effect->with_ns));
  g_autofree char *difference = culprit_difference_format (effect->effect_ns);
  g_autofree char *low = culprit_difference_format (effect->low_ns);
  g_autofree char *high = culprit_difference_format (effect->high_ns);
  g_autofree char *interval = g_strdup_printf ("%s to %s", low, high);
  g_autofree char *p = culprit_p_format (effect->p);

  g_print ("  %-12s %11s %11s %11s   %-26s %s\n", effect->part == CULPRIT_TRIAL_TAIL ? "latest 1 %" : "other 99 %",
           without, with, difference, interval, p);
}

static void
print_trial (const CulpritStoredTrial *stored)
{
  const CulpritTrial *trial = stored->trial;
  g_autofree char *head = culprit_stored_trial_head (stored);
  g_autofree char *words = culprit_trial_in_words (trial);

  print_wrapped (head, 0);
  if (trial->effects->len > 0)
    g_print ("  %-12s %11s %11s %11s   %-26s %s\n", "wake-ups", "without", "with", "difference", "95 % interval", "p");
  for (guint i = 0; i < trial->effects->len; i++)
    print_effect (&g_array_index (trial->effects, CulpritTrialEffect, i));
  g_print ("\n");
  print_wrapped (words, 0);
}

static int
show (const Options *options, const char *series)
{
  g_autoptr (CulpritStudy) study = command_open (options);
  g_autoptr (CulpritStoredTrial) stored = NULL;
  GError *error = NULL;

  if (!study)
    return EXIT_BAD;
  stored = culprit_study_trial (study, series, &error);
  if (!stored)
    return command_fail (error);
  if (options->format == FORMAT_JSON)
    print_members (stored_members, stored, stored);
  else
    print_trial (stored);
  return stored->trial->refusal ? EXIT_FOUND : EXIT_DONE;
}

static char *
say_treatment (JsonNode *treated)
{
  return g_strdup (json_node_get_boolean (treated) ? "with the treatment" : "without it");
}

static guint
wake_ups_of_block (JsonObject *request)
{
  JsonArray *cpus = json_object_has_member (request, "cpus") ? json_object_get_array_member (request, "cpus") : NULL;

  return MIN (culprit_block_duration_ns (request) / culprit_request_number (request, "period_ns"), 1e6) *
         (cpus ? json_array_get_length (cpus) : 1);
}

int
command_trial (const Command *command, int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_auto (RecordOptions) own;
  g_autofree char *treat = NULL;
  g_autofree char *undo = NULL;
  CulpritTreating treating = { .blocks = CULPRIT_TREATED_BLOCKS_USUAL };
  const GOptionEntry more[] = {
    { "treat", 0, 0, G_OPTION_ARG_STRING, &treat, "Command to run before each block that is treated", "COMMAND" },
    { "undo", 0, 0, G_OPTION_ARG_STRING, &undo, "Command to run after it, however the trial ends", "COMMAND" },
    { "blocks", 0, 0, G_OPTION_ARG_INT, &treating.blocks,
      "Blocks, half of them treated (default: " G_STRINGIFY (CULPRIT_TREATED_BLOCKS_USUAL) ")", "N" },
  };
  g_autoptr (CulpritTarget) target = NULL;
  g_autoptr (JsonObject) request = NULL;
  g_autofree char *about = NULL;
  Blocks blocks = { .besides = ", and as long as the commands do",
                    .round = CULPRIT_TRIAL_ROUND,
                    .condition = "",
                    .say = say_treatment,
                    .show = show };
  GError *error = NULL;
  int status;

  blocks_options_init (&own, "Name in the study (default: trial), or which to show again (default: the last)");
  g_array_prepend_vals (own.entries, more, G_N_ELEMENTS (more));
  if (!command_parse (command, argc, argv, (const GOptionEntry *) (gpointer) own.entries->data, &options, &status))
    return status;
  if (!treat && !undo)
    return blocks_show_again (&options, &blocks, &own,
                              treating.blocks != CULPRIT_TREATED_BLOCKS_USUAL ? "blocks" : NULL, "--treat and --undo");
  treating.treat = treat;
  treating.undo = undo;
  target = record_options_target (&own, &error);
  request = target ? blocks_request (&own, &error) : NULL;
  if (!request || !culprit_request_treat (request, &treating, &error))
    return command_fail (error);
  if (wake_ups_of_block (request) < CULPRIT_TRIAL_LEAST_LATENCIES)
    return command_complain ("a block would have %u wake-ups, and those of fewer than %d do not count; "
                             "give more --cycles, a longer --limit or a shorter --period",
                             wake_ups_of_block (request), CULPRIT_TRIAL_LEAST_LATENCIES);
  blocks.about = about = g_strdup_printf ("Trying \"%s\"", treat);
  return blocks_measure (&options, &blocks, own.run ? own.run : "trial", target, request);
}
