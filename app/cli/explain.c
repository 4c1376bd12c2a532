/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit explain */
#include "verdict/explanation.h"

#include "members.h"
#include "print.h"
#include "record-options.h"
#include "record/recording.h"
#include "record/request.h"
#include "record/words.h"
#include "study/runs.h"
#include "units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define USUAL_CAPTURES 10
#define PATIENCE 20                /* times the time that captures are expected to take; then a recording ends */
#define LEAST_LIMIT_NS 60000000000 /* and not before this */

/* The settings of a recording that make sense here, by their keys. */
static const char *const used_settings[] = { "period_ns", "limit_ns",    "cycles",    "captures", "policy",
                                             "priority",  "cpus",        "method",    "clock",    "load",
                                             "aligned",   "skip_cycles", "buffer_kb", "events",   "calibrate",
                                             "take_over", NULL };

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

static void
add_peaks (JsonBuilder *builder, gconstpointer value, gconstpointer context)
{
  const GPtrArray *peaks = *(GPtrArray *const *) value;

  json_builder_begin_array (builder);
  for (guint i = 0; i < peaks->len; i++)
    members_add_object (builder, peak_members, peaks->pdata[i], peaks->pdata[i]);
  json_builder_end_array (builder);
}

static const Member explanation_members[] = {
  MEMBER (CulpritExplanation, "run", run, TEXT),
  MEMBER (CulpritExplanation, "series", series, TEXT),
  MEMBER (CulpritExplanation, "period_ns", period_ns, NUMBER),
  MEMBER (CulpritExplanation, "wake_ups", n, NUMBER),
  MEMBER (CulpritExplanation, "traced_wake_ups", traced_n, NUMBER),
  MEMBER (CulpritExplanation, "peaks", peaks, OWN, .add = add_peaks),
  { 0 },
};

/* The calls to the cause of @peak, and its weight. */
static void
print_path (const CulpritExplainedPeak *peak)
{
  const CulpritCard *card = peak->card;
  g_autoptr (GString) words = g_string_new ("Path: ");

  for (guint i = 0; i < card->path->len; i++)
    g_string_append_printf (words, "%s%s", i > 0 ? " > " : "", g_array_index (card->path, CulpritPathCall, i).name);
  if (card->path->len > 0)
    {
      g_print ("        ");
      print_wrapped (words->str, 8);
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
    print_path (peak);
}

static void
print_explanation (const CulpritExplanation *explanation)
{
  g_autofree char *n = culprit_count_format (explanation->n);
  g_autofree char *traced = culprit_count_format (explanation->traced_n);

  g_print ("%s: %s wake-ups without tracing, %s with it\n", explanation->run, n, traced);
  g_print ("  %4s %11s %8s\n", "peak", "at", "share");
  for (guint i = 0; i < explanation->peaks->len; i++)
    print_peak (culprit_explanation_peak (explanation, i));
  if (explanation->peaks->len == 0)
    g_print ("  No peak is significant: measure for longer, or give bands.\n");
}

/* The recordings. */

typedef struct
{
  const Options *options;
  RecordOptions *own;
  const GArray *bands; /* of CulpritBand; NULL: the peaks */
  const CulpritTarget *target;
  GCancellable *cancellable;
  gint64 captures;  /* of each peak */
  const char *what; /* is being recorded, for the line of progress */
  gint64 wanted;    /* captures of it; 0: none */
} Explaining;

static void
on_event (CulpritMessage *message, gpointer data)
{
  const Explaining *explaining = data;

  if (explaining->options->format == FORMAT_JSON)
    return;
  if (message->type == CULPRIT_MESSAGE_PROGRESS && message->totals.cycles > 0)
    {
      g_autofree char *totals = culprit_totals_words (&message->totals);

      if (explaining->wanted > 0)
        print_progress ("%s: %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " captures, %s", explaining->what,
                        message->capture, explaining->wanted, totals);
      else
        print_progress ("%s, tracing %s: %s", explaining->what, message->traced ? "on" : "off", totals);
    }
  if (message->type == CULPRIT_MESSAGE_NOTE)
    {
      g_autofree char *words = culprit_message_words (message, CULPRIT_AT_COMMAND);

      print_progress_end ();
      g_print ("%s\n", words);
    }
}

/* Says on a line of its own what is going to happen. */
static void G_GNUC_PRINTF (2, 3) announce (const Explaining *explaining, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  if (explaining->options->format == FORMAT_JSON)
    return;
  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  print_wrapped (text, 0);
  fflush (stdout);
}

/* Records by @request what is called @what. @turn, @explains: as in CulpritRecordingOptions. */
static gboolean
record (Explaining *explaining,
        const char *name,
        const char *what,
        JsonObject *request,
        guint turn,
        JsonObject *explains,
        GError **error)
{
  const CulpritRecordingOptions recording = { explaining->options->study, name, request, turn, explains };
  CulpritRecordingResult result;
  gboolean good;

  explaining->what = what;
  explaining->wanted = json_member_int (request, "captures", 0);
  good = culprit_record (explaining->target, &recording, explaining->cancellable, on_event, explaining, &result, error);
  print_progress_end ();
  culprit_recording_result_clear (&result);
  return good;
}

/* The configuration of the run of @explanation. NULL: it is not known. The caller owns it. */
static JsonObject *
configuration_of (const CulpritExplanation *explanation)
{
  const char *text = explanation->configuration ? explanation->configuration : "";
  g_autoptr (JsonNode) root = json_parse_bounded (text, strlen (text), JSON_LONGEST_LINE, NULL);

  return root && JSON_NODE_HOLDS_OBJECT (root) ? json_node_dup_object (root) : NULL;
}

/* Whether it is said where, and with which load, to record more like the run of @explanation. FALSE with an error. */
static gboolean
may_record_like (const Explaining *explaining, const CulpritExplanation *explanation, GError **error)
{
  g_autoptr (JsonObject) configuration = configuration_of (explanation);
  const char *load = configuration ? json_member_text (configuration, "load") : NULL;
  const char *target = explanation->target;

  if (target && !g_str_equal (target, explaining->target->name))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   "\"%s\" was measured on %s; record there with --target %s, or only judge with --no-record",
                   explanation->run, target, target);
      return FALSE;
    }
  if (load && !culprit_load_name (load) && !record_options_have (explaining->own, "load"))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   "\"%s\" was measured with the load \"%s\"; give it, or another one, with --load", explanation->run,
                   load);
      return FALSE;
    }
  return TRUE;
}

/* The request to record more like the run of @explanation. NULL with an error. */
static JsonObject *
request_like (const Explaining *explaining, const CulpritExplanation *explanation, GError **error)
{
  g_autoptr (JsonObject) configuration = configuration_of (explanation);

  return record_options_request_like (explaining->own, configuration, error);
}

static void
announce_runs (const Explaining *explaining, JsonObject *request, const char *what, guint runs)
{
  double limit_ns = culprit_request_number (request, "limit_ns");
  double cycles_ns =
      (double) culprit_request_number (request, "cycles") * culprit_request_number (request, "period_ns");
  g_autofree char *time = culprit_long_time_format (
      runs * (limit_ns == 0 || (cycles_ns > 0 && cycles_ns < limit_ns) ? cycles_ns : limit_ns));

  announce (explaining, "Measuring wake-ups %s first; it takes about %s.", what, time);
}

/* Measures a run without tracing, and one with it. @name: as given; NULL: none was. */
static gboolean
measure_both (Explaining *explaining, const char *name, GError **error)
{
  g_autoptr (JsonObject) request = record_options_request (explaining->own, error);

  if (!request)
    return FALSE;
  json_object_set_string_member (request, "tracing", "both");
  json_object_set_boolean_member (request, "aligned", TRUE);
  json_object_remove_member (request, "captures");
  announce_runs (explaining, request, "without and with tracing", 2);
  return record (explaining, name ? name : "explain", "latencies", request, 0, NULL, error);
}

/* Measures a run with tracing beside that of @explanation. */
static gboolean
measure_traced (Explaining *explaining, const CulpritExplanation *explanation, GError **error)
{
  g_autoptr (JsonObject) request =
      may_record_like (explaining, explanation, error) ? request_like (explaining, explanation, error) : NULL;
  g_autoptr (JsonObject) explains = json_object_new ();
  g_autofree char *name = g_strdup_printf ("%s@traced", explanation->series);

  if (!request)
    return FALSE;
  json_object_set_string_member (request, "tracing", "on");
  json_object_remove_member (request, "captures");
  json_object_set_string_member (explains, "series", explanation->series);
  announce_runs (explaining, request, "with tracing", 1);
  return record (explaining, name, "latencies", request, 0, explains, error);
}

static guint
missing_of (const Explaining *explaining, const CulpritExplainedPeak *peak)
{
  return peak->wanted && peak->mapped && peak->captures->len < explaining->captures
             ? explaining->captures - peak->captures->len
             : 0;
}

/* How long that is expected to take. */
static double
expected_ns (const Explaining *explaining, const CulpritExplanation *explanation, const CulpritExplainedPeak *peak)
{
  double share = peak->traced_share > 0 ? peak->traced_share : peak->share;

  return missing_of (explaining, peak) * (double) explanation->period_ns / share;
}

/* The series that the captures of @peak go to. NULL with an error. The caller owns it. */
static char *
name_recording (const Explaining *explaining,
                const CulpritExplanation *explanation,
                const CulpritExplainedPeak *peak,
                GError **error)
{
  g_autofree char *at = culprit_time_format (peak->at_ns);
  g_auto (GStrv) words = g_strsplit (at, " ", -1);
  g_autofree char *compact = g_strjoinv ("", words);
  g_autofree char *name = g_strdup_printf ("%s@%s", explanation->series, compact);
  g_autoptr (CulpritStudy) study = NULL;

  if (peak->recording)
    return g_strdup (peak->recording);
  study = culprit_study_open (explaining->options->study, CULPRIT_STUDY_READ, error);
  return study ? culprit_study_new_run_name (study, name, error) : NULL;
}

static gboolean
record_peak (Explaining *explaining,
             const CulpritExplanation *explanation,
             const CulpritExplainedPeak *peak,
             GError **error)
{
  g_autoptr (JsonObject) request = request_like (explaining, explanation, error);
  g_autoptr (JsonObject) explains = json_object_new ();
  g_autofree char *at = culprit_time_format (peak->at_ns);
  g_autofree char *what = g_strdup_printf ("peak %u at %s", peak->number, at);
  g_autofree char *name = request ? name_recording (explaining, explanation, peak, error) : NULL;
  double limit_ns = PATIENCE * expected_ns (explaining, explanation, peak) + LEAST_LIMIT_NS;

  if (!name)
    return FALSE;
  json_object_set_string_member (request, "tracing", "on");
  if (!record_options_have (explaining->own, "calibrate")) /* The run with tracing was calibrated. */
    json_object_set_string_member (request, "calibrate", "skip");
  json_object_set_int_member (request, "captures", missing_of (explaining, peak));
  if (peak->traced.open)
    json_object_set_int_member (request, "threshold_ns", peak->traced.low_ns);
  else
    {
      json_object_set_int_member (request, "band_low_ns", peak->traced.low_ns);
      json_object_set_int_member (request, "band_high_ns", peak->traced.high_ns);
    }
  if (!record_options_have (explaining->own, "limit_ns"))
    json_object_set_int_member (request, "limit_ns", MIN (limit_ns, setting_find ("limit_ns")->most));
  json_object_set_string_member (explains, "series", explanation->series);
  json_object_set_int_member (explains, "at_ns", peak->at_ns);
  return record (explaining, name, what, request, peak->recorded + 1, explains, error);
}

/* The captures that are missing of those peaks of @explanation that are recorded now: the lowest, or all others. */
static guint
missing_now (const Explaining *explaining, const CulpritExplainedPeak *peak, gboolean lowest)
{
  return (peak->answer == CULPRIT_PEAK_LOWEST) == lowest ? missing_of (explaining, peak) : 0;
}

static gboolean
record_peaks (Explaining *explaining, const CulpritExplanation *explanation, gboolean lowest, GError **error)
{
  for (guint i = 0; i < explanation->peaks->len && !g_cancellable_is_cancelled (explaining->cancellable); i++)
    {
      const CulpritExplainedPeak *peak = culprit_explanation_peak (explanation, i);

      if (missing_now (explaining, peak, lowest) > 0 && !record_peak (explaining, explanation, peak, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_missing (const Explaining *explaining, const CulpritExplanation *explanation, gboolean lowest)
{
  for (guint i = 0; i < explanation->peaks->len; i++)
    if (missing_now (explaining, culprit_explanation_peak (explanation, i), lowest) > 0)
      return TRUE;
  return FALSE;
}

/* Says what is going to be recorded. */
static void
announce_peaks (const Explaining *explaining, const CulpritExplanation *explanation, gboolean lowest)
{
  g_autoptr (GString) words = g_string_new (NULL);
  g_autofree char *time = NULL;
  double all_ns = 0;

  for (guint i = 0; i < explanation->peaks->len; i++)
    {
      const CulpritExplainedPeak *peak = culprit_explanation_peak (explanation, i);
      g_autofree char *at = culprit_time_format (peak->at_ns);
      guint missing = missing_now (explaining, peak, lowest);

      if (missing == 0)
        continue;
      g_string_append_printf (words, "%s%u of peak %u at %s", words->len > 0 ? ", " : "", missing, peak->number, at);
      all_ns += expected_ns (explaining, explanation, peak);
    }
  time = culprit_long_time_format (all_ns);
  announce (explaining, "Recording captures: %s. It takes about %s of measuring, and the time to save each.",
            words->str, time);
}

static CulpritExplanation *
explain (const Explaining *explaining, GError **error)
{
  g_autoptr (CulpritStudy) study = culprit_study_open (explaining->options->study, CULPRIT_STUDY_READ, error);

  return study ? culprit_study_explanation (study, explaining->own->run, explaining->bands, error) : NULL;
}

/* Measures and records what is missing. NULL with an error. */
static CulpritExplanation *
complete (Explaining *explaining, GError **error)
{
  g_autoptr (CulpritExplanation) explanation = NULL;
  GError *problem = NULL;

  if (g_file_test (explaining->options->study, G_FILE_TEST_EXISTS))
    explanation = explain (explaining, &problem);
  if (!explanation && problem && !g_error_matches (problem, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND))
    {
      g_propagate_error (error, problem);
      return NULL;
    }
  g_clear_error (&problem);
  if (!explanation &&
      !(measure_both (explaining, explaining->own->run, error) && (explanation = explain (explaining, error))))
    return NULL;
  if (explanation->traced_n == 0 && !g_cancellable_is_cancelled (explaining->cancellable))
    {
      if (!measure_traced (explaining, explanation, error))
        return NULL;
      g_clear_pointer (&explanation, culprit_explanation_free);
      explanation = explain (explaining, error);
    }
  for (guint pass = 0; pass < 2 && explanation && !g_cancellable_is_cancelled (explaining->cancellable); pass++)
    {
      const gboolean lowest = pass == 1; /* Only the captures of the others tell whether it is needed. */

      if (!is_missing (explaining, explanation, lowest))
        continue;
      if (!may_record_like (explaining, explanation, error))
        return NULL;
      announce_peaks (explaining, explanation, lowest);
      if (!record_peaks (explaining, explanation, lowest, error))
        return NULL;
      g_clear_pointer (&explanation, culprit_explanation_free);
      explanation = explain (explaining, error);
    }
  return g_steal_pointer (&explanation);
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
  g_autoptr (JsonObject) request = NULL;
  g_autoptr (GArray) bands = NULL;
  g_autoptr (CulpritExplanation) explanation = NULL;
  g_autoptr (GCancellable) cancellable = NULL;
  GError *error = NULL;
  gint64 captures;
  int status;

  record_options_init_some (&own, "The run without tracing, or its series (default: the last)", used_settings);
  g_array_prepend_vals (own.entries, more, G_N_ELEMENTS (more));
  if (!command_parse (command, argc, argv, (const GOptionEntry *) (gpointer) own.entries->data, &options, &status))
    return status;
  if (options.rest[0])
    return command_complain ("culprit explain: unexpected argument \"%s\"; see culprit help explain", options.rest[0]);
  bands = texts ? read_bands (texts, &error) : NULL;
  target = error ? NULL : record_options_target (&own, &error);
  request = target ? record_options_request (&own, &error) : NULL;
  captures = request ? json_member_int (request, "captures", USUAL_CAPTURES) : 0;
  if (request && captures < CULPRIT_EXPLAIN_LEAST)
    g_set_error (&error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "--captures must be at least %d",
                 CULPRIT_EXPLAIN_LEAST);
  if (error)
    {
      g_prefix_error (&error, "explain: ");
      return command_fail (error);
    }
  cancellable = command_cancellable ();

  Explaining explaining = {
    &options, &own, bands, target, cancellable, json_member_int (request, "captures", USUAL_CAPTURES), NULL, 0
  };

  explanation = no_record ? explain (&explaining, &error) : complete (&explaining, &error);
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
