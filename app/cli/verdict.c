/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit verdict */
#include "verdict/verdict.h"

#include "command.h"
#include "print.h"

#include <math.h>

static void
add_time (JsonBuilder *builder, const char *name, double time_ns)
{
  json_builder_set_member_name (builder, name);
  if (isnan (time_ns))
    json_builder_add_null_value (builder);
  else
    json_builder_add_int_value (builder, llround (time_ns));
}

static void
add_population (JsonBuilder *builder, const CulpritVerdict *verdict, guint index)
{
  const CulpritPopulation *population = &g_array_index (verdict->evidence->populations, CulpritPopulation, index);

  print_json_text (builder, "host", population->host);
  print_json_text (builder, "kernel", population->kernel);
  print_json_text (builder, "series", population->series);
}

static void
add_populations (JsonBuilder *builder, const CulpritVerdict *verdict)
{
  json_builder_set_member_name (builder, "populations");
  json_builder_begin_array (builder);
  for (guint i = 0; i < verdict->evidence->populations->len; i++)
    {
      const CulpritPopulation *population = &g_array_index (verdict->evidence->populations, CulpritPopulation, i);

      json_builder_begin_object (builder);
      add_population (builder, verdict, i);
      print_json_int (builder, "captures", population->captures);
      print_json_int (builder, "ordinary_windows", population->ordinary);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

/* Where it occurs, as "where". */
static void
add_where (JsonBuilder *builder, const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  json_builder_set_member_name (builder, "where");
  json_builder_begin_array (builder);
  for (guint i = 0; i < culprit->where->len; i++)
    {
      const CulpritOccurrence *there = &g_array_index (culprit->where, CulpritOccurrence, i);

      json_builder_begin_object (builder);
      add_population (builder, verdict, there->population);
      print_json_int (builder, "captures", there->captures);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

/* The names on the path to @node, as @name; null if there is none. */
static void
add_node (JsonBuilder *builder, const char *name, const CulpritVerdict *verdict, guint node)
{
  g_autoptr (GPtrArray) names = culprit_verdict_node (verdict, node);

  json_builder_set_member_name (builder, name);
  if (names->len == 0)
    {
      json_builder_add_null_value (builder);
      return;
    }
  json_builder_begin_array (builder);
  for (guint i = 0; i < names->len; i++)
    json_builder_add_string_value (builder, g_ptr_array_index (names, i));
  json_builder_end_array (builder);
}

static void
add_breakdown (JsonBuilder *builder, const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  json_builder_set_member_name (builder, "breakdown");
  json_builder_begin_array (builder);
  for (guint i = 0; i < culprit->breakdown->len; i++)
    {
      const CulpritBranch *branch = &g_array_index (culprit->breakdown, CulpritBranch, i);

      json_builder_begin_object (builder);
      add_node (builder, "node", verdict, branch->node);
      print_json_int (builder, "captures", branch->captures);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_ordinary (JsonBuilder *builder, const CulpritCulprit *culprit)
{
  json_builder_set_member_name (builder, "ordinary");
  json_builder_begin_object (builder);
  print_json_int (builder, "windows", culprit->ordinary.windows);
  print_json_int (builder, "of", culprit->ordinary_of);
  add_time (builder, "max_ns", culprit->ordinary.max_ns);
  print_json_int (builder, "max_calls", culprit->ordinary.max_calls);
  json_builder_end_object (builder);
}

static void
add_culprit (JsonBuilder *builder, const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  json_builder_begin_object (builder);
  print_json_text (builder, "function", culprit_verdict_function (verdict, culprit));
  print_json_text (builder, "culprit", culprit->name);
  print_json_text (builder, "context",
                   culprit->context < CULPRIT_CONTEXTS ? culprit_context_name (culprit->context) : NULL);
  print_json_text (builder, "class", culprit_class_name (culprit->class));
  add_node (builder, "node", verdict, culprit->node);
  add_breakdown (builder, verdict, culprit);
  print_json_int (builder, "captures", culprit->captures);
  print_json_int (builder, "of", verdict->stands_out);
  print_json_real (builder, "low", culprit->low);
  print_json_real (builder, "high", culprit->high);
  add_ordinary (builder, culprit);
  print_json_int (builder, "inverted", culprit->inverted);
  add_time (builder, "excess_mean_ns", culprit->excess_ns);
  add_time (builder, "least_ns", culprit->least_ns);
  add_time (builder, "most_ns", culprit->most_ns);
  print_json_real (builder, "share", culprit->share);
  print_json_real (builder, "confidence", culprit->confidence);
  print_json_int (builder, "more", culprit->more);
  print_json_real (builder, "weight", culprit->weight);
  print_json_real (builder, "weight_low", culprit->weight_low);
  print_json_real (builder, "weight_high", culprit->weight_high);
  print_json_real (builder, "leads", culprit->leads);
  print_json_real (builder, "calls_mean", culprit->calls);
  print_json_real (builder, "ordinary_calls_when_run", culprit->reference_calls);
  add_time (builder, "per_call_ns", culprit->per_call_ns);
  add_time (builder, "ordinary_per_call_ns", culprit->reference_per_call_ns);
  print_json_real (builder, "by_count", culprit->by_count);
  print_json_text (builder, "path", culprit->path && *culprit->path ? culprit->path : NULL);
  add_where (builder, verdict, culprit);
  json_builder_end_object (builder);
}

static void
add_culprits (JsonBuilder *builder, const char *name, const CulpritVerdict *verdict, const GArray *culprits)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; i < culprits->len; i++)
    add_culprit (builder, verdict, &g_array_index (culprits, CulpritCulprit, i));
  json_builder_end_array (builder);
}

static void
add_place (JsonBuilder *builder, const CulpritPlace *place)
{
  json_builder_begin_object (builder);
  print_json_text (builder, "function", place->name);
  print_json_text (builder, "context", culprit_context_name (place->context));
  print_json_text (builder, "before", place->before);
  print_json_text (builder, "after", place->after);
  print_json_int (builder, "captures", place->hits);
  print_json_real (builder, "time_share", place->share);
  print_json_real (builder, "p_value", place->p);
  add_time (builder, "ordinary_ns", place->ordinary_ns);
  print_json_flag (builder, "guilty", place->guilty);
  print_json_text (builder, "reason", place->reason);
  json_builder_end_object (builder);
}

static void
add_stalls (JsonBuilder *builder, const CulpritStalls *stalls)
{
  json_builder_set_member_name (builder, "stalls");
  json_builder_begin_object (builder);
  print_json_flag (builder, "blind", stalls->blind);
  print_json_flag (builder, "likely_only", stalls->likely);
  print_json_int (builder, "candidates", stalls->candidates);
  print_json_int (builder, "struck", stalls->struck);
  print_json_real (builder, "p_value", stalls->struck > 0 ? stalls->least_p : NAN);
  add_time (builder, "length_mean_ns", stalls->struck > 0 ? stalls->length_ns : NAN);
  add_time (builder, "length_sd_ns", stalls->length_sd_ns);
  print_json_real (builder, "confidence", stalls->struck > 0 ? stalls->confidence : NAN);
  print_json_text (builder, "proof", culprit_proof_name (stalls->proof));
  json_builder_set_member_name (builder, "places");
  json_builder_begin_array (builder);
  for (guint i = 0; i < stalls->places->len; i++)
    add_place (builder, &g_array_index (stalls->places, CulpritPlace, i));
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static void
print_verdict_json (const CulpritVerdict *verdict, const char *base)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (GPtrArray) sentences = culprit_verdict_in_words (verdict);
  g_autoptr (GPtrArray) steps = culprit_verdict_next_steps (verdict);

  json_builder_begin_object (builder);
  print_json_int (builder, "captures", verdict->captures);
  print_json_int (builder, "ignored", verdict->ignored);
  print_json_int (builder, "stand_out", verdict->stands_out);
  print_json_int (builder, "tracing", verdict->tracing);
  print_json_int (builder, "spread", verdict->spread);
  print_json_int (builder, "explained", verdict->explained);
  print_json_int (builder, "incomplete", verdict->incomplete);
  print_json_int (builder, "base_captures", verdict->evidence->base_captures);
  print_json_int (builder, "borrowed", verdict->borrowed);
  print_json_text (builder, "base_run", base);
  print_json_int (builder, "ordinary_windows", verdict->ordinary);
  add_time (builder, "excess_mean_ns", verdict->stands_out > 0 ? verdict->excess_ns : NAN);
  add_culprits (builder, "culprits", verdict, verdict->culprits);
  add_culprits (builder, "suspects", verdict, verdict->suspects);
  add_populations (builder, verdict);
  add_stalls (builder, verdict->stalls);
  print_json_texts (builder, "in_words", sentences);
  print_json_texts (builder, "next_steps", steps);
  json_builder_end_object (builder);
  print_json_built (builder);
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

static void
print_verdict (const CulpritVerdict *verdict, const VerdictOptions *options)
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
  print_next (steps);
}

int
command_verdict (int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_auto (VerdictOptions) own = { 0 };
  g_autoptr (CulpritStudy) study = NULL;
  g_autoptr (CulpritVerdict) verdict = verdict_begin ("verdict", argc, argv, &options, &own, &study);

  if (!verdict)
    return own.status;
  if (options.format == FORMAT_JSON)
    print_verdict_json (verdict, own.base);
  else
    print_verdict (verdict, &own);
  return EXIT_DONE;
}
