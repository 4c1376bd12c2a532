/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields and what they stand for, both ways. A value that a field cannot hold leaves it at its first one. */
#include "record/form-request.h"

#include "capture/windows/probe.h"
#include "json.h"
#include "latency/comparison/shape.h"
#include "record/band-map.h"
#include "record/blocks.h"
#include "tables/rows.h"
#include "units.h"

#include <stdlib.h>
#include <string.h>

/* From the form. */

/* Sets the member of @object for @field to @text, as it stands in the form; NULL: does nothing. */
static void
field_store (const Setting *field, const char *text, JsonObject *object)
{
  gboolean listed = field->kind == SETTING_NAMES || field->kind == SETTING_FILES;
  g_auto (GStrv) parts = text && listed ? g_strsplit_set (text, field->kind == SETTING_FILES ? ";" : " ,", -1) : NULL;

  for (char **part = parts; part && *part; part++)
    if (*g_strstrip (*part))
      culprit_setting_set (object, field, *part);
  if (text && !listed && g_strcmp0 (text, field->open.value) != 0)
    culprit_setting_set (object, field, text);
}

static void
store (const Setting *table, RecordForm *form, JsonObject *object)
{
  for (const Setting *setting = table; setting->key; setting++)
    if (setting->title)
      field_store (setting, record_form_get (form, setting->name), object);
}

CulpritTarget *
form_target (RecordForm *form, GError **error)
{
  g_autofree char *host = g_strdup (record_form_get (form, "host"));
  g_autofree char *ssh = host ? g_strconcat ("ssh:", g_strstrip (host), NULL) : NULL;
  CulpritTarget *target = culprit_target_parse (ssh ? ssh : record_form_get (form, "target"), error);

  if (target && target->kind == CULPRIT_TARGET_VM)
    store (culprit_vm_settings, form, target->vm);
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

guint
form_blocks (JsonObject *request)
{
  JsonArray *blocks = culprit_request_blocks (request);

  return blocks ? json_array_get_length (blocks) : 0;
}

/* Blocks of a function that is delayed. */
static void
add_delays (RecordForm *form, JsonObject *request)
{
  const CulpritDelaying delaying = { record_form_get (form, "delay_at"), record_form_get (form, "delays"),
                                     atoi (record_form_get (form, "rounds")),
                                     setting_find ("delay_percent")->otherwise };

  culprit_request_delay (request, &delaying, NULL);
}

/* Blocks of which half are treated. */
static void
add_treatments (RecordForm *form, JsonObject *request)
{
  const CulpritTreating treating = { record_form_get (form, "treat"), record_form_get (form, "undo"),
                                     atoi (record_form_get (form, "blocks")) };

  culprit_request_treat (request, &treating, NULL);
}

JsonObject *
form_request (RecordForm *form)
{
  JsonObject *request = json_object_new ();
  const char *load = record_form_get (form, "load");
  const char *command = record_form_get (form, "load_command");

  store (recording_settings, form, request);
  if (!g_str_equal (load, "none"))
    culprit_setting_set (request, setting_find ("load"), command ? command : load);
  if (record_form_get (form, "delay_at"))
    add_delays (form, request);
  if (record_form_get (form, "treat"))
    add_treatments (form, request);
  if (form_blocks (request) > 0 && !json_object_has_member (request, "limit_ns") &&
      !json_object_has_member (request, "cycles"))
    json_object_set_int_member (request, "limit_ns", CULPRIT_BLOCK_NS);
  culprit_request_complete (request);
  return request;
}

/* From JSON. */

/* A member as the text of a field: lists with what stands between their parts. The caller owns it; NULL: it is nothing
 * that a field can hold. */
static char *
member_text (JsonNode *node, const char *between)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
    return json_node_dup_string (node);
  if (JSON_NODE_HOLDS_VALUE (node))
    return json_to_string (node, FALSE);
  if (!JSON_NODE_HOLDS_ARRAY (node))
    return NULL;
  for (guint i = 0; i < json_array_get_length (json_node_get_array (node)); i++)
    {
      g_autofree char *part = member_text (json_array_get_element (json_node_get_array (node), i), between);

      g_string_append_printf (text, "%s%s", i > 0 ? between : "", part ? part : "");
    }
  return g_strdup (text->str);
}

/* What can be measured instead of cycles: the setting that says it, what the form calls that, and how it reads. */
static const struct
{
  const char *key;
  const char *choice;
  const char *words;
} measures[] = { { "wakeup_of", "wakeup", "how late it runs: " },
                 { "response_of", "response", "until it sleeps again: " },
                 { "between", "between", "from event to event: " },
                 { "marks", "marks", "from mark to mark: " } };

char *
form_measured (RecordForm *form)
{
  const char *period = record_form_get (form, "period");

  for (guint i = 0; i < G_N_ELEMENTS (measures); i++)
    if (record_form_get (form, measures[i].key))
      return g_strconcat (measures[i].words, record_form_get (form, measures[i].key), NULL);
  return g_strdup_printf ("period %s", period ? period : "5ms");
}

/* Sets the fields that @key, a setting as form_fill() takes it, stands for. FALSE: there is no such setting, or it
 * cannot be @text. */
static gboolean
set_text (RecordForm *form, const char *key, const char *text)
{
  if (g_str_equal (key, "target") && g_str_has_prefix (text, "ssh:"))
    return record_form_set (form, "target", "ssh") && record_form_set (form, "host", text + strlen ("ssh:"));
  for (guint i = 0; i < G_N_ELEMENTS (measures); i++)
    if (g_str_equal (key, measures[i].key))
      record_form_set (form, "measure", measures[i].choice);
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

static gboolean
key_is_of_files (const char *key)
{
  return g_str_equal (key, "vm_modules") || g_str_equal (key, "vm_programs");
}

/* The same for @value. */
static gboolean
set_member (RecordForm *form, const char *key, JsonNode *value)
{
  g_autofree char *text = member_text (value, key_is_of_files (key) ? "; " : " ");

  return text && set_text (form, key, text);
}

static gboolean
is_command (const char *key)
{
  static const char *const keys[] = { "load", "load_command", "treat", "undo", NULL };

  return g_strv_contains (keys, key);
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

      if (is_command (key))
        {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
                       "“%s” runs a command; it can only be entered in the window", key);
          return FALSE;
        }
      if (set_member (form, key, node))
        continue;
      shown = member_text (node, " ");
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   "“%s” is not a recording setting, or cannot be set to %s", key, shown ? shown : "that");
      return FALSE;
    }
  return all_count (form, json_node_get_object (root), error);
}

/* From a run. */

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

/* What the run in @row has for @setting, as people write it. The caller owns it. */
static char *
kept_text (CulpritRow *row, const Setting *setting)
{
  switch (setting->kind)
    {
    case SETTING_TIME:
      return culprit_time_format_exact (culprit_row_integer (row, setting->key));
    case SETTING_NUMBER:
      return g_strdup_printf ("%" G_GINT64_FORMAT, culprit_row_integer (row, setting->key));
    case SETTING_CPUS: /* JSON: "[0,2]" */
      return g_strstrip (g_strdelimit (g_strdup (culprit_row_text (row, setting->key)), "[]", ' '));
    default:
      return g_strdup (culprit_row_text (row, setting->key));
    }
}

static void
set_kept (RecordForm *form, CulpritRow *row)
{
  if (is_known (row, "band_low_ns"))
    record_form_set (form, "trigger", "band");
  else if (is_known (row, "threshold_ns"))
    record_form_set (form, "trigger", "threshold");
  for (const Setting *setting = recording_settings; setting->key; setting++)
    if (setting->kept && is_known (row, setting->key))
      {
        g_autofree char *text = kept_text (row, setting);

        record_form_set (form, setting->name, text);
      }
}

/* The object in @column of @row; NULL: there is none. The caller owns it. */
static JsonObject *
parse_column (CulpritRow *row, const char *column)
{
  const char *text = culprit_row_text (row, column);
  g_autoptr (JsonNode) root = json_parse_bounded (text, strlen (text), JSON_LONGEST_LINE, NULL);

  return root && JSON_NODE_HOLDS_OBJECT (root) ? json_node_dup_object (root) : NULL;
}

/* Sets the field of @setting to what @object has, or to its first value. FALSE: it cannot be set to that. */
static gboolean
set_requested (RecordForm *form, const Setting *setting, JsonObject *object)
{
  JsonNode *node = json_object_get_member (object, setting->key);
  g_autofree char *time = node && setting->kind == SETTING_TIME && JSON_NODE_HOLDS_VALUE (node)
                              ? culprit_time_format_exact (json_node_get_int (node))
                              : NULL;

  record_form_set (form, setting->name, NULL);
  return !node || (time ? record_form_set (form, setting->name, time) : set_member (form, setting->name, node));
}

static void
append_warning (GString *warning, const char *format, const char *what)
{
  g_string_append_c (warning, ' ');
  g_string_append_printf (warning, format, what);
}

/* What the table of runs has no column of: which of the machine is traced, and how. What would end tracing that is in
 * use is not repeated without being asked. */
static void
set_more (RecordForm *form, JsonObject *requested, GString *warning)
{
  for (const Setting *setting = recording_settings; setting->key; setting++)
    if (setting->title && setting->group == GROUP_MORE && !g_str_equal (setting->key, "take_over") &&
        !set_requested (form, setting, requested))
      append_warning (warning, "“%s” cannot be set as it was.", setting->title);
}

/* Whether probes of programs were entered in the form, unless @requested has none. As a command, they may be somebody
 * else's. */
static gboolean
probes_were_entered (RecordForm *form, JsonObject *requested)
{
  const char *between = json_member_text (requested, "between");

  return !between || !probe_in (between) || g_strcmp0 (between, record_form_get (form, "between")) == 0;
}

/* What was measured, cycles or what was requested instead. */
static void
set_measured (RecordForm *form, JsonObject *requested, GString *warning)
{
  record_form_set (form, "measure", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (measures); i++)
    if (json_object_has_member (requested, measures[i].key))
      record_form_set (form, "measure", measures[i].choice);
  for (const Setting *setting = recording_settings; setting->key; setting++)
    if (g_str_equal (setting->key, "between") && !probes_were_entered (form, requested))
      {
        record_form_set (form, "between", NULL);
        append_warning (warning, "It was measured between “%s”; enter that below.",
                        json_member_text (requested, "between"));
      }
    else if (setting->title && setting->group == GROUP_MEASURE && !set_requested (form, setting, requested))
      append_warning (warning, "“%s” cannot be set as it was.", setting->title);
}

/* A custom command is not filled in: it may be somebody else's, unless it was entered here before. */
static void
set_load (RecordForm *form, JsonObject *requested, GString *warning)
{
  const char *load = json_member_text (requested, "load");
  const char *name = culprit_load_name (load);

  if (name)
    record_form_set (form, "load", name);
  else if (g_strcmp0 (load, record_form_get (form, "load_command")) != 0)
    append_warning (warning, "Its load was “%s”; enter it below.", load);
}

/* Names the files @key of the guest that are not where they were, by @format. */
static void
check_files (JsonObject *vm, const char *key, const char *format, GString *warning)
{
  JsonNode *node = json_object_get_member (vm, key);
  JsonArray *files = node && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;

  for (guint i = 0; files && i < json_array_get_length (files); i++)
    {
      g_autofree char *file = member_text (json_array_get_element (files, i), " ");
      g_auto (GStrv) words = g_strsplit (file ? file : "", " ", 2);

      if (words[0] && !g_file_test (words[0], G_FILE_TEST_EXISTS))
        append_warning (warning, format, words[0]);
    }
}

static void
set_vm (RecordForm *form, CulpritRow *row, GString *warning)
{
  g_autoptr (JsonObject) vm = parse_column (row, "vm");

  if (!g_str_equal (culprit_row_text (row, "target"), "vm"))
    return;
  if (!vm)
    {
      append_warning (warning, "The study does not say which %s the guest had.", "kernel, memory and modules");
      return;
    }
  for (const Setting *setting = culprit_vm_settings; setting->key; setting++)
    if (!set_requested (form, setting, vm))
      append_warning (warning, "“%s” cannot be set as it was.", setting->title);
  check_files (vm, "modules", "The guest module %s is not on this machine.", warning);
  check_files (vm, "programs", "The guest program %s is not on this machine.", warning);
}

/* "local" is where the study was made. FALSE: where that is, seen from here, is not known. */
static gboolean
set_target (RecordForm *form, CulpritRow *row)
{
  gboolean here = g_str_equal (culprit_row_text (row, "host"), g_get_host_name ());
  const char *known = culprit_row_text (row, "target");
  const char *target = *known ? known : here ? "local" : "";

  return *target && (!g_str_equal (target, "local") || here) && set_text (form, "target", target);
}

/* Fills in what is known of @run but for how much to record, and says so, with what is missing; @whole: whether nothing
 * is, may be NULL. The caller owns it. */
static char *
fill_like (RecordForm *form, CulpritDocument *document, const char *run, gboolean *whole)
{
  g_autoptr (CulpritRow) row = find_run (culprit_document_runs (document), run);
  g_autoptr (JsonObject) requested = row ? parse_column (row, "settings") : NULL;
  const char *host = row ? culprit_row_text (row, "host") : "";
  GString *text = g_string_new (NULL);
  gboolean reached;
  gsize before;

  if (whole)
    *whole = FALSE;
  record_form_set (form, "graph", NULL);
  if (!row)
    {
      g_string_append_printf (text, "The settings of “%s” are not known.", run);
      return g_string_free (text, FALSE);
    }
  reached = set_target (form, row);
  if (reached)
    g_string_append_printf (text, "Filled in from “%s”.", run);
  else
    g_string_append_printf (text, "Filled in from “%s”, recorded on %s; check the target.", run,
                            *host ? host : "an unknown machine");
  before = text->len;
  set_kept (form, row);
  set_vm (form, row, text);
  if (requested)
    {
      set_measured (form, requested, text);
      set_more (form, requested, text);
      set_load (form, requested, text);
    }
  else
    append_warning (text, "The study does not have its %s.", "load, buffer and filters");
  if (whole)
    *whole = reached && text->len == before;
  record_form_set (form, "tracing", NULL);
  return g_string_free (text, FALSE);
}

static void
show (RecordForm *form, const char *remark, const char *key)
{
  record_form_remark (form, remark);
  record_form_focus (form, key);
}

static void
set_time (RecordForm *form, const char *key, gint64 time_ns)
{
  g_autofree char *text = culprit_time_format_exact (time_ns);

  record_form_set (form, key, text);
}

static void
append_sentence (GString *text, const char *sentence)
{
  if (sentence)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", sentence);
}

void
form_like (RecordForm *form, CulpritDocument *document, const char *run, const char *graph, gint64 captures)
{
  g_autofree char *number = captures > 0 ? g_strdup_printf ("%" G_GINT64_FORMAT, captures) : NULL;
  g_autofree char *filled = fill_like (form, document, run, NULL);
  g_auto (BandMap) map = band_map_again (document, run);
  g_autoptr (GString) remark = g_string_new (filled);

  append_sentence (remark, map.remark);
  append_sentence (remark, map.rate);
  append_sentence (remark, map.warning);
  if (map.open)
    set_time (form, "threshold", map.low_ns);
  if (*graph)
    {
      g_string_append_printf (remark, " Traces only %s and what it calls (“Trace only” below).", graph);
      record_form_set (form, "graph", graph);
    }
  record_form_set (form, "captures", number);
  show (form, remark->str, *graph ? "graph" : "captures");
}

void
form_next_band (RecordForm *form, CulpritDocument *document, const char *run, gint64 low_ns, gint64 high_ns)
{
  g_auto (BandMap) map = band_map (document, run, low_ns, high_ns);
  g_autofree char *filled = fill_like (form, document, run, NULL);
  g_autoptr (GString) remark = g_string_new (map.remark);

  append_sentence (remark, map.rate);
  append_sentence (remark, filled);
  record_form_set (form, "captures", NULL);
  record_form_set (form, "trigger", map.open ? "threshold" : "band");
  if (map.open)
    set_time (form, "threshold", map.low_ns);
  else
    {
      set_time (form, "band_low", map.low_ns);
      set_time (form, "band_high", map.high_ns);
    }
  show (form, remark->str, map.open ? "threshold" : "band_low");
}

void
form_next_threshold (RecordForm *form, CulpritDocument *document, const char *run, gint64 threshold_ns)
{
  g_autofree char *filled = fill_like (form, document, run, NULL);
  g_autofree char *remark = g_strconcat ("The threshold refers to traced latencies. ", filled, NULL);

  record_form_set (form, "captures", NULL);
  record_form_set (form, "trigger", "threshold");
  set_time (form, "threshold", threshold_ns);
  show (form, remark, "threshold");
}

void
form_next_in_turn (RecordForm *form, CulpritDocument *document, const char *run)
{
  g_autofree char *filled = fill_like (form, document, run, NULL);
  g_autofree char *remark = g_strconcat ("Records runs without tracing and with it alternately. ", filled, NULL);

  record_form_set (form, "captures", NULL);
  record_form_set (form, "trigger", "none");
  record_form_set (form, "tracing", "both");
  record_form_set (form, "runs", G_STRINGIFY (CULPRIT_SHAPE_RUNS));
  show (form, remark, "runs");
}

gboolean
form_next_explanation (RecordForm *form, CulpritDocument *document, const char *run)
{
  gboolean whole;
  g_autofree char *filled = fill_like (form, document, run, &whole);
  g_autofree char *remark =
      whole ? g_strdup (filled)
            : g_strconcat ("Record latencies once more, then explain their peaks on the Latency page. ", filled, NULL);

  record_form_set (form, "captures", NULL);
  record_form_set (form, "trigger", "none");
  record_form_set (form, "tracing", "both");
  show (form, remark, "tracing");
  return whole;
}

JsonObject *
form_explaining (RecordForm *form)
{
  JsonObject *settings = json_object_new ();
  const char *load = record_form_get (form, "load_command");
  const char *between = record_form_get (form, "between");

  if (load)
    json_object_set_string_member (settings, "load", load);
  if (between)
    json_object_set_string_member (settings, "between", between);
  return settings;
}

void
form_next_delay (RecordForm *form, CulpritDocument *document, const char *run, const char *function)
{
  g_autofree char *filled = fill_like (form, document, run, NULL);
  g_autofree char *remark =
      g_strdup_printf ("Delays %s on purpose: the peaks that move have it on their path. %s", function, filled);

  record_form_set (form, "captures", NULL);
  record_form_set (form, "limit", NULL);
  record_form_set (form, "cycles", NULL);
  record_form_set (form, "trigger", "delay");
  record_form_set (form, "delay_at", function);
  record_form_set (form, "delays", NULL);
  record_form_set (form, "rounds", NULL);
  record_form_set (form, "run", "prove");
  show (form, remark, "delays");
}
