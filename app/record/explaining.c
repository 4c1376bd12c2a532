/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each stage asks the study again, which has what was recorded in the one before, or at another time. */
#include "explaining.h"

#include "blocks.h"
#include "capture/windows/probe.h"
#include "clean.h"
#include "json.h"
#include "request.h"
#include "units.h"

#include <string.h>

#define PATIENCE 20                /* times the time that captures are expected to take; then a recording ends */
#define LEAST_LIMIT_NS 60000000000 /* and not before this */

typedef struct
{
  const CulpritExplaining *explaining;
  const CulpritTarget *target;
  GCancellable *cancellable;
  const CulpritExplainingCalls *calls;
  gpointer data;
  CulpritRecordingResult *result;
  char *plan; /* not told yet; NULL: it was told */
} Sequence;

/* Records by @request what is called @what. @turn, @explains: as in CulpritRecordingOptions. */
static gboolean
record (Sequence *sequence,
        const char *name,
        const char *what,
        JsonObject *request,
        guint turn,
        JsonObject *explains,
        GError **error)
{
  const CulpritRecordingOptions options = { sequence->explaining->study, name, request, turn, explains };
  CulpritRecordingResult *all = sequence->result;
  CulpritRecordingResult result;
  gboolean good;

  sequence->calls->begin (sequence->plan, what, json_member_int (request, "captures", 0), sequence->data);
  g_clear_pointer (&sequence->plan, g_free);
  good = culprit_record (sequence->target, &options, sequence->cancellable, sequence->calls->event, sequence->data,
                         &result, error);
  all->runs += result.runs;
  all->captures += result.captures;
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

/* Whether it is said where, and with which load and probes, to record more like the run of @explanation: root makes
 * these in programs, and the study may be a stranger's. FALSE with an error. */
static gboolean
may_record_like (const Sequence *sequence, const CulpritExplanation *explanation, GError **error)
{
  g_autoptr (JsonObject) configuration = configuration_of (explanation);
  const char *load = configuration ? json_member_text (configuration, "load") : NULL;
  const char *between = configuration ? json_member_text (configuration, "between") : NULL;
  const char *given = json_member_text (sequence->explaining->settings, "between");
  const char *target = explanation->target;

  if (target && !g_str_equal (target, sequence->target->name))
    {
      g_autofree char *word = culprit_shell_word (target);

      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   "\"%s\" was measured on %s; record there with --target %s, or only judge with --no-record",
                   explanation->run, target, word);
      return FALSE;
    }
  if (load && !culprit_load_name (load) && !json_object_has_member (sequence->explaining->settings, "load"))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   "\"%s\" was measured with the load \"%s\"; give it, or another one, with --load", explanation->run,
                   load);
      return FALSE;
    }
  if (given ? g_strcmp0 (given, between) != 0 : between && probe_in (between))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   between ? "\"%s\" was measured between \"%s\"; give that with --between"
                           : "\"%s\" was not measured between events; leave out --between",
                   explanation->run, between);
      return FALSE;
    }
  return TRUE;
}

/* The request to record more like the run of @explanation; NULL: by the settings alone. The caller owns it. */
static JsonObject *
request_like (const CulpritExplaining *explaining, const CulpritExplanation *explanation)
{
  g_autoptr (JsonObject) configuration = explanation ? configuration_of (explanation) : NULL;
  JsonObject *request = json_object_new ();
  JsonObjectIter iterator;
  const char *key;
  JsonNode *node;

  json_object_iter_init (&iterator, explaining->settings);
  while (json_object_iter_next (&iterator, &key, &node))
    json_object_set_member (request, key, json_node_copy (node));
  if (configuration)
    culprit_request_like (request, configuration);
  culprit_request_complete (request);
  return request;
}

/* Latencies. */

static char *
plan_runs (JsonObject *request, const char *what, guint runs)
{
  g_autofree char *time = culprit_long_time_format (runs * culprit_block_duration_ns (request));

  return g_strdup_printf ("Measuring wake-ups %s first; it takes about %s.", what, time);
}

/* Measures a run without tracing, and one with it. */
static gboolean
measure_both (Sequence *sequence, GError **error)
{
  const char *name = sequence->explaining->run;
  g_autoptr (JsonObject) request = request_like (sequence->explaining, NULL);
  g_autofree char *plan = NULL;

  json_object_set_string_member (request, "tracing", "both");
  if (json_object_has_member (request, "period_ns"))
    json_object_set_boolean_member (request, "aligned", TRUE);
  json_object_remove_member (request, "captures");
  plan = plan_runs (request, "without and with tracing", 2);
  sequence->plan = name ? g_strdup_printf ("There is no run \"%s\" yet. %s", name, plan) : g_strdup (plan);
  return record (sequence, name ? name : "explain", "latencies", request, 0, NULL, error);
}

/* For a run with tracing beside that of @explanation. The caller owns it. */
static JsonObject *
request_traced (const CulpritExplaining *explaining, const CulpritExplanation *explanation)
{
  JsonObject *request = request_like (explaining, explanation);

  json_object_set_string_member (request, "tracing", "on");
  json_object_remove_member (request, "captures");
  return request;
}

static char *
plan_traced (const CulpritExplaining *explaining, const CulpritExplanation *explanation)
{
  g_autoptr (JsonObject) request = request_traced (explaining, explanation);

  return plan_runs (request, "with tracing", 1);
}

static gboolean
measure_traced (Sequence *sequence, const CulpritExplanation *explanation, GError **error)
{
  g_autoptr (JsonObject) request = request_traced (sequence->explaining, explanation);
  g_autoptr (JsonObject) explains = json_object_new ();
  g_autofree char *name = g_strdup_printf ("%s@traced", explanation->series);

  json_object_set_string_member (explains, "series", explanation->series);
  return record (sequence, name, "latencies", request, 0, explains, error);
}

/* Captures. */

/* How many are missing of @peak for those peaks that are recorded now: the lowest, or all others. */
static guint
missing_of (const CulpritExplaining *explaining, const CulpritExplainedPeak *peak, gboolean lowest)
{
  return (peak->answer == CULPRIT_PEAK_LOWEST) == lowest && peak->wanted && peak->mapped &&
                 peak->captures->len < explaining->captures
             ? explaining->captures - peak->captures->len
             : 0;
}

/* The time from one wake-up to the next; of other windows, at most: of how long they were counted. 0: not known. */
static double
interval_ns (const CulpritExplanation *explanation)
{
  g_autoptr (JsonObject) configuration = explanation->period_ns > 0 ? NULL : configuration_of (explanation);

  if (!configuration || explanation->n == 0)
    return explanation->period_ns;
  return (double) json_member_int (configuration, "limit_ns", 0) / explanation->n;
}

/* How long @missing captures are expected to take. 0: not known. */
static double
expected_ns (const CulpritExplanation *explanation, const CulpritExplainedPeak *peak, guint missing)
{
  double share = peak->traced_share > 0 ? peak->traced_share : peak->share;

  return missing * interval_ns (explanation) / share;
}

/* NULL: none are missing. The caller owns it. */
static char *
plan_peaks (const CulpritExplaining *explaining, const CulpritExplanation *explanation, gboolean lowest)
{
  g_autoptr (GString) words = g_string_new (NULL);
  g_autofree char *time = NULL;
  double all_ns = 0;

  for (guint i = 0; i < explanation->peaks->len; i++)
    {
      const CulpritExplainedPeak *peak = culprit_explanation_peak (explanation, i);
      g_autofree char *at = culprit_time_format (peak->at_ns);
      guint missing = missing_of (explaining, peak, lowest);

      if (missing == 0)
        continue;
      g_string_append_printf (words, "%s%u of peak %u at %s", words->len > 0 ? ", " : "", missing, peak->number, at);
      all_ns += expected_ns (explanation, peak, missing);
    }
  if (words->len == 0)
    return NULL;
  time = culprit_long_time_format (all_ns);
  return all_ns > 0
             ? g_strdup_printf ("Recording captures: %s. It takes about %s of measuring, and the time to save each.",
                                words->str, time)
             : g_strdup_printf ("Recording captures: %s.", words->str);
}

/* The series that the captures of @peak go to. The caller owns it. */
static char *
name_recording (const CulpritExplanation *explanation, const CulpritExplainedPeak *peak)
{
  g_autofree char *at = culprit_time_format (peak->at_ns);
  g_auto (GStrv) words = g_strsplit (at, " ", -1);
  g_autofree char *compact = g_strjoinv ("", words);

  return peak->recording ? g_strdup (peak->recording) : g_strdup_printf ("%s@%s", explanation->series, compact);
}

static gboolean
record_peak (Sequence *sequence,
             const CulpritExplanation *explanation,
             const CulpritExplainedPeak *peak,
             guint missing,
             GError **error)
{
  JsonObject *settings = sequence->explaining->settings;
  g_autoptr (JsonObject) request = request_like (sequence->explaining, explanation);
  g_autoptr (JsonObject) explains = json_object_new ();
  g_autofree char *at = culprit_time_format (peak->at_ns);
  g_autofree char *what = g_strdup_printf ("peak %u at %s", peak->number, at);
  g_autofree char *name = name_recording (explanation, peak);
  double limit_ns = PATIENCE * expected_ns (explanation, peak, missing) + LEAST_LIMIT_NS;

  json_object_set_string_member (request, "tracing", "on");
  /* The run with tracing was calibrated, if it was of cycles. */
  if (!json_object_has_member (settings, "calibrate") && json_object_has_member (request, "period_ns"))
    json_object_set_string_member (request, "calibrate", "skip");
  json_object_set_int_member (request, "captures", missing);
  if (peak->traced.open)
    json_object_set_int_member (request, "threshold_ns", peak->traced.low_ns);
  else
    {
      json_object_set_int_member (request, "band_low_ns", peak->traced.low_ns);
      json_object_set_int_member (request, "band_high_ns", peak->traced.high_ns);
    }
  if (!json_object_has_member (settings, "limit_ns"))
    json_object_set_int_member (request, "limit_ns", MIN (limit_ns, setting_find ("limit_ns")->most));
  json_object_set_string_member (explains, "series", explanation->series);
  json_object_set_int_member (explains, "at_ns", peak->at_ns);
  return record (sequence, name, what, request, peak->recorded + 1, explains, error);
}

static gboolean
record_peaks (Sequence *sequence, const CulpritExplanation *explanation, gboolean lowest, GError **error)
{
  for (guint i = 0; i < explanation->peaks->len && !g_cancellable_is_cancelled (sequence->cancellable); i++)
    {
      const CulpritExplainedPeak *peak = culprit_explanation_peak (explanation, i);
      guint missing = missing_of (sequence->explaining, peak, lowest);

      if (missing > 0 && !record_peak (sequence, explanation, peak, missing, error))
        return FALSE;
    }
  return TRUE;
}

/* All of them, in stages. */

typedef enum
{
  STAGE_TRACED,
  STAGE_PEAKS,
  STAGE_LOWEST, /* Only the captures of the others tell whether it is needed. */
  STAGES,
} Stage;

/* With what burdens the machine as it did before: the study may be a stranger's. NULL: nothing is missing. The caller
 * owns it. */
static char *
plan_stage (const CulpritExplaining *explaining, const CulpritExplanation *explanation, Stage stage)
{
  g_autoptr (JsonObject) request = request_like (explaining, explanation);
  g_autofree char *like = culprit_request_say_like (request, explaining->settings);
  g_autofree char *plan = stage != STAGE_TRACED        ? plan_peaks (explaining, explanation, stage == STAGE_LOWEST)
                          : explanation->traced_n == 0 ? plan_traced (explaining, explanation)
                                                       : NULL;

  return plan && like ? g_strdup_printf ("%s As that run was measured: %s.", plan, like) : g_steal_pointer (&plan);
}

char *
culprit_explaining_plan (const CulpritExplaining *explaining, const CulpritExplanation *explanation)
{
  char *plan = NULL;

  for (Stage stage = 0; stage < STAGES && !plan; stage++)
    plan = plan_stage (explaining, explanation, stage);
  return plan;
}

CulpritExplanation *
culprit_explaining_read (const CulpritExplaining *explaining, GError **error)
{
  g_autoptr (CulpritStudy) study = culprit_study_open (explaining->study, CULPRIT_STUDY_READ, error);

  return study ? culprit_study_explanation (study, explaining->run, explaining->bands, error) : NULL;
}

/* The explanation of the run, which is measured if the study has none. NULL with an error. */
static CulpritExplanation *
begin (Sequence *sequence, GError **error)
{
  CulpritExplanation *explanation = NULL;
  GError *problem = NULL;

  if (g_file_test (sequence->explaining->study, G_FILE_TEST_EXISTS))
    explanation = culprit_explaining_read (sequence->explaining, &problem);
  if (explanation)
    return explanation;
  if (problem && !g_error_matches (problem, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND))
    {
      g_propagate_error (error, problem);
      return NULL;
    }
  g_clear_error (&problem);
  return measure_both (sequence, error) ? culprit_explaining_read (sequence->explaining, error) : NULL;
}

CulpritExplanation *
culprit_explain (const CulpritExplaining *explaining,
                 const CulpritTarget *target,
                 GCancellable *cancellable,
                 const CulpritExplainingCalls *calls,
                 gpointer data,
                 CulpritRecordingResult *result,
                 GError **error)
{
  Sequence sequence = { explaining, target, cancellable, calls, data, result, NULL };
  g_autoptr (CulpritExplanation) explanation = NULL;
  gboolean good = TRUE;

  *result = (CulpritRecordingResult) { 0 };
  explanation = begin (&sequence, error);
  for (Stage stage = 0; stage < STAGES && explanation && !g_cancellable_is_cancelled (cancellable); stage++)
    {
      sequence.plan = plan_stage (explaining, explanation, stage);
      if (!sequence.plan)
        continue;
      good = may_record_like (&sequence, explanation, error) &&
             (stage == STAGE_TRACED ? measure_traced (&sequence, explanation, error)
                                    : record_peaks (&sequence, explanation, stage == STAGE_LOWEST, error));
      g_clear_pointer (&sequence.plan, g_free);
      g_clear_pointer (&explanation, culprit_explanation_free);
      explanation = good ? culprit_explaining_read (explaining, error) : NULL;
    }
  return g_steal_pointer (&explanation);
}
