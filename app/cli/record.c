/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit record */
#include "record/recording.h"

#include "json-private.h"
#include "print.h"
#include "record-options.h"
#include "target-options.h"
#include "units.h"

#include <glib/gprintf.h>
#include <unistd.h>

/* What is shown while it goes on. */
typedef struct
{
  Format format;
  gboolean live;       /* a line is on the terminal */
  const char *tracing; /* of the present run */
  gint64 wanted;       /* captures */
} Show;

static void
clear_live (Show *show)
{
  if (show->live)
    g_fprintf (stderr, "\r\033[K");
  show->live = FALSE;
}

/* A line that stays. */
static void G_GNUC_PRINTF (2, 3) say (Show *show, const char *text, ...)
{
  va_list arguments;

  clear_live (show);
  va_start (arguments, text);
  g_vprintf (text, arguments);
  va_end (arguments);
  g_print ("\n");
  fflush (stdout);
}

/* "1170 cycles, min 17.4 us, mean 24.8 us, max 364.2 us, 35 hits". The caller owns it. */
static char *
describe_latencies (JsonObject *line)
{
  g_autofree char *min = culprit_time_format (json_member_int (line, "min_ns", 0));
  g_autofree char *mean = culprit_time_format (json_member_int (line, "mean_ns", 0));
  g_autofree char *max = culprit_time_format (json_member_int (line, "max_ns", 0));

  return g_strdup_printf ("%" G_GINT64_FORMAT " cycles, min %s, mean %s, max %s, %" G_GINT64_FORMAT " hits",
                          json_member_int (line, "cycles", 0), min, mean, max, json_member_int (line, "hits", 0));
}

static void
show_progress (Show *show, JsonObject *line)
{
  g_autofree char *latencies = describe_latencies (line);

  if (!isatty (STDERR_FILENO) || json_member_int (line, "cycles", 0) == 0)
    return;
  g_fprintf (stderr, "\r\033[Ktracing %s: %s", show->tracing, latencies);
  if (show->wanted > 0)
    g_fprintf (stderr, ", %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " captures", json_member_int (line, "captures", 0),
               show->wanted);
  show->live = TRUE;
}

static void
show_calibration (Show *show, JsonObject *line)
{
  g_autofree char *median = culprit_time_format (json_member_int (line, "latency_median_ns", 0));
  g_autofree char *shortest = culprit_time_format (json_member_int (line, "shortest_period_ns", 0));

  say (show, "Under tracing a wake-up takes %s here; the shortest sound period is %s.", median, shortest);
}

static void
show_imported (Show *show, JsonObject *line)
{
  g_autofree char *latency = culprit_time_format (json_member_int (line, "latency_ns", 0));
  const char *warning = json_member_text (line, "warning");

  say (show, "Capture %" G_GINT64_FORMAT ": %s late, beside %" G_GINT64_FORMAT " ordinary wake-ups%s%s",
       json_member_int (line, "capture", 0), latency, json_member_int (line, "ordinary_windows", 0),
       warning ? "; " : ".", warning ? warning : "");
}

static void
show_run_end (Show *show, JsonObject *line)
{
  g_autofree char *latencies = describe_latencies (line);
  gint64 faults = json_member_int (line, "page_faults", 0);

  say (show, "Run %" G_GINT64_FORMAT ", tracing %s: %s; %" G_GINT64_FORMAT " late, %" G_GINT64_FORMAT " missed.",
       json_member_int (line, "run", 0), show->tracing, latencies, json_member_int (line, "late", 0),
       json_member_int (line, "missed", 0));
  if (faults > 0)
    say (show, "The measuring threads had %" G_GINT64_FORMAT " page faults, which should be none.", faults);
}

static void
print_line (JsonObject *line)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), line);
  g_autofree char *text = json_to_string (node, FALSE);

  g_print ("%s\n", text);
  fflush (stdout);
}

static void
on_event (JsonObject *line, gpointer data)
{
  Show *show = data;
  const char *type = json_member_text (line, "type");

  if (g_str_equal (type, "samples"))
    return;
  if (g_str_equal (type, "run"))
    show->tracing = g_strcmp0 (json_member_text (line, "tracing"), "on") == 0 ? "on" : "off";
  if (show->format == FORMAT_JSON)
    print_line (line);
  else if (g_str_equal (type, "progress"))
    show_progress (show, line);
  else if (g_str_equal (type, "calibration"))
    show_calibration (show, line);
  else if (g_str_equal (type, "imported"))
    show_imported (show, line);
  else if (g_str_equal (type, "run-end"))
    show_run_end (show, line);
  else if (g_str_equal (type, "note"))
    say (show, "Note: %s", json_member_text (line, "text") ? json_member_text (line, "text") : "");
}

static void
print_result (const Options *options, const CulpritRecordingResult *result)
{
  const char *text = culprit_recording_reason (result->reason);

  if (!result->name)
    g_print ("Nothing was recorded%s%s.\n", text ? ": " : "", text ? text : "");
  else
    g_print ("%s: run %s, %u capture%s%s%s.\n", options->study, result->name, result->captures,
             result->captures == 1 ? "" : "s", text ? "; " : "", text ? text : "");
}

static int
record (const Options *options, const char *name, const CulpritTarget *target, JsonObject *request)
{
  const CulpritRecordingOptions recording = { options->study, name, request };
  g_autoptr (GCancellable) cancellable = command_cancellable ();
  Show show = { .format = options->format, .tracing = "off", .wanted = json_member_int (request, "captures", 0) };
  CulpritRecordingResult result;
  GError *error = NULL;
  gboolean good = culprit_record (target, &recording, cancellable, on_event, &show, &result, &error);

  clear_live (&show);
  if (options->format != FORMAT_JSON && (good || result.runs > 0))
    print_result (options, &result);
  culprit_recording_result_clear (&result);
  if (!good)
    return command_fail (error);
  return g_cancellable_is_cancelled (cancellable) ? EXIT_CANCELLED : EXIT_DONE;
}

int
command_record (int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_auto (TargetOptions) target_options = { 0 };
  g_auto (CulpritRequestOptions) record_options;
  g_autofree GOptionEntry *own = NULL;
  g_autofree GOptionEntry *entries = NULL;
  g_autoptr (CulpritTarget) target = NULL;
  g_autoptr (JsonObject) request = NULL;
  GError *error = NULL;
  int status;

  culprit_request_options_init (&record_options);
  own = record_options_entries (&record_options);
  entries = target_options_entries (&target_options, own);
  if (!command_parse ("record", argc, argv, entries, &options, &status))
    return status;
  target = target_options_read (&target_options, &error);
  request = target ? record_options_read (&record_options, &error) : NULL;
  if (!request)
    {
      g_prefix_error (&error, "record: ");
      return command_fail (error);
    }
  return record (&options, record_options.run, target, request);
}
