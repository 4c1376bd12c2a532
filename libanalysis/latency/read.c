/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recognises latency results and adds them up. Every number is checked: NaN, overflow and text are no latencies. */
#include "read-private.h"

#include "json-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_LATENCY 1e18 /* ns; 31 years */
#define MAX_FILE_BYTES (1ll << 30)

G_DEFINE_QUARK (culprit - latency - error, culprit_latency_error)

static void
clear_summary (gpointer data)
{
  g_free (((CulpritNamedSummary *) data)->name);
}

void
culprit_latency_file_free (CulpritLatencyFile *file)
{
  culprit_profile_free (file->profile);
  g_array_unref (file->summaries);
  g_free (file);
}

gboolean
reader_damaged (const Reader *reader, GError **error, const char *text, ...)
{
  va_list arguments;
  g_autofree char *message = NULL;

  va_start (arguments, text);
  message = g_strdup_vprintf (text, arguments);
  va_end (arguments);
  g_set_error (error, CULPRIT_LATENCY_ERROR, CULPRIT_LATENCY_ERROR_DAMAGED, "%s: line %u: %s", reader->path,
               reader->line, message);
  return FALSE;
}

gboolean
reader_add_summary (const Reader *reader, const char *name, const CulpritSummary *summary, GError **error)
{
  CulpritNamedSummary named = { NULL,
                                { summary->mean_ns * reader->unit_ns, summary->sd_ns * reader->unit_ns, summary->n } };

  if (!isfinite (summary->mean_ns) || !isfinite (summary->sd_ns) || summary->sd_ns < 0 || !(summary->n >= 2) ||
      summary->n != floor (summary->n) || summary->n > MAX_LATENCY)
    return reader_damaged (reader, error, "%g, %g, %g are no mean, standard deviation and number of latencies",
                           summary->mean_ns, summary->sd_ns, summary->n);
  named.name = *name ? g_strdup (name) : NULL;
  g_array_append_val (reader->file->summaries, named);
  return TRUE;
}

gboolean
reader_add (const Reader *reader, double latency, double count, GError **error)
{
  double latency_ns = latency * reader->unit_ns;

  if (!isfinite (latency_ns) || fabs (latency_ns) > MAX_LATENCY)
    return reader_damaged (reader, error, "a latency of %g is none", latency);
  if (!isfinite (count) || count < 0 || count != floor (count) || count > (double) G_MAXINT64)
    return reader_damaged (reader, error, "a count of %g is none", count);
  return culprit_profile_add (reader->file->profile, llround (latency_ns), count) ||
         reader_damaged (reader, error, "more samples than can be counted");
}

/* cyclictest --json: "thread": {"0": {"histogram": {"7": 12}}}, in us; jitterdebugger the same with "cpu". */
static gboolean
read_json (Reader *reader, const char *text, gsize length, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonNode *root;
  JsonNode *threads;
  g_autoptr (GList) names = NULL;

  if (!json_parser_load_from_data (parser, text, length, NULL) || !(root = json_parser_get_root (parser)) ||
      !JSON_NODE_HOLDS_OBJECT (root))
    return FALSE;
  threads = json_object_get_member (json_node_get_object (root), "thread");
  reader->file->format = threads ? "cyclictest JSON" : "jitterdebugger JSON";
  threads = threads ? threads : json_object_get_member (json_node_get_object (root), "cpu");
  if (!threads || !JSON_NODE_HOLDS_OBJECT (threads))
    return FALSE;
  reader->unit_ns = reader->file->profile->width_ns = 1000;
  names = json_object_get_members (json_node_get_object (threads));
  for (GList *name = names; name; name = name->next)
    {
      JsonNode *thread = json_object_get_member (json_node_get_object (threads), name->data);
      JsonNode *histogram =
          JSON_NODE_HOLDS_OBJECT (thread) ? json_object_get_member (json_node_get_object (thread), "histogram") : NULL;
      g_autoptr (GList) latencies = NULL;
      guint64 before;
      gint64 cycles;

      if (!histogram || !JSON_NODE_HOLDS_OBJECT (histogram))
        return reader_damaged (reader, error, "thread %s has no histogram", (const char *) name->data);
      latencies = json_object_get_members (json_node_get_object (histogram));
      before = reader->file->profile->n;
      for (GList *latency = latencies; latency; latency = latency->next)
        {
          char *end;
          double number = g_ascii_strtod (latency->data, &end);

          if (end == latency->data || *end)
            return reader_damaged (reader, error, "\"%.40s\" in a histogram is no latency",
                                   (const char *) latency->data);
          if (!reader_add (reader, number, json_member_int (json_node_get_object (histogram), latency->data, -1),
                           error))
            return FALSE;
        }
      cycles = json_member_int (json_node_get_object (thread), "cycles", 0);
      reader->file->overflows += MAX (cycles - (gint64) (reader->file->profile->n - before), 0);
    }
  return TRUE;
}

static gboolean
unknown (const Reader *reader, GError **error)
{
  g_set_error (
      error, CULPRIT_LATENCY_ERROR, CULPRIT_LATENCY_ERROR_UNKNOWN,
      "%s: neither a capture nor a latency result; expected the output of cyclictest (-h, -v, --json), stress-ng "
      "--cyclic, rtla hist or jitterdebugger, a table of latency and count, a latency on each line, or mean, standard "
      "deviation and number",
      reader->path);
  return FALSE;
}

/* stress-ng --yaml tells how many wake-ups there were, and nothing of how late they came. */
static gboolean
is_stress_ng_yaml (const char *text)
{
  return g_str_has_prefix (text, "---") && strstr (text, "stress-ng-version:");
}

static gboolean
read_text (Reader *reader, char *text, gsize length, GError **error)
{
  GError *problem = NULL;
  gboolean good;

  if (strlen (text) != length)
    return unknown (reader, error);
  if (is_stress_ng_yaml (text))
    return reader_damaged (reader, error,
                           "stress-ng's YAML holds no latencies; keep what it prints, with --cyclic-dist 1000");
  good = text[strspn (text, " \t\r\n")] == '{' ? read_json (reader, text, length, &problem)
                                               : read_lines (reader, text, &problem);
  if (good)
    return TRUE;
  if (!problem)
    return unknown (reader, error);
  g_propagate_error (error, problem);
  return FALSE;
}

/* Devices have no end, and no latency result is as long as a capture. */
static gboolean
is_readable (const char *path, GError **error)
{
  struct stat status;

  if (stat (path, &status) == 0 && S_ISREG (status.st_mode) && status.st_size <= MAX_FILE_BYTES)
    return TRUE;
  g_set_error (error, CULPRIT_LATENCY_ERROR, CULPRIT_LATENCY_ERROR_UNKNOWN,
               "%s: neither a capture nor a latency result of up to 1 GB in a regular file", path);
  return FALSE;
}

CulpritLatencyFile *
culprit_latency_read (const char *path, gint64 unit_ns, GError **error)
{
  g_autoptr (CulpritLatencyFile) file = g_new0 (CulpritLatencyFile, 1);
  Reader reader = { .path = path, .unit_ns = unit_ns, .file = file };
  g_autofree char *text = NULL;
  GError *problem = NULL;
  gsize length;

  file->profile = culprit_profile_new (1);
  file->summaries = g_array_new (FALSE, FALSE, sizeof (CulpritNamedSummary));
  g_array_set_clear_func (file->summaries, clear_summary);
  if (!is_readable (path, error))
    return NULL;
  if (!g_file_get_contents (path, &text, &length, &problem))
    {
      g_set_error (error, CULPRIT_LATENCY_ERROR, CULPRIT_LATENCY_ERROR_OPEN, "%s: cannot be read: %s", path,
                   problem->message);
      g_error_free (problem);
      return NULL;
    }
  if (!read_text (&reader, text, length, error))
    return NULL;
  culprit_profile_finish (file->profile);
  if (file->profile->n > 0 || file->summaries->len > 0)
    return g_steal_pointer (&file);
  g_set_error (error, CULPRIT_LATENCY_ERROR, CULPRIT_LATENCY_ERROR_DAMAGED, "%s: holds no latencies", path);
  return NULL;
}
