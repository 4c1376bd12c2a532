/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recognises latency results and adds them up. Every number is checked: NaN, overflow and text are no latencies. */
#include "read.h"

#include "json-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_LATENCY 1e18 /* ns; 31 years */
#define MAX_FILE_BYTES (1ll << 30)
#define CYCLICTEST_DIGITS 6

G_DEFINE_QUARK (culprit - latency - error, culprit_latency_error)

typedef struct
{
  const char *path;
  gint64 unit_ns;
  CulpritLatencyFile *file;
  guint line; /* its number, for messages */
} Reader;

void
culprit_latency_file_free (CulpritLatencyFile *file)
{
  if (file->profile)
    culprit_profile_free (file->profile);
  g_free (file);
}

static gboolean G_GNUC_PRINTF (3, 4) damaged (const Reader *reader, GError **error, const char *text, ...)
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

static gboolean
add (const Reader *reader, double latency, double count, GError **error)
{
  double latency_ns = latency * reader->unit_ns;

  if (!isfinite (latency_ns) || fabs (latency_ns) > MAX_LATENCY)
    return damaged (reader, error, "a latency of %g is none", latency);
  if (!isfinite (count) || count < 0 || count != floor (count) || count > G_MAXINT64)
    return damaged (reader, error, "a count of %g is none", count);
  return culprit_profile_add (reader->file->profile, llround (latency_ns), count) ||
         damaged (reader, error, "more samples than can be counted");
}

/* The numbers of a line, at most @most of them. -1: it holds something else as well. */
static int
split_numbers (const char *line, double *numbers, int most)
{
  int n = 0;

  for (;;)
    {
      char *end;

      line += strspn (line, " \t,;\r");
      if (*line == '\0' || *line == '#')
        return n;
      if (n == most)
        return -1;
      numbers[n] = g_ascii_strtod (line, &end);
      if (end == line || (*end && !strchr (" \t,;\r", *end)))
        return -1;
      n++;
      line = end;
    }
}

/* "# Histogram Overflows: 00000 00001": samples that each thread had above the last line. */
static void
read_overflows (Reader *reader, const char *line)
{
  const char *found = strstr (line, "Histogram Overflows:");

  for (char *at = found ? (char *) found + strlen ("Histogram Overflows:") : NULL; at && *at;)
    {
      char *end;
      guint64 number = g_ascii_strtoull (at, &end, 10);

      if (end == at)
        return;
      reader->file->overflows += number;
      at = end;
    }
}

/* Calls @take for each line. */
static gboolean
each_line (Reader *reader, char *text, gboolean (*take) (Reader *reader, char *line, GError **error), GError **error)
{
  reader->line = 0;
  for (char *line = text; line;)
    {
      char *next = strchr (line, '\n');

      if (next)
        *next++ = '\0';
      reader->line++;
      if (!take (reader, line, error))
        return FALSE;
      line = next;
    }
  return TRUE;
}

/* A latency and, for each thread, how often it occurred. */
static gboolean
take_table_line (Reader *reader, char *line, GError **error)
{
  double numbers[1024];
  int n = split_numbers (line, numbers, G_N_ELEMENTS (numbers));

  read_overflows (reader, line);
  if (n == 0)
    return TRUE;
  if (n < 2)
    return damaged (reader, error, "expected a latency and its count, found \"%.40s\"", line);
  for (int i = 1; i < n; i++)
    if (!add (reader, numbers[0], numbers[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
take_sample_line (Reader *reader, char *line, GError **error)
{
  double number;
  int n = split_numbers (line, &number, 1);

  if (n == 0)
    return TRUE;
  return n == 1 ? add (reader, number, 1, error) : damaged (reader, error, "expected a latency, found \"%.40s\"", line);
}

/* cyclictest --json: "thread": {"0": {"histogram": {"7": 12}}}, in us. */
static gboolean
read_json (Reader *reader, const char *text, gsize length, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonNode *root;
  JsonNode *threads;
  g_autoptr (GList) names = NULL;

  if (!json_parser_load_from_data (parser, text, length, NULL) || !(root = json_parser_get_root (parser)) ||
      !JSON_NODE_HOLDS_OBJECT (root) || !(threads = json_object_get_member (json_node_get_object (root), "thread")) ||
      !JSON_NODE_HOLDS_OBJECT (threads))
    return FALSE;
  reader->file->format = "cyclictest JSON";
  reader->unit_ns = reader->file->profile->width_ns = 1000;
  names = json_object_get_members (json_node_get_object (threads));
  for (GList *name = names; name; name = name->next)
    {
      JsonNode *thread = json_object_get_member (json_node_get_object (threads), name->data);
      JsonNode *histogram =
          JSON_NODE_HOLDS_OBJECT (thread) ? json_object_get_member (json_node_get_object (thread), "histogram") : NULL;
      g_autoptr (GList) latencies = NULL;

      if (!histogram || !JSON_NODE_HOLDS_OBJECT (histogram))
        return damaged (reader, error, "thread %s has no histogram", (const char *) name->data);
      latencies = json_object_get_members (json_node_get_object (histogram));
      for (GList *latency = latencies; latency; latency = latency->next)
        if (!add (reader, g_ascii_strtod (latency->data, NULL),
                  json_member_int (json_node_get_object (histogram), latency->data, -1), error))
          return FALSE;
    }
  return TRUE;
}

/* The first line that holds numbers. The caller owns it; NULL: there is none. */
static char *
first_line (const char *text)
{
  while (text && *text)
    {
      gsize length = strcspn (text, "\n");
      double numbers[1024];
      g_autofree char *line = g_strndup (text, MIN (length, 8192));

      if (split_numbers (line, numbers, G_N_ELEMENTS (numbers)) > 0)
        return g_steal_pointer (&line);
      text += length + (text[length] == '\n');
    }
  return NULL;
}

static gboolean
unknown (const Reader *reader, GError **error)
{
  g_set_error (
      error, CULPRIT_LATENCY_ERROR, CULPRIT_LATENCY_ERROR_UNKNOWN,
      "%s: neither a capture nor a latency result; expected cyclictest -h or --json, a table of latency and count, "
      "or a latency on each line",
      reader->path);
  return FALSE;
}

static gboolean
read_text (Reader *reader, char *text, gsize length, GError **error)
{
  g_autofree char *first = NULL;
  double numbers[1024];
  int columns;
  GError *problem = NULL;

  if (strlen (text) != length)
    return unknown (reader, error);
  if (text[strspn (text, " \t\r\n")] == '{')
    {
      if (read_json (reader, text, length, &problem))
        return TRUE;
      if (!problem)
        return unknown (reader, error);
      g_propagate_error (error, problem);
      return FALSE;
    }
  first = first_line (text);
  columns = first ? split_numbers (first, numbers, G_N_ELEMENTS (numbers)) : 0;
  if (columns == 0)
    return unknown (reader, error);
  if (columns == 1)
    {
      reader->file->format = "a latency on each line";
      return each_line (reader, text, take_sample_line, error);
    }
  reader->file->format = strspn (first, "0123456789") == CYCLICTEST_DIGITS ? "cyclictest histogram" : "table";
  reader->file->profile->width_ns = reader->unit_ns;
  return each_line (reader, text, take_table_line, error);
}

/* Devices have no end, and no latency result is as long as a capture. */
static gboolean
is_readable (const char *path, GError **error)
{
  struct stat status;

  if (stat (path, &status) == 0 && S_ISREG (status.st_mode) && status.st_size <= MAX_FILE_BYTES)
    return TRUE;
  g_set_error (error, CULPRIT_LATENCY_ERROR, CULPRIT_LATENCY_ERROR_UNKNOWN,
               "%s: neither a capture nor a latency result of up to 1 GB", path);
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
  if (file->profile->n > 0)
    return g_steal_pointer (&file);
  g_set_error (error, CULPRIT_LATENCY_ERROR, CULPRIT_LATENCY_ERROR_DAMAGED, "%s: holds no latencies", path);
  return NULL;
}
