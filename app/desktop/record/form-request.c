/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turns fields into the options of the command line, which are interpreted in one place for both. */
#include "record/form-request.h"

#include "json.h"
#include "record/request.h"
#include "units.h"

#include <string.h>

static gboolean form_set (RecordForm *form, const char *key, JsonNode *value);

/* What a run was recorded with becomes fields again. */

static CulpritRow *
find_run (CulpritRows *runs, const char *name)
{
  for (guint i = 0; runs && i < g_list_model_get_n_items (G_LIST_MODEL (runs)); i++)
    {
      g_autoptr (CulpritRow) row = g_list_model_get_item (G_LIST_MODEL (runs), i);

      if (g_str_equal (culprit_row_text (row, "run"), name))
        return g_steal_pointer (&row);
    }
  return NULL;
}

static gboolean
is_known (CulpritRow *row, const char *column)
{
  return culprit_row_value (row, column).type != CULPRIT_VALUE_NULL;
}

static void
set_time (RecordForm *form, const char *key, CulpritRow *row, const char *column)
{
  g_autofree char *text = is_known (row, column) ? culprit_time_format_exact (culprit_row_integer (row, column)) : NULL;

  if (text)
    record_form_set (form, key, text);
}

static void
set_text (RecordForm *form, const char *key, CulpritRow *row)
{
  const char *text = culprit_row_text (row, key);

  if (*text)
    record_form_set (form, key, text);
}

/* Studies have them as JSON: "[0,2]". */
static void
set_cpus (RecordForm *form, CulpritRow *row)
{
  g_autofree char *text = g_strdup (culprit_row_text (row, "cpus"));

  if (*text)
    record_form_set (form, "cpus", g_strstrip (g_strdelimit (text, "[]", ' ')));
}

/* Of a virtual machine, where they are known. What was not given, and what the form cannot hold, are its first values.
 */
static void
set_vm (RecordForm *form, const char *settings)
{
  static const char *const keys[] = { "vm_kernel", "vm_arch", "vm_time", "vm_cpus", "vm_memory", "vm_modules" };
  g_autoptr (JsonNode) root = json_parse_bounded (settings, strlen (settings), JSON_LONGEST_LINE, NULL);
  JsonObjectIter iterator;
  const char *setting;
  JsonNode *node;

  if (!root || !JSON_NODE_HOLDS_OBJECT (root))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    record_form_set (form, keys[i], NULL);
  json_object_iter_init (&iterator, json_node_get_object (root));
  while (json_object_iter_next (&iterator, &setting, &node))
    {
      g_autofree char *key = g_strconcat ("vm_", setting, NULL);

      form_set (form, key, node);
    }
}

/* "local" is where the study was made. FALSE: where that is, seen from here, is not known. */
static gboolean
set_target (RecordForm *form, CulpritRow *row)
{
  gboolean here = g_str_equal (culprit_row_text (row, "host"), g_get_host_name ());
  const char *known = culprit_row_text (row, "target");
  const char *target = *known ? known : here ? "local" : "";
  g_autoptr (JsonNode) node = json_node_init_string (json_node_alloc (), target);

  if (!*target || (g_str_equal (target, "local") && !here) || !form_set (form, "target", node))
    return FALSE;
  set_vm (form, culprit_row_text (row, "vm"));
  return TRUE;
}

void
form_like_target (RecordForm *form, CulpritRows *runs, const char *run)
{
  g_autoptr (CulpritRow) row = find_run (runs, run);

  if (row)
    set_target (form, row);
}

static void
set_all (RecordForm *form, CulpritRow *row)
{
  if (is_known (row, "band_low_ns"))
    record_form_set (form, "trigger", "band");
  else if (is_known (row, "threshold_ns"))
    record_form_set (form, "trigger", "threshold");
  set_time (form, "threshold", row, "threshold_ns");
  set_time (form, "band_low", row, "band_low_ns");
  set_time (form, "band_high", row, "band_high_ns");
  set_time (form, "period", row, "period_ns");
  set_text (form, "method", row);
  set_text (form, "policy", row);
  if (is_known (row, "priority"))
    {
      g_autofree char *priority = g_strdup_printf ("%" G_GINT64_FORMAT, culprit_row_integer (row, "priority"));

      record_form_set (form, "priority", priority);
    }
  set_cpus (form, row);
}

/* What was filled in, and what is left to people. The caller owns it. */
static char *
describe (CulpritRow *row, gboolean targeted, const char *run, const char *graph)
{
  const char *host = row ? culprit_row_text (row, "host") : "";
  const char *load = row ? culprit_row_text (row, "load") : "";
  GString *text = g_string_new (NULL);

  if (targeted)
    g_string_append_printf (text, "Filled in from “%s”.", run);
  else if (row)
    g_string_append_printf (text, "Filled in from “%s”, recorded on %s; check the target.", run,
                            *host ? host : "an unknown machine");
  else
    g_string_append_printf (text, "The settings of “%s” are not known.", run);
  if (*graph)
    g_string_append_printf (text, " Traces only %s and what it calls (“Trace only” below).", graph);
  if (*load)
    g_string_append_printf (text, " Its load was “%s”; choose it below.", load);
  return g_string_free (text, FALSE);
}

void
form_like (RecordForm *form, CulpritRows *runs, const char *run, const char *graph, gint64 captures)
{
  g_autoptr (CulpritRow) row = find_run (runs, run);
  g_autofree char *number = captures > 0 ? g_strdup_printf ("%" G_GINT64_FORMAT, captures) : NULL;
  const gboolean targeted = row && set_target (form, row);
  g_autofree char *remark = describe (row, targeted, run, graph);

  if (row)
    set_all (form, row);
  record_form_set (form, "tracing", NULL);
  record_form_set (form, "graph", graph);
  record_form_set (form, "captures", number);
  record_form_remark (form, remark);
  record_form_focus (form, *graph ? "graph" : "captures");
}

/* The caller owns it; NULL: nothing is set. */
static char **
split (RecordForm *form, const char *key, const char *separators)
{
  const char *text = record_form_get (form, key);
  g_auto (GStrv) parts = text ? g_strsplit_set (text, separators, -1) : NULL;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (char **part = parts; part && *part; part++)
    if (*g_strstrip (*part))
      g_strv_builder_add (builder, *part);
  return parts ? g_strv_builder_end (builder) : NULL;
}

static gint64
number (RecordForm *form, const char *key)
{
  const char *text = record_form_get (form, key);

  return text ? g_ascii_strtoll (text, NULL, 10) : 0;
}

CulpritTarget *
form_target (RecordForm *form, GError **error)
{
  const char *kind = record_form_get (form, "target");
  g_autofree char *host = g_strdup (record_form_get (form, "host"));
  g_autofree char *name = host ? g_strconcat ("ssh:", g_strstrip (host), NULL) : g_strdup (kind);
  CulpritTarget *target = culprit_target_parse (name, error);

  if (!target || target->kind != CULPRIT_TARGET_VM)
    return target;
  target->vm_kernel = g_strdup (record_form_get (form, "vm_kernel"));
  if (!g_str_equal (record_form_get (form, "vm_arch"), "own"))
    target->vm_arch = g_strdup (record_form_get (form, "vm_arch"));
  target->vm_time = g_strdup (record_form_get (form, "vm_time"));
  target->vm_cpus = number (form, "vm_cpus");
  target->vm_memory = number (form, "vm_memory");
  target->vm_modules = split (form, "vm_modules", ";");
  return target;
}

const char *
form_target_title (const CulpritTarget *target)
{
  switch (target->kind)
    {
    case CULPRIT_TARGET_LOCAL:
      return "This machine";
    case CULPRIT_TARGET_SSH:
      return target->host;
    default:
      return "Virtual machine";
    }
}

const char *
form_target_step (const CulpritTarget *target)
{
  static const char *const steps[] = { "Starting the recorder", "Connecting to the target",
                                       "Starting the virtual machine" }; /* by CulpritTargetKind */

  return steps[target->kind];
}

/* Where the fields that are copied as they are belong. */
#define TEXT(key)                                                                                                      \
  {                                                                                                                    \
#key, G_STRUCT_OFFSET(CulpritRequestOptions, key)                                                                  \
  }

static const struct
{
  const char *key;
  gsize offset;
} texts[] = { TEXT (run),    TEXT (period), TEXT (threshold), TEXT (limit), TEXT (deadline),
              TEXT (method), TEXT (clock),  TEXT (policy),    TEXT (cpus),  TEXT (calibrate) },
  numbers[] = { TEXT (captures), TEXT (cycles),    TEXT (skip),     TEXT (runs),
                TEXT (priority), TEXT (max_depth), TEXT (buffer_kb) };

#undef TEXT

static void
read_load (RecordForm *form, CulpritRequestOptions *options)
{
  const char *load = record_form_get (form, "load");

  if (g_str_equal (load, "own"))
    options->load = g_strdup (record_form_get (form, "load_command"));
  else if (!g_str_equal (load, "none"))
    options->load = g_strdup (load);
}

JsonObject *
form_request (RecordForm *form, GError **error)
{
  g_auto (CulpritRequestOptions) options;
  const char *tracing = record_form_get (form, "tracing");

  culprit_request_options_init (&options);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    G_STRUCT_MEMBER (char *, &options, texts[i].offset) = g_strdup (record_form_get (form, texts[i].key));
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (record_form_get (form, numbers[i].key))
      G_STRUCT_MEMBER (gint64, &options, numbers[i].offset) = number (form, numbers[i].key);
  if (record_form_get (form, "band_low"))
    options.band = g_strdup_printf ("%s,%s", record_form_get (form, "band_low"), record_form_get (form, "band_high"));
  if (!g_str_equal (tracing, "auto"))
    options.tracing = g_strdup (tracing);
  read_load (form, &options);
  options.graph = split (form, "graph", " ,");
  options.graph_not = split (form, "graph_not", " ,");
  options.events = split (form, "events", " ,");
  options.aligned = record_form_get (form, "aligned") != NULL;
  options.take_over = record_form_get (form, "take_over") != NULL;
  return culprit_request_new (&options, error);
}

/* Filling. */

/* A member as the text of a field: lists with what stands between their parts. The caller owns it; NULL: it is nothing
 * that a field can hold. */
static char *
member_text (const char *key, JsonNode *node)
{
  const char *between = g_str_equal (key, "vm_modules") ? "; " : " ";
  g_autoptr (GString) text = g_string_new (NULL);

  if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
    return json_node_dup_string (node);
  if (JSON_NODE_HOLDS_VALUE (node))
    return json_to_string (node, FALSE);
  if (!JSON_NODE_HOLDS_ARRAY (node))
    return NULL;
  for (guint i = 0; i < json_array_get_length (json_node_get_array (node)); i++)
    {
      g_autofree char *part = member_text (key, json_array_get_element (json_node_get_array (node), i));

      g_string_append_printf (text, "%s%s", i > 0 ? between : "", part ? part : "");
    }
  return g_strdup (text->str);
}

/* What stands for more than one field. */
static gboolean
set_member (RecordForm *form, const char *key, const char *text)
{
  if (g_str_equal (key, "target") && g_str_has_prefix (text, "ssh:"))
    return record_form_set (form, "target", "ssh") && record_form_set (form, "host", text + strlen ("ssh:"));
  if (g_str_equal (key, "threshold"))
    return record_form_set (form, "trigger", "threshold") && record_form_set (form, key, text);
  if (g_str_equal (key, "band"))
    {
      g_auto (GStrv) ends = g_strsplit (text, ",", -1);

      return g_strv_length (ends) == 2 && record_form_set (form, "trigger", "band") &&
             record_form_set (form, "band_low", ends[0]) && record_form_set (form, "band_high", ends[1]);
    }
  return record_form_set (form, key, text);
}

/* Sets the fields that @key, a setting as form_fill() takes it, stands for. FALSE: there is no such setting, or it
 * cannot be @value. */
static gboolean
form_set (RecordForm *form, const char *key, JsonNode *value)
{
  g_autofree char *text = member_text (key, value);

  return text && set_member (form, key, text);
}

static gboolean
is_load (const char *key)
{
  return g_str_equal (key, "load") || g_str_equal (key, "load_command");
}

/* Sets all fields to their first value, but for the load: that is a command. */
static void
reset_all_but_load (RecordForm *form)
{
  g_autofree char *load = g_strdup (record_form_get (form, "load"));
  g_autofree char *command = g_strdup (record_form_get (form, "load_command"));

  record_form_reset (form);
  record_form_set (form, "load", load);
  record_form_set (form, "load_command", command);
}

/* Whether all members of @object count beside each other. */
static gboolean
all_count (RecordForm *form, JsonObject *object, GError **error)
{
  g_autoptr (GList) keys = json_object_get_members (object);

  for (GList *key = keys; key; key = key->next)
    if (!record_form_counts (form, key->data))
      {
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "“%s” has no effect with the other settings",
                     (const char *) key->data);
        return FALSE;
      }
  return TRUE;
}

gboolean
form_fill (RecordForm *form, const char *text, GError **error)
{
  g_autoptr (JsonNode) root = json_parse_bounded (text, strlen (text), JSON_LONGEST_LINE, error);
  JsonObjectIter iterator;
  const char *key;
  JsonNode *node;

  if (!root || !JSON_NODE_HOLDS_OBJECT (root))
    {
      if (!error || !*error)
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "the recording settings are not a JSON object: %s",
                     text);
      return FALSE;
    }
  reset_all_but_load (form);
  json_object_iter_init (&iterator, json_node_get_object (root));
  while (json_object_iter_next (&iterator, &key, &node))
    {
      g_autofree char *shown = NULL;

      if (is_load (key))
        {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
                       "“%s” runs a command; it can only be entered in the window", key);
          return FALSE;
        }
      if (form_set (form, key, node))
        continue;
      shown = member_text (key, node);
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   "“%s” is not a recording setting, or cannot be set to %s", key, shown ? shown : "that");
      return FALSE;
    }
  return all_count (form, json_node_get_object (root), error);
}
