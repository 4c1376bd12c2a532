/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit explain */
#include "record/explaining.h"

#include "members.h"
#include "print.h"
#include "record-options.h"
#include "record/words.h"
#include "units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The settings of a recording that make sense here, by their keys. */
static const char *const used_settings[] = { "period_ns", "limit_ns",    "cycles",    "captures", "policy",
                                             "priority",  "cpus",        "method",    "clock",    "load",
                                             "aligned",   "skip_cycles", "buffer_kb", "events",   "calibrate",
                                             "take_over", "between",     NULL };

/* The output. */

static const char *
answer_name (guint answer)
{
  return culprit_peak_answer_name (answer);
}

static void
add_captures (JsonBuilder *builder, gconstpointer value, gconstpointer peak)
{
  const GArray *captures = *(GArray *const *) value;

  json_builder_begin_array (builder);
  for (guint i = 0; i < captures->len; i++)
    json_builder_add_int_value (builder, g_array_index (captures, gint64, i));
  json_builder_end_array (builder);
}

/* The cause of @card, with its weight and so on. */
static void
add_cause (JsonBuilder *builder, gconstpointer value, gconstpointer context)
{
  const CulpritExplainedPeak *peak = context;

  if (peak->card)
    members_add_object (builder, culprit_json_members, peak->card->culprit, peak->verdict);
  else
    json_builder_add_null_value (builder);
}

static void
add_traced (JsonBuilder *builder, gconstpointer value, gconstpointer context)
{
  const CulpritExplainedPeak *peak = context;

  if (!peak->mapped)
    {
      json_builder_add_null_value (builder);
      return;
    }
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "low_ns");
  json_builder_add_int_value (builder, peak->traced.low_ns);
  json_builder_set_member_name (builder, "high_ns");
  if (peak->traced.open)
    json_builder_add_null_value (builder);
  else
    json_builder_add_int_value (builder, peak->traced.high_ns);
  json_builder_set_member_name (builder, "separate");
  json_builder_add_boolean_value (builder, peak->traced.separate);
  json_builder_end_object (builder);
}

static const Member peak_members[] = {
  MEMBER (CulpritExplainedPeak, "peak", number, COUNT),
  MEMBER (CulpritExplainedPeak, "at_ns", at_ns, NUMBER),
  MEMBER (CulpritExplainedPeak, "low_ns", band.low_ns, NUMBER),
  MEMBER (CulpritExplainedPeak, "high_ns", band.high_ns, NUMBER),
  MEMBER (CulpritExplainedPeak, "share", share, REAL),
  MEMBER (CulpritExplainedPeak, "traced", traced, OWN, .add = add_traced),
  MEMBER (CulpritExplainedPeak, "lower_peak", lower, COUNT),
  MEMBER (CulpritExplainedPeak, "answer", answer, NAME, .name_of = answer_name),
  MEMBER (CulpritExplainedPeak, "label", label, TEXT),
  MEMBER (CulpritExplainedPeak, "words", words, TEXT),
  MEMBER (CulpritExplainedPeak, "recording", recording, TEXT),
  MEMBER (CulpritExplainedPeak, "captures", captures, OWN, .add = add_captures),
  MEMBER (CulpritExplainedPeak, "cause", card, OWN, .add = add_cause),
  { 0 },
};

static const Member late_members[] = {
  MEMBER (CulpritLate, "count", count, NUMBER),
  MEMBER (CulpritLate, "from_ns", from_ns, NUMBER),
  MEMBER (CulpritLate, "to_ns", to_ns, NUMBER),
  { 0 },
};

static void
add_apart (JsonBuilder *builder, gconstpointer value, gconstpointer context)
{
  const CulpritLate *apart = value;

  if (apart->count > 0)
    members_add_object (builder, late_members, apart, apart);
  else
    json_builder_add_null_value (builder);
}

static const Member explanation_members[] = {
  MEMBER (CulpritExplanation, "run", run, TEXT),
  MEMBER (CulpritExplanation, "series", series, TEXT),
  MEMBER (CulpritExplanation, "period_ns", period_ns, NUMBER),
  MEMBER (CulpritExplanation, "wake_ups", n, NUMBER),
  MEMBER (CulpritExplanation, "beyond", beyond, NUMBER),
  MEMBER (CulpritExplanation, "traced_wake_ups", traced_n, NUMBER),
  MEMBER (CulpritExplanation, "traced_beyond", traced_beyond, NUMBER),
  MEMBER (CulpritExplanation, "apart", apart, OWN, .add = add_apart),
  MEMBER (CulpritExplanation, "traced_apart", traced_apart, OWN, .add = add_apart),
  MEMBER (CulpritExplanation, "peaks", peaks, POINTERS, .of = peak_members),
  { 0 },
};

/* The calls to the cause of @peak, and its weight. */
static void
print_cause (const CulpritCard *card)
{
  if (card->culprit->path)
    {
      g_autofree char *path = g_strdup_printf ("Path: %s", card->culprit->path);

      g_print ("        ");
      print_wrapped (path, 8);
    }
  g_print ("        ");
  print_wrapped (card->weight_number, 8);
}

static void
print_peak (const CulpritExplainedPeak *peak)
{
  g_autofree char *at = culprit_time_format (peak->at_ns);
  g_autofree char *share = culprit_small_part_format (peak->share);

  g_print ("  %4u %11s %8s   %s\n", peak->number, at, share, peak->label ? peak->label : "-");
  g_print ("        ");
  print_wrapped (peak->words, 8);
  if (peak->card)
    print_cause (peak->card);
}

/* What is far above the last peak. What is so with tracing alone can be given as no band. */
static void
print_apart (const CulpritLate *apart, gboolean traced)
{
  g_autofree char *count = culprit_count_format (apart->count);
  g_autofree char *range = culprit_time_format_range (apart->from_ns, apart->to_ns);
  g_autofree char *band =
      traced ? g_strdup ("")
             : g_strdup_printf (" Explain %s with --band %" G_GINT64_FORMAT "ns,%" G_GINT64_FORMAT "ns.",
                                apart->count == 1 ? "it" : "them", apart->from_ns, apart->to_ns);
  g_autofree char *words = g_strdup_printf ("%s%s wake-up%s, %s, %s far above the last peak and no part of it.%s",
                                            traced ? "With tracing, " : "", count, culprit_plural (apart->count), range,
                                            apart->count == 1 ? "is" : "are", band);

  g_print ("  ");
  print_wrapped (words, 2);
}

static void
print_explanation (const CulpritExplanation *explanation)
{
  g_autofree char *n = culprit_count_format (explanation->n);
  g_autofree char *traced = culprit_count_format (explanation->traced_n);
  g_autofree char *beyond = culprit_beyond_in_words (
      explanation->beyond + explanation->traced_beyond,
      explanation->n + explanation->traced_n - explanation->beyond - explanation->traced_beyond, explanation->run);

  g_print ("%s: %s latencies without tracing, %s with it\n", explanation->run, n, traced);
  if (beyond)
    {
      g_print ("  ");
      print_wrapped (beyond, 2);
    }
  g_print ("  %4s %11s %8s\n", "peak", "at", "share");
  for (guint i = 0; i < explanation->peaks->len; i++)
    print_peak (culprit_explanation_peak (explanation, i));
  if (explanation->apart.count > 0)
    print_apart (&explanation->apart, FALSE);
  else if (explanation->traced_apart.count > 0)
    print_apart (&explanation->traced_apart, TRUE);
  if (explanation->peaks->len == 0)
    g_print ("  No peak is significant: measure for longer, or give bands.\n");
}

/* The recordings. */

typedef struct
{
  const Options *options;
  const char *what; /* is being recorded, for the line of progress */
  gint64 wanted;    /* captures of it; 0: none */
} Progress;

/* Says on lines of their own what is going to happen. */
static void
on_begin (const char *plan, const char *what, gint64 captures, gpointer data)
{
  Progress *progress = data;

  progress->what = what;
  progress->wanted = captures;
  if (progress->options->format == FORMAT_JSON)
    return;
  print_progress_end ();
  if (!plan)
    return;
  print_wrapped (plan, 0);
  fflush (stdout);
}

static void
on_event (CulpritMessage *message, gpointer data)
{
  const Progress *progress = data;

  if (progress->options->format == FORMAT_JSON)
    return;
  if (message->type == CULPRIT_MESSAGE_PROGRESS && message->totals.cycles > 0)
    {
      g_autofree char *totals = culprit_totals_words (&message->totals);

      if (progress->wanted > 0)
        print_progress ("%s: %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " captures, %s", progress->what,
                        message->capture, progress->wanted, totals);
      else
        print_progress ("%s, tracing %s: %s", progress->what, message->traced ? "on" : "off", totals);
    }
  if (message->type == CULPRIT_MESSAGE_NOTE)
    print_message (message);
}

/* Measures and records what is missing. NULL with an error. */
static CulpritExplanation *
complete (const CulpritExplaining *explaining,
          const CulpritTarget *target,
          GCancellable *cancellable,
          const Options *options,
          GError **error)
{
  static const CulpritExplainingCalls calls = { on_begin, on_event };
  Progress progress = { options, NULL, 0 };
  CulpritRecordingResult result;
  CulpritExplanation *explanation =
      culprit_explain (explaining, target, cancellable, &calls, &progress, &result, error);

  print_progress_end ();
  culprit_recording_result_clear (&result);
  return explanation;
}

/* The bands of @texts, ascending. NULL with an error. */
static GArray *
read_bands (char **texts, GError **error)
{
  const Setting *setting = setting_find ("band_low_ns");
  g_autoptr (GArray) bands = g_array_new (FALSE, FALSE, sizeof (CulpritBand));

  for (char **text = texts; *text; text++)
    {
      g_autoptr (JsonObject) object = json_object_new ();
      CulpritBand band;

      if (!culprit_option_set (object, setting, *text, error))
        return NULL;
      band = (CulpritBand) { json_object_get_int_member (object, "band_low_ns"),
                             json_object_get_int_member (object, "band_high_ns") };
      if (band.low_ns > band.high_ns ||
          (bands->len > 0 && band.low_ns <= g_array_index (bands, CulpritBand, bands->len - 1).high_ns))
        {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                       "--band \"%s\" must be above the one before, and not end before it begins", *text);
          return NULL;
        }
      g_array_append_val (bands, band);
    }
  return g_steal_pointer (&bands);
}

int
command_explain (const Command *command, int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_auto (RecordOptions) own;
  g_auto (GStrv) texts = NULL;
  gboolean no_record = FALSE;
  const GOptionEntry more[] = {
    { "band", 0, 0, G_OPTION_ARG_STRING_ARRAY, &texts, "Explain this band, not the peaks; several times, ascending",
      "TIME,TIME" },
    { "no-record", 0, 0, G_OPTION_ARG_NONE, &no_record, "Only judge the captures that are there", NULL },
  };
  g_autoptr (CulpritTarget) target = NULL;
  g_autoptr (JsonObject) settings = NULL;
  g_autoptr (GArray) bands = NULL;
  g_autoptr (CulpritExplanation) explanation = NULL;
  g_autoptr (GCancellable) cancellable = NULL;
  GError *error = NULL;
  int status;

  record_options_init_some (&own, "The run without tracing, or its series (default: the last)", used_settings);
  g_array_prepend_vals (own.entries, more, G_N_ELEMENTS (more));
  if (!command_parse (command, argc, argv, (const GOptionEntry *) (gpointer) own.entries->data, &options, &status))
    return status;
  bands = texts ? read_bands (texts, &error) : NULL;
  target = error ? NULL : record_options_target (&own, &error);
  settings = target ? record_options_settings (&own, &error) : NULL;

  const CulpritExplaining explaining = { options.study, own.run, bands, settings,
                                         settings ? json_member_int (settings, "captures", CULPRIT_EXPLAIN_CAPTURES)
                                                  : CULPRIT_EXPLAIN_CAPTURES };

  if (explaining.captures < CULPRIT_EXPLAIN_LEAST)
    g_set_error (&error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "--captures must be at least %d",
                 CULPRIT_EXPLAIN_LEAST);
  if (error)
    return command_fail (error);
  cancellable = command_cancellable ();
  explanation = no_record ? culprit_explaining_read (&explaining, &error)
                          : complete (&explaining, target, cancellable, &options, &error);
  if (!explanation && g_cancellable_is_cancelled (cancellable))
    {
      g_clear_error (&error);
      return EXIT_CANCELLED;
    }
  if (!explanation)
    return no_record ? command_fail (error) : target_fail (target, error);
  if (options.format == FORMAT_JSON)
    print_members (explanation_members, explanation, explanation);
  else
    print_explanation (explanation);
  return g_cancellable_is_cancelled (cancellable) ? EXIT_CANCELLED : EXIT_DONE;
}
