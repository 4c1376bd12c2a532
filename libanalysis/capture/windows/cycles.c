/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads logs of captures: the recorder's line of type "capture", saved as a file. */
#include "cycles.h"

#include "files.h"
#include "json.h"
#include "measured.h"

#define LATEST_NS ((gint64) 1 << 61)

void
culprit_cycles_free (CulpritCycles *cycles)
{
  g_array_unref (cycles->cycles);
  g_free (cycles->delays);
  g_free (cycles->measured);
  g_free (cycles->graph_functions);
  g_free (cycles);
}

char *
culprit_cycles_path (const char *path)
{
  gsize length = strlen (path) - (g_str_has_suffix (path, ".dat") ? strlen (".dat") : 0);

  return g_strdup_printf ("%.*s.json", (int) length, path);
}

/* A time or another number within sensible limits, not negative. */
static gboolean
read_number (JsonObject *object, const char *name, guint64 *number)
{
  gint64 value = json_member_int (object, name, -1);

  *number = MAX (value, 0);
  return value >= 0 && value < LATEST_NS;
}

static gboolean
is_integer (JsonNode *node)
{
  return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_INT64;
}

/* Adds the cycle [expected, observed], which must follow the last. */
static gboolean
add_cycle (CulpritCycles *cycles, JsonNode *node)
{
  JsonArray *pair = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  const CulpritCycle *last =
      cycles->cycles->len > 0 ? &g_array_index (cycles->cycles, CulpritCycle, cycles->cycles->len - 1) : NULL;
  CulpritCycle cycle;

  if (!pair || json_array_get_length (pair) != 2 || !is_integer (json_array_get_element (pair, 0)) ||
      !is_integer (json_array_get_element (pair, 1)))
    return FALSE;
  cycle.expected_ns = json_array_get_int_element (pair, 0);
  cycle.observed_ns = json_array_get_int_element (pair, 1);
  if (cycle.expected_ns > (guint64) LATEST_NS || cycle.observed_ns > (guint64) LATEST_NS ||
      (last && cycle.expected_ns <= last->expected_ns))
    return FALSE;
  g_array_append_val (cycles->cycles, cycle);
  return TRUE;
}

static gboolean
read_cycles (CulpritCycles *cycles, JsonObject *object)
{
  JsonNode *node = json_object_get_member (object, "cycles");
  JsonArray *list = node && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;

  for (guint i = 0; list && i < json_array_get_length (list); i++)
    if (!add_cycle (cycles, json_array_get_element (list, i)))
      return FALSE;
  return cycles->cycles->len > 0;
}

/* The hit must be the last cycle. */
static gboolean
read_hit (CulpritCycles *cycles, JsonObject *object)
{
  JsonNode *node = json_object_get_member (object, "hit");
  JsonObject *hit = node && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  const CulpritCycle *last = &g_array_index (cycles->cycles, CulpritCycle, cycles->cycles->len - 1);
  guint64 cpu;
  guint64 pid;
  CulpritCycle cycle;

  if (!hit || !read_number (hit, "cpu", &cpu) || !read_number (hit, "pid", &pid) ||
      !read_number (hit, "cycle", &cycles->hit_cycle) || !read_number (hit, "expected_ns", &cycle.expected_ns) ||
      !read_number (hit, "observed_ns", &cycle.observed_ns) || cpu > G_MAXUINT16 || pid > G_MAXINT32)
    return FALSE;
  cycles->cpu = cpu;
  cycles->pid = pid;
  return cycle.expected_ns == last->expected_ns && cycle.observed_ns == last->observed_ns &&
         cycle.observed_ns > cycle.expected_ns;
}

/* The texts of the list @name, separated by commas; NULL if there are none. The caller owns the result. */
static char *
read_names (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);
  JsonArray *list = node && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  GString *names = g_string_new (NULL);

  for (guint i = 0; list && i < json_array_get_length (list); i++)
    {
      JsonNode *element = json_array_get_element (list, i);

      if (JSON_NODE_HOLDS_VALUE (element) && json_node_get_value_type (element) == G_TYPE_STRING)
        g_string_append_printf (names, "%s%s", names->len > 0 ? "," : "", json_node_get_string (element));
    }
  return g_string_free (names, names->len == 0);
}

/* Reads what was traced. */
static void
read_settings (CulpritCycles *cycles, JsonObject *object)
{
  gint64 depth = json_member_int (object, "max_depth", -1);
  g_autofree char *without = read_names (object, "graph_notrace");

  cycles->settings_known = depth >= 0 && depth <= G_MAXINT;
  if (!cycles->settings_known)
    return;
  cycles->graph_depth = depth;
  cycles->graph_functions = read_names (object, "graph_functions");
  if (!cycles->graph_functions && without)
    cycles->graph_functions = g_strconcat ("all but ", without, NULL);
}

/* Reads what the windows are, if they are not cycles. */
static gboolean
read_definition (CulpritCycles *cycles, JsonObject *object)
{
  const char *text = json_member_text (object, "window");
  g_autoptr (CulpritMeasured) measured = text ? culprit_measured_parse (text, NULL) : NULL;

  if (measured && measured->kind != CULPRIT_MEASURED_CYCLES)
    cycles->measured = g_strdup (text);
  return !text || measured;
}

/* The threshold, or the band. */
static gboolean
read_trigger (CulpritCycles *cycles, JsonObject *object)
{
  if (read_number (object, "threshold_ns", &cycles->trigger_ns))
    return TRUE;
  read_number (object, "band_high_ns", &cycles->band_high_ns);
  return read_number (object, "band_low_ns", &cycles->trigger_ns);
}

/* The window that the kernel found late, as far as the log has it. */
static gboolean
read_late (CulpritCycles *cycles, JsonObject *object)
{
  JsonNode *node = json_object_get_member (object, "hit");
  JsonObject *hit = node && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  guint64 pid;

  cycles->pid = -1;
  if (hit)
    {
      read_number (hit, "latency_ns", &cycles->late_ns);
      read_number (hit, "observed_ns", &cycles->late_end_ns);
    }
  if (cycles->late_ns > 0 &&
      (cycles->late_ns < cycles->trigger_ns || (cycles->band_high_ns > 0 && cycles->late_ns > cycles->band_high_ns)))
    return FALSE;
  if (!node || (hit && !json_object_has_member (hit, "pid"))) /* Between events there need be none. */
    return TRUE;
  if (!hit || !read_number (hit, "pid", &pid) || pid > G_MAXINT32)
    return FALSE;
  cycles->pid = pid;
  return TRUE;
}

static gboolean
read_all (CulpritCycles *cycles, JsonObject *object)
{
  cycles->delays = json_whole_object (json_object_get_member (object, "delays"));
  read_settings (cycles, object);
  cycles->smi_count = json_member_int (object, "smi", -1);
  cycles->steal_ns = json_member_int (object, "steal_ns", -1);
  if (!read_definition (cycles, object) || !read_trigger (cycles, object))
    return FALSE;
  read_number (object, "needed_kb", &cycles->needed_kb);
  if (cycles->measured)
    return read_late (cycles, object);
  return read_number (object, "period_ns", &cycles->period_ns) && cycles->period_ns > 0 &&
         read_number (object, "needed_kb", &cycles->needed_kb) && read_cycles (cycles, object) &&
         read_hit (cycles, object);
}

static CulpritCycles *
damaged (const char *path, const char *how, GError **error)
{
  g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_DAMAGED,
               "%s: damaged (%s); move it away to import the capture without it", path, how);
  return NULL;
}

CulpritCycles *
culprit_cycles_from_json (JsonNode *root, const char *path, GError **error)
{
  g_autoptr (CulpritCycles) cycles = NULL;

  if (!JSON_NODE_HOLDS_OBJECT (root) || !json_object_has_member (json_node_get_object (root), "culprit_cycles"))
    return NULL;
  cycles = g_new0 (CulpritCycles, 1);
  cycles->cycles = g_array_new (FALSE, FALSE, sizeof (CulpritCycle));
  if (read_all (cycles, json_node_get_object (root)))
    return g_steal_pointer (&cycles);
  return damaged (path, "its cycles are not consistent", error);
}

CulpritCycles *
culprit_cycles_read (const char *path, GError **error)
{
  gsize length;
  g_autoptr (GError) problem = NULL;
  gboolean there = g_file_test (path, G_FILE_TEST_EXISTS); /* Most captures of others have none. */
  g_autofree char *text = there ? culprit_load (path, JSON_LONGEST_LINE, &length, &problem) : NULL;
  g_autoptr (JsonNode) root = text ? json_parse_bounded (text, length, JSON_LONGEST_LINE, NULL) : NULL;

  if (root)
    return culprit_cycles_from_json (root, path, error);
  if (g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE))
    return damaged (path, problem->message, error);
  if (problem && !g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_MESSAGE_TOO_LARGE))
    {
      g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_DAMAGED,
                   "%s: cannot be read (%s); permit that, or move it away to import the capture without it", path,
                   problem->message);
      return NULL;
    }
  /* As a recorder begins it: other files of that name are none of ours. */
  if (text && g_str_has_prefix (text, "{\"type\"") && strstr (text, "\"culprit_cycles\""))
    return damaged (path, "it is cut short, or not JSON", error);
  return NULL;
}
