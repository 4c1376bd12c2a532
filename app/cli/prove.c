/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit prove */
#include "members.h"

#include "blocks.h"
#include "print.h"
#include "record/blocks.h"
#include "units.h"

#include <math.h>

/* The output. */

static const char *
answer_name (guint answer)
{
  static const char *const names[] = { "unknown", "on", "off", "lost" };

  return names[answer];
}

static const Member dose_members[] = {
  MEMBER (CulpritDose, "delay_ns", delay_ns, NUMBER),
  MEMBER (CulpritDose, "calls", calls, NUMBER),
  MEMBER (CulpritDose, "withheld", withheld, NUMBER),
  MEMBER (CulpritDose, "spun_per_call_ns", spun_ns, REAL),
  { 0 },
};

static const Member peak_members[] = {
  MEMBER (CulpritProvedPeak, "peak", number, COUNT),
  MEMBER (CulpritProvedPeak, "at_ns", at_ns, ROUNDED),
  MEMBER (CulpritProvedPeak, "share", share, REAL),
  MEMBER (CulpritProvedPeak, "path", answer, NAME, .name_of = answer_name),
  MEMBER (CulpritProvedPeak, "edge_only", edge, FLAG),
  MEMBER (CulpritProvedPeak, "moved_ns", moved_ns, REALS),
  MEMBER (CulpritProvedPeak, "calls", calls, REAL),
  MEMBER (CulpritProvedPeak, "calls_low", calls_low, REAL),
  MEMBER (CulpritProvedPeak, "calls_high", calls_high, REAL),
  { 0 },
};

static const Member counted_members[] = {
  MEMBER (CulpritCountedCalls, "captures", captures, NUMBER),
  MEMBER (CulpritCountedCalls, "ran", ran, NUMBER),
  MEMBER (CulpritCountedCalls, "calls_min", fewest, NUMBER),
  MEMBER (CulpritCountedCalls, "calls_mean", mean, REAL),
  MEMBER (CulpritCountedCalls, "calls_max", most, NUMBER),
  MEMBER (CulpritCountedCalls, "ordinary_calls_mean", ordinary, REAL),
  { 0 },
};

static const Member proof_members[] = {
  MEMBER (CulpritPathProof, "rounds", rounds, COUNT),
  MEMBER (CulpritPathProof, "refusal", refusal, TEXT),
  MEMBER (CulpritPathProof, "delays", doses, ARRAY, .of = dose_members),
  MEMBER (CulpritPathProof, "peaks", peaks, ARRAY, .of = peak_members),
  { 0 },
};

static void
add_words (JsonBuilder *builder, gconstpointer value, gconstpointer context)
{
  const CulpritStoredProof *stored = context;
  g_autofree char *words = culprit_path_proof_in_words (stored->proof, stored->function);

  members_add_text (builder, words);
}

const Member proof_json_members[] = {
  MEMBER (CulpritStoredProof, "run", series, TEXT),
  MEMBER (CulpritStoredProof, "function", function, TEXT),
  MEMBER (CulpritStoredProof, "words", function, OWN, .add = add_words),
  MEMBER (CulpritStoredProof, "proof", proof, POINTER, .of = proof_members),
  MEMBER (CulpritStoredProof, "captured", counted, STRUCT, .of = counted_members),
  { 0 },
};

/* A line with the delays, as heads of their columns. */
static void
print_doses (const CulpritPathProof *proof)
{
  g_print ("  %4s %11s %8s", "peak", "at", "share");
  for (guint i = 1; i < proof->doses->len; i++)
    {
      g_autofree char *delay = culprit_difference_format (g_array_index (proof->doses, CulpritDose, i).delay_ns);

      g_print (" %11s", delay);
    }
  g_print ("   calls in a wake-up\n");
}

static void
print_peak (const CulpritProvedPeak *peak)
{
  g_autofree char *at = culprit_time_format (llround (peak->at_ns));
  g_autofree char *share = culprit_small_part_format (peak->share);
  g_autofree char *calls = culprit_calls_format (peak->calls);
  g_autofree char *low = culprit_calls_format (peak->calls_low);
  g_autofree char *high = culprit_calls_format (peak->calls_high);

  g_print ("  %4u %11s %8s", peak->number, at, share);
  for (guint i = 1; i < peak->moved_ns->len; i++)
    {
      double moved_ns = g_array_index (peak->moved_ns, double, i);
      g_autofree char *moved = isnan (moved_ns) ? g_strdup ("-") : culprit_difference_format (moved_ns);

      g_print (" %11s", moved);
    }
  if (peak->answer == CULPRIT_PATH_LOST)
    g_print ("   not found again\n");
  else
    g_print ("   %s (95 %% interval %s to %s)%s\n", calls, low, high, peak->edge ? ", of its upper edge" : "");
}

/* What was really done: the figures that the slopes are over. */
static void
print_held_up (const CulpritPathProof *proof)
{
  g_autoptr (GString) words = g_string_new ("A call was held up for");

  for (guint i = 0; i < proof->doses->len; i++)
    {
      const CulpritDose *dose = &g_array_index (proof->doses, CulpritDose, i);
      g_autofree char *really = isnan (dose->spun_ns) ? g_strdup ("-") : culprit_time_format (llround (dose->spun_ns));
      g_autofree char *delay = culprit_difference_format (dose->delay_ns);
      g_autofree char *calls = culprit_count_format (dose->calls);

      g_string_append_printf (words, "%s %s with %s (%s calls)", i > 0 ? "," : "", really, delay, calls);
    }
  g_string_append_c (words, '.');
  print_wrapped (words->str, 0);
}

static void
print_proof (const CulpritStoredProof *stored)
{
  const CulpritPathProof *proof = stored->proof;
  g_autofree char *head = culprit_stored_proof_head (stored);
  g_autofree char *words = culprit_path_proof_in_words (proof, stored->function);
  g_autofree char *counted = culprit_counted_calls_in_words (&stored->counted);

  print_wrapped (head, 0);
  if (proof->peaks->len > 0)
    print_doses (proof);
  for (guint i = 0; i < proof->peaks->len; i++)
    print_peak (&g_array_index (proof->peaks, CulpritProvedPeak, i));
  g_print ("\n");
  print_wrapped (words, 0);
  if (counted)
    print_wrapped (counted, 0);
  if (proof->doses->len > 0)
    print_held_up (proof);
}

static int
show (const Options *options, const char *series)
{
  g_autoptr (CulpritStudy) study = command_open (options);
  g_autoptr (CulpritStoredProof) stored = NULL;
  GError *error = NULL;

  if (!study)
    return EXIT_BAD;
  stored = culprit_study_proof (study, series, &error);
  if (!stored)
    return command_fail (error);
  if (options->format == FORMAT_JSON)
    print_members (proof_json_members, stored, stored);
  else
    print_proof (stored);
  return stored->proof->refusal ? EXIT_FOUND : EXIT_DONE;
}

/* The measurement. */

static char *
say_delay (JsonNode *delay)
{
  return culprit_difference_format (json_node_get_int (delay));
}

int
command_prove (const Command *command, int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_auto (RecordOptions) own;
  g_autofree char *delays = NULL;
  CulpritDelaying delaying = { .rounds = CULPRIT_ROUNDS_USUAL, .percent = setting_find ("delay_percent")->otherwise };
  const GOptionEntry more[] = {
    { "delay", 0, 0, G_OPTION_ARG_STRING, &delays, "Delays at the entry (default: " CULPRIT_DELAYS_USUAL ")",
      "TIME,..." },
    { "blocks", 0, 0, G_OPTION_ARG_INT, &delaying.rounds,
      "Blocks with each delay, and with none (default: " G_STRINGIFY (CULPRIT_ROUNDS_USUAL) ")", "N" },
    { "budget", 0, 0, G_OPTION_ARG_INT, &delaying.percent, "Per cent of a CPU that delays may take (default: 10)",
      "PERCENT" },
  };
  g_autoptr (CulpritTarget) target = NULL;
  g_autoptr (JsonObject) request = NULL;
  g_autofree char *about = NULL;
  g_autofree char *condition = NULL;
  Blocks blocks = { .besides = "", .say = say_delay, .show = show };
  GError *error = NULL;
  const char *function;
  int status;

  blocks_options_init (&own, "Name in the study (default: prove), or which to show again (default: the last)");
  g_array_prepend_vals (own.entries, more, G_N_ELEMENTS (more));
  if (!command_parse (command, argc, argv, (const GOptionEntry *) (gpointer) own.entries->data, &options, &status))
    return status;
  function = delaying.function = options.rest[0];
  if (!function)
    return blocks_show_again (&options, &blocks, &own,
                              delays                                                          ? "delay"
                              : delaying.rounds != CULPRIT_ROUNDS_USUAL                       ? "blocks"
                              : delaying.percent != setting_find ("delay_percent")->otherwise ? "budget"
                                                                                              : NULL,
                              "FUNCTION");
  if (options.rest[1])
    return command_complain ("unexpected argument \"%s\"; see culprit help prove", options.rest[1]);
  delaying.delays = delays ? delays : CULPRIT_DELAYS_USUAL;
  target = record_options_target (&own, &error);
  request = target ? blocks_request (&own, &error) : NULL;
  if (!request || !culprit_request_delay (request, &delaying, &error))
    return command_fail (error);
  blocks.about = about = g_strdup_printf ("Delaying %s", function);
  blocks.condition = condition = g_strconcat (function, " ", NULL);
  blocks.round = json_array_get_length (culprit_request_blocks (request)) / delaying.rounds;
  return blocks_measure (&options, &blocks, own.run ? own.run : "prove", target, request);
}
