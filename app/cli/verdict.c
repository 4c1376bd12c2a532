/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit verdict */
#include "verdict/verdict.h"

#include "command.h"
#include "members.h"
#include "print.h"

#include <math.h>

/* culprit verdict --json: the context of all tables is the verdict. */

static const Member population_name[] = {
  MEMBER (CulpritPopulation, "host", host, TEXT),
  MEMBER (CulpritPopulation, "kernel", kernel, TEXT),
  MEMBER (CulpritPopulation, "series", series, TEXT),
  { 0 },
};

static const Member population[] = {
  { "", 0, MEMBER_SAME, .of = population_name },
  MEMBER (CulpritPopulation, "captures", captures, COUNT),
  MEMBER (CulpritPopulation, "ordinary_windows", ordinary, COUNT),
  { 0 },
};

static const Member occurrence[] = {
  MEMBER (CulpritOccurrence, "captures", captures, COUNT),
  { 0 },
};

static void
add_where (JsonBuilder *builder, gconstpointer value, gconstpointer verdict)
{
  const GArray *where = *(GArray *const *) value;

  json_builder_begin_array (builder);
  for (guint i = 0; i < where->len; i++)
    {
      const CulpritOccurrence *there = &g_array_index (where, CulpritOccurrence, i);

      json_builder_begin_object (builder);
      members_add (builder, population_name,
                   culprit_evidence_population (((const CulpritVerdict *) verdict)->evidence, there->population), NULL);
      members_add (builder, occurrence, there, NULL);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

/* The names on the path to a node; null if there is none. */
static void
add_node (JsonBuilder *builder, gconstpointer value, gconstpointer verdict)
{
  g_autoptr (GPtrArray) names = culprit_verdict_node (verdict, *(const guint *) value);

  if (names->len > 0)
    members_add_texts (builder, names);
  else
    json_builder_add_null_value (builder);
}

static const Member branch[] = {
  MEMBER (CulpritBranch, "node", node, OWN, .add = add_node),
  MEMBER (CulpritBranch, "captures", captures, COUNT),
  { 0 },
};

static const Member ordinary[] = {
  MEMBER (CulpritCulprit, "windows", ordinary.windows, ROUNDED),
  MEMBER (CulpritCulprit, "of", ordinary_of, ROUNDED),
  MEMBER (CulpritCulprit, "max_ns", ordinary.max_ns, ROUNDED),
  MEMBER (CulpritCulprit, "max_calls", ordinary.max_calls, ROUNDED),
  { 0 },
};

static void
add_function (JsonBuilder *builder, gconstpointer culprit, gconstpointer verdict)
{
  members_add_text (builder, culprit_verdict_function (verdict, culprit));
}

static void
add_path (JsonBuilder *builder, gconstpointer path, gconstpointer verdict)
{
  const char *text = *(const char *const *) path;

  members_add_text (builder, text && *text ? text : NULL);
}

static void
add_stands_out (JsonBuilder *builder, gconstpointer culprit, gconstpointer verdict)
{
  json_builder_add_int_value (builder, ((const CulpritVerdict *) verdict)->stands_out);
}

static const char *
context_name (guint context)
{
  return context < CULPRIT_CONTEXTS ? culprit_context_name (context) : NULL;
}

const Member culprit_json_members[] = {
  { "function", 0, MEMBER_OWN, .add = add_function },
  MEMBER (CulpritCulprit, "culprit", name, TEXT),
  MEMBER (CulpritCulprit, "context", context, NAME, .name_of = context_name),
  MEMBER (CulpritCulprit, "class", class, NAME, .name_of = culprit_class_name),
  MEMBER (CulpritCulprit, "node", node, OWN, .add = add_node),
  MEMBER (CulpritCulprit, "breakdown", breakdown, ARRAY, .of = branch),
  MEMBER (CulpritCulprit, "captures", captures, COUNT),
  { "of", 0, MEMBER_OWN, .add = add_stands_out },
  MEMBER (CulpritCulprit, "low", low, REAL),
  MEMBER (CulpritCulprit, "high", high, REAL),
  { "ordinary", 0, MEMBER_STRUCT, .of = ordinary },
  MEMBER (CulpritCulprit, "inverted", inverted, COUNT),
  MEMBER (CulpritCulprit, "excess_mean_ns", excess_ns, ROUNDED),
  MEMBER (CulpritCulprit, "least_ns", least_ns, ROUNDED),
  MEMBER (CulpritCulprit, "most_ns", most_ns, ROUNDED),
  MEMBER (CulpritCulprit, "share", share, REAL),
  MEMBER (CulpritCulprit, "confidence", confidence, REAL),
  MEMBER (CulpritCulprit, "more", more, COUNT),
  MEMBER (CulpritCulprit, "weight", weight, REAL),
  MEMBER (CulpritCulprit, "weight_low", weight_low, REAL),
  MEMBER (CulpritCulprit, "weight_high", weight_high, REAL),
  MEMBER (CulpritCulprit, "leads", leads, REAL),
  MEMBER (CulpritCulprit, "calls_mean", calls, REAL),
  MEMBER (CulpritCulprit, "ordinary_calls_when_run", reference_calls, REAL),
  MEMBER (CulpritCulprit, "per_call_ns", per_call_ns, ROUNDED),
  MEMBER (CulpritCulprit, "ordinary_per_call_ns", reference_per_call_ns, ROUNDED),
  MEMBER (CulpritCulprit, "by_count", count_share, REAL),
  MEMBER (CulpritCulprit, "path", path, OWN, .add = add_path),
  MEMBER (CulpritCulprit, "where", where, OWN, .add = add_where),
  { 0 },
};

static const Member place[] = {
  MEMBER (CulpritPlace, "function", name, TEXT),
  MEMBER (CulpritPlace, "context", context, NAME, .name_of = context_name),
  MEMBER (CulpritPlace, "before", before, TEXT),
  MEMBER (CulpritPlace, "after", after, TEXT),
  MEMBER (CulpritPlace, "captures", hits, COUNT),
  MEMBER (CulpritPlace, "time_share", share, REAL),
  MEMBER (CulpritPlace, "p_value", p, REAL),
  MEMBER (CulpritPlace, "ordinary_ns", ordinary_ns, ROUNDED),
  MEMBER (CulpritPlace, "guilty", guilty, FLAG),
  MEMBER (CulpritPlace, "reason", reason, TEXT),
  { 0 },
};

static const Member stalls[] = {
  MEMBER (CulpritStalls, "blind", blind, FLAG),
  MEMBER (CulpritStalls, "likely_only", likely, FLAG),
  MEMBER (CulpritStalls, "candidates", candidates, COUNT),
  MEMBER (CulpritStalls, "struck", struck, COUNT),
  MEMBER (CulpritStalls, "p_value", least_p, REAL),
  MEMBER (CulpritStalls, "length_mean_ns", length_ns, ROUNDED),
  MEMBER (CulpritStalls, "length_sd_ns", length_sd_ns, ROUNDED),
  MEMBER (CulpritStalls, "confidence", confidence, REAL),
  MEMBER (CulpritStalls, "proof", proof, NAME, .name_of = culprit_proof_name),
  MEMBER (CulpritStalls, "places", places, ARRAY, .of = place),
  { 0 },
};

/* The verdict with what belongs to it. */
typedef struct
{
  CulpritVerdict verdict;
  CulpritStalls stalls; /* what is not known if none struck is NaN */
  const char *base;
  const GArray *populations;
  guint base_captures;
  const GPtrArray *sentences;
  const GPtrArray *steps;
  const GPtrArray *proofs;
} Shown;

static const Member shown[] = {
  MEMBER (Shown, "captures", verdict.captures, COUNT),
  MEMBER (Shown, "ignored", verdict.ignored, COUNT),
  MEMBER (Shown, "stand_out", verdict.stands_out, COUNT),
  MEMBER (Shown, "tracing", verdict.tracing, COUNT),
  MEMBER (Shown, "spread", verdict.spread, COUNT),
  MEMBER (Shown, "explained", verdict.explained, COUNT),
  MEMBER (Shown, "incomplete", verdict.incomplete, COUNT),
  MEMBER (Shown, "base_captures", base_captures, COUNT),
  MEMBER (Shown, "borrowed", verdict.borrowed, COUNT),
  MEMBER (Shown, "base_run", base, TEXT),
  MEMBER (Shown, "ordinary_windows", verdict.ordinary, COUNT),
  MEMBER (Shown, "excess_mean_ns", verdict.excess_ns, ROUNDED),
  MEMBER (Shown, "culprits", verdict.culprits, ARRAY, .of = culprit_json_members),
  MEMBER (Shown, "suspects", verdict.suspects, ARRAY, .of = culprit_json_members),
  MEMBER (Shown, "populations", populations, ARRAY, .of = population),
  MEMBER (Shown, "stalls", stalls, STRUCT, .of = stalls),
  MEMBER (Shown, "proofs", proofs, POINTERS, .of = proof_json_members),
  MEMBER (Shown, "in_words", sentences, TEXTS),
  MEMBER (Shown, "next_steps", steps, TEXTS),
  { 0 },
};

static void
print_verdict_json (const CulpritVerdict *verdict, const GPtrArray *proofs, const char *base)
{
  g_autoptr (GPtrArray) sentences = culprit_verdict_in_words (verdict);
  g_autoptr (GPtrArray) steps = culprit_verdict_next_steps (verdict);
  Shown all = { *verdict,
                *verdict->stalls,
                base,
                verdict->evidence->populations,
                verdict->evidence->base_captures,
                sentences,
                steps,
                proofs };

  if (verdict->stands_out == 0)
    all.verdict.excess_ns = NAN;
  if (verdict->stalls->struck == 0)
    all.stalls.least_p = all.stalls.length_ns = all.stalls.confidence = NAN;
  print_members (shown, &all, verdict);
}

static void
print_numbered (const GPtrArray *lines)
{
  for (guint i = 0; i < lines->len; i++)
    {
      g_print ("%2u. ", i + 1);
      print_wrapped (g_ptr_array_index (lines, i), 4);
    }
}

static void
print_next (const GPtrArray *steps)
{
  if (steps->len > 0)
    g_print ("\nNext\n");
  for (guint i = 0; i < steps->len; i++)
    {
      g_print ("  - ");
      print_wrapped (g_ptr_array_index (steps, i), 4);
    }
}

/* What delays on purpose said about the culprits. */
static void
print_proofs (const GPtrArray *proofs)
{
  if (proofs->len > 0)
    g_print ("\nProved by delays\n");
  for (guint i = 0; i < proofs->len; i++)
    {
      const CulpritStoredProof *stored = proofs->pdata[i];
      g_autofree char *words = culprit_path_proof_in_words (stored->proof, stored->function);

      g_print ("  - ");
      print_wrapped (words, 4);
    }
}

static void
print_verdict (const CulpritVerdict *verdict, const GPtrArray *proofs, const VerdictOptions *options)
{
  g_autoptr (GPtrArray) sentences = culprit_verdict_in_words (verdict);
  g_autoptr (GPtrArray) steps = culprit_verdict_next_steps (verdict);
  g_autofree char *basis = culprit_verdict_basis (verdict);
  g_autofree char *head = NULL;

  if (verdict->captures == 0)
    {
      g_print ("%s\n", (char *) g_ptr_array_index (sentences, 0));
      print_next (steps);
      return;
    }
  head = g_strdup_printf ("%s%s%s; times %s the tracer's.", basis, options->base ? " of " : "",
                          options->base ? options->base : "", options->raw ? "include" : "exclude");
  print_wrapped (head, 0);
  g_print ("\n");
  print_numbered (sentences);
  print_proofs (proofs);
  print_next (steps);
}

int
command_verdict (const Command *command, int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_auto (VerdictOptions) own = { 0 };
  g_autoptr (CulpritStudy) study = NULL;
  g_autoptr (CulpritVerdict) verdict = verdict_begin (command, argc, argv, &options, &own, &study);
  g_autoptr (GPtrArray) proofs = NULL;
  GError *error = NULL;

  if (!verdict)
    return own.status;
  proofs = culprit_verdict_proofs (verdict, study, &error);
  if (!proofs)
    return command_fail (error);
  if (options.format == FORMAT_JSON)
    print_verdict_json (verdict, proofs, own.base);
  else
    print_verdict (verdict, proofs, &own);
  return EXIT_DONE;
}
