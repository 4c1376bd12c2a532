/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What cyclictest --json, oslat --json and jitterdebugger write: a histogram for each thread or CPU. */
#include "json-bounded.h"
#include "json-private.h"
#include "read-private.h"

#include <math.h>

#define NS_PER_US 1000
#define NS_PER_S 1000000000

static double
member_double (JsonObject *thread, const char *name, double otherwise)
{
  JsonNode *node = json_object_get_member (thread, name);
  GType type = node && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_INVALID;

  return type == G_TYPE_DOUBLE || type == G_TYPE_INT64 ? json_node_get_double (node) : otherwise;
}

/* The row of oslat's histogram that counts what is longer, too; NULL: there is nothing longer. */
static const char *
find_last_row (JsonObject *thread, GList *latencies)
{
  const char *last = NULL;
  double last_us = -1;

  if (!json_object_has_member (thread, "freq"))
    return NULL;
  for (GList *latency = latencies; latency; latency = latency->next)
    if (g_ascii_strtod (latency->data, NULL) > last_us)
      {
        last = latency->data;
        last_us = g_ascii_strtod (last, NULL);
      }
  return member_double (thread, "max", 0) > last_us ? last : NULL;
}

/* {"7": 12, "8": 3} without the row @above. */
static gboolean
read_histogram (Reader *reader, JsonObject *histogram, GList *latencies, const char *above, GError **error)
{
  for (GList *latency = latencies; latency; latency = latency->next)
    {
      char *end;
      double number = g_ascii_strtod (latency->data, &end);

      if (end == latency->data || *end)
        return reader_damaged (reader, error, "\"%.40s\" in a histogram is not a valid latency",
                               (const char *) latency->data);
      if (latency->data != above &&
          !reader_add (reader, reader->threads, number, json_member_int (histogram, latency->data, -1), error))
        return FALSE;
    }
  return TRUE;
}

/* {"histogram": {"7": 12}, "count": 12} */
static gboolean
read_thread (Reader *reader, JsonNode *node, GError **error)
{
  JsonObject *thread = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  JsonNode *member = thread ? json_object_get_member (thread, "histogram") : NULL;
  JsonObject *histogram = member && JSON_NODE_HOLDS_OBJECT (member) ? json_node_get_object (member) : NULL;
  g_autoptr (GList) latencies = histogram ? json_object_get_members (histogram) : NULL;
  guint64 before = reader->threads->profile->n;
  const char *above = latencies ? find_last_row (thread, latencies) : NULL;
  ThreadTold told;

  if (!histogram)
    return reader_without_histogram (reader, READ_ADVICE, error);
  if (json_object_has_member (thread, "freq"))
    reader->file->format = "oslat JSON";
  if (!read_histogram (reader, histogram, latencies, above, error))
    return FALSE;
  told = (ThreadTold) { .n = MAX (member_double (thread, "cycles", 0), member_double (thread, "count", 0)),
                        .min = member_double (thread, "min", NAN),
                        .mean = member_double (thread, "avg", NAN),
                        .max = member_double (thread, "max", NAN) };
  if (above)
    told.n = reader->threads->profile->n - before + json_member_int (histogram, above, 0);
  told.above = told.n - (reader->threads->profile->n - before);
  reader_tell (reader, reader->threads, &told);
  return TRUE;
}

/* Both tell "resolution_in_ns", jitterdebugger in "sysinfo". cyclictest says 0 where it means us, older ones nothing.
 */
static gboolean
read_resolution (Reader *reader, JsonObject *root, GError **error)
{
  JsonNode *sysinfo = json_object_get_member (root, "sysinfo");
  JsonNode *resolution = json_object_get_member (root, "resolution_in_ns");
  gint64 unit_ns = 0;

  if (!resolution && sysinfo && JSON_NODE_HOLDS_OBJECT (sysinfo))
    resolution = json_object_get_member (json_node_get_object (sysinfo), "resolution_in_ns");
  if (resolution)
    unit_ns = JSON_NODE_HOLDS_VALUE (resolution) && json_node_get_value_type (resolution) == G_TYPE_INT64
                  ? json_node_get_int (resolution)
                  : -1;
  if (unit_ns < 0 || unit_ns > NS_PER_S)
    return reader_damaged (reader, error, "\"resolution_in_ns\" is not a number of ns up to one second");
  reader->unit_ns = reader->threads->profile->width_ns = unit_ns > 0 ? unit_ns : NS_PER_US;
  return TRUE;
}

gboolean
read_json (Reader *reader, const char *text, gsize length, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (JsonNode) root = json_parse_bounded (text, length, JSON_LONGEST_FILE, &problem);
  JsonNode *threads;
  g_autoptr (GList) names = NULL;

  if (g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_MESSAGE_TOO_LARGE))
    return reader_damaged (reader, error, "%s", problem->message);
  if (!root || !JSON_NODE_HOLDS_OBJECT (root))
    return FALSE;
  threads = json_object_get_member (json_node_get_object (root), "thread");
  reader->file->format = threads ? "cyclictest JSON" : "jitterdebugger JSON";
  threads = threads ? threads : json_object_get_member (json_node_get_object (root), "cpu");
  if (!threads || !JSON_NODE_HOLDS_OBJECT (threads))
    return FALSE;
  if (!read_resolution (reader, json_node_get_object (root), error))
    return FALSE;
  names = json_object_get_members (json_node_get_object (threads));
  for (GList *name = names; name; name = name->next)
    if (!read_thread (reader, json_object_get_member (json_node_get_object (threads), name->data), error))
      return FALSE;
  return reader->threads->profile->n > 0 || reader_without_histogram (reader, READ_ADVICE, error);
}
