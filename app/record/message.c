/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table for each type says which members it has and what values they may have; only bytes are read by separate
 * code. */
#include "message.h"

#include "budgets.h"
#include "clean.h"
#include "json.h"

#include <string.h>

#define MEMBER_LATEST_NS ((gint64) 1 << 61)

/* Facts. One that makes no sense is ignored: targets differ, and the doctor works with what there is. */

#define MOST_IDLE_STATES 10 /* as many as the kernel has */
#define MOST_TRACERS 100
#define MOST_TASKS 200
#define LONGEST_TASK 15 /* bytes, as in the kernel */

#define FACT(type, name) #name, G_STRUCT_OFFSET(type, name)

static const Member fact_members[] = {
  { FACT (CulpritFacts, host), MEMBER_TEXT },
  { FACT (CulpritFacts, kernel), MEMBER_TEXT },
  { FACT (CulpritFacts, machine), MEMBER_TEXT },
  { FACT (CulpritFacts, preemption), MEMBER_TEXT },
  { FACT (CulpritFacts, transparent_hugepage), MEMBER_TEXT },
  { FACT (CulpritFacts, clocksource), MEMBER_TEXT },
  { FACT (CulpritFacts, tracefs), MEMBER_TEXT },
  { FACT (CulpritFacts, current_tracer), MEMBER_TEXT },
  { FACT (CulpritFacts, temporary_folder), MEMBER_TEXT },
  { FACT (CulpritFacts, root), MEMBER_FLAG },
  { FACT (CulpritFacts, virtual_machine), MEMBER_FLAG },
  { FACT (CulpritFacts, dma_latency), MEMBER_FLAG },
  { FACT (CulpritFacts, delay_accounting), MEMBER_FLAG },
  { FACT (CulpritFacts, trace_cmd), MEMBER_FLAG },
  { FACT (CulpritFacts, unrestored), MEMBER_FLAG },
  { FACT (CulpritFacts, rt_runtime_us), MEMBER_NUMBER, -1, G_MAXINT64, -1 },
  { FACT (CulpritFacts, rt_period_us), MEMBER_NUMBER, 1, G_MAXINT64, 1000000 },
  { FACT (CulpritFacts, timer_migration), MEMBER_NUMBER, 0, G_MAXINT64, 0 },
  { FACT (CulpritFacts, nmi_watchdog), MEMBER_NUMBER, 0, G_MAXINT64, 0 },
  { FACT (CulpritFacts, ftrace_enabled), MEMBER_NUMBER, 0, G_MAXINT64, 1 },
  { FACT (CulpritFacts, kptr_restrict), MEMBER_NUMBER, 0, G_MAXINT64, 0 },
  { FACT (CulpritFacts, enabled_events), MEMBER_NUMBER, 0, G_MAXINT64, 0 },
  { FACT (CulpritFacts, trace_entries), MEMBER_NUMBER, 0, G_MAXINT64, 0 },
  { FACT (CulpritFacts, steal_ns), MEMBER_NUMBER, 0, G_MAXINT64, 0 },
  { FACT (CulpritFacts, temporary_free_bytes), MEMBER_NUMBER, 0, G_MAXINT64, -1 },
  { FACT (CulpritFacts, memory_available_kb), MEMBER_NUMBER, 0, G_MAXINT64, -1 },
  { 0 },
};

static const Member cpu_members[] = {
  { FACT (CulpritCpuFacts, cpu), MEMBER_NUMBER, 0, CULPRIT_MOST_CPUS - 1, 0 },
  { FACT (CulpritCpuFacts, smi_count), MEMBER_NUMBER, 0, G_MAXINT64, -1 },
  { FACT (CulpritCpuFacts, isolated), MEMBER_FLAG },
  { FACT (CulpritCpuFacts, governor), MEMBER_TEXT },
  { 0 },
};

static const Member idle_members[] = {
  { FACT (CulpritIdleState, name), MEMBER_TEXT },
  { FACT (CulpritIdleState, latency_us), MEMBER_NUMBER, 0, G_MAXINT64, 0 },
  { FACT (CulpritIdleState, disabled), MEMBER_FLAG },
  { 0 },
};

static const Member task_members[] = {
  { FACT (CulpritTaskFacts, pid), MEMBER_NUMBER, 1, G_MAXINT32, 0 },
  { FACT (CulpritTaskFacts, comm), MEMBER_TEXT },
  { FACT (CulpritTaskFacts, policy), MEMBER_TEXT },
  { FACT (CulpritTaskFacts, priority), MEMBER_NUMBER, 0, 99, 0 },
  { FACT (CulpritTaskFacts, cpu), MEMBER_NUMBER, 0, CULPRIT_MOST_CPUS - 1, 0 },
  { 0 },
};

static void
clear_cpu (gpointer data)
{
  members_clear (cpu_members, data);
}

static void
clear_idle_state (gpointer data)
{
  members_clear (idle_members, data);
}

static void
clear_task (gpointer data)
{
  members_clear (task_members, data);
}

/* The number of elements of the list @name, at most @most; 0 if it is not a list. */
static guint
list_length (JsonObject *object, const char *name, guint most, JsonArray **list)
{
  JsonNode *node = json_object_get_member (object, name);

  *list = node && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  return *list ? MIN (json_array_get_length (*list), most) : 0;
}

/* The objects of a list, each read by @of into @size bytes; elements that are not objects are left empty. */
static GArray *
read_objects (JsonObject *object, const char *name, guint most, const Member *of, guint size, GDestroyNotify clear)
{
  JsonArray *list;
  guint n = list_length (object, name, most, &list);
  GArray *array = g_array_sized_new (FALSE, TRUE, size, n);
  g_autoptr (JsonObject) nothing = json_object_new ();

  g_array_set_clear_func (array, clear);
  g_array_set_size (array, n);
  for (guint i = 0; i < n; i++)
    {
      JsonNode *node = json_array_get_element (list, i);

      members_read (JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : nothing, of,
                    array->data + (gsize) i * size);
    }
  return array;
}

static GPtrArray *
read_tracers (JsonObject *object)
{
  GPtrArray *tracers = g_ptr_array_new_with_free_func (g_free);
  JsonArray *list;
  guint n = list_length (object, "tracers", MOST_TRACERS, &list);

  for (guint i = 0; i < n; i++)
    {
      JsonNode *node = json_array_get_element (list, i);

      if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
        g_ptr_array_add (tracers, json_node_dup_string (node));
    }
  return tracers;
}

static gboolean
is_task (const CulpritTaskFacts *task)
{
  return task->pid > 0 && task->comm && strlen (task->comm) <= LONGEST_TASK;
}

static void
read_facts (JsonObject *object, CulpritFacts *facts)
{
  members_read (object, fact_members, facts);
  facts->cpus = read_objects (object, "cpus", CULPRIT_MOST_CPUS, cpu_members, sizeof (CulpritCpuFacts), clear_cpu);
  facts->idle_states =
      read_objects (object, "idle_states", MOST_IDLE_STATES, idle_members, sizeof (CulpritIdleState), clear_idle_state);
  facts->tasks = read_objects (object, "tasks", MOST_TASKS, task_members, sizeof (CulpritTaskFacts), clear_task);
  for (guint i = facts->tasks->len; i-- > 0;)
    if (!is_task (&g_array_index (facts->tasks, CulpritTaskFacts, i)))
      g_array_remove_index (facts->tasks, i);
  facts->tracers = read_tracers (object);
}

static void
clear_facts (CulpritFacts *facts)
{
  members_clear (fact_members, facts);
  g_array_unref (facts->cpus);
  g_array_unref (facts->idle_states);
  g_array_unref (facts->tasks);
  g_ptr_array_unref (facts->tracers);
}

/* Messages. */

#define MOST_RUN 2000000
#define MOST_BINS 40000 /* more than a recorder can fill */
#define NS_PER_US 1000
#define MOST_SHOWN 60 /* characters of a line that is not part of the protocol */
#define AT(name, field) name, G_STRUCT_OFFSET (CulpritMessage, field)
#define COUNT MEMBER_NUMBER, 0, MAX_SUM, 0
#define SPAN_NS MEMBER_NUMBER, -MEMBER_LATEST_NS, MEMBER_LATEST_NS, 0 /* latencies may be negative */
#define TIME_NS MEMBER_NUMBER, 0, MEMBER_LATEST_NS, 0
#define NUMBER MEMBER_NUMBER, 1, MOST_RUN, 0 /* of a run or a capture */
#define NEEDED TRUE

/* clang-format off */
static const Member hello[] = {
  { AT ("protocol", protocol), MEMBER_NUMBER, 0, G_MAXINT, 0, NEEDED },
  { AT ("version", text), MEMBER_TEXT },
  { 0 },
};

static const Member said[] = {
  { AT ("text", text), MEMBER_TEXT },
  { AT ("shortest_period_ns", remedy.number), TIME_NS },
  { 0 },
};

static const Member calibration[] = {
  { AT ("latency_median_ns", calibration.latency_median_ns), SPAN_NS, NEEDED },
  { AT ("shortest_period_ns", calibration.shortest_period_ns), TIME_NS, NEEDED },
  { 0 },
};

static const Member run[] = {
  { AT ("run", run), NUMBER, NEEDED },
  { 0 },
};

#define TOTALS \
  { AT ("run", run), NUMBER, NEEDED }, \
  { AT ("cycles", totals.cycles), COUNT, NEEDED }, \
  { AT ("min_ns", totals.min_ns), SPAN_NS }, \
  { AT ("mean_ns", totals.mean_ns), SPAN_NS }, \
  { AT ("max_ns", totals.max_ns), SPAN_NS }, \
  { AT ("hits", totals.hits), COUNT }, \
  { AT ("missed", totals.missed), MEMBER_NUMBER, 0, MAX_SUM, -1 }, \
  { AT ("late", totals.late), MEMBER_NUMBER, 0, MAX_SUM, -1 }

static const Member progress[] = {
  TOTALS,
  { AT ("captures", capture), MEMBER_NUMBER, 0, MOST_RUN, 0 },
  { 0 },
};

static const Member run_end[] = {
  TOTALS,
  { AT ("page_faults", totals.page_faults), COUNT },
  { AT ("smi", totals.smi_count), MEMBER_NUMBER, 0, MAX_SUM, -1 },
  { AT ("steal_ns", totals.steal_ns), MEMBER_NUMBER, 0, MEMBER_LATEST_NS, -1 },
  { AT ("delays", totals.delays), MEMBER_OBJECT },
  { AT ("delay_calls", totals.delay_calls), MEMBER_NUMBER, 0, MAX_SUM, -1 },
  { AT ("delay_spun_ns", totals.delay_spun_ns), COUNT },
  { AT ("delay_withheld", totals.delay_withheld), COUNT },
  { 0 },
};

static const Member capture[] = {
  { AT ("run", run), NUMBER, NEEDED },
  { AT ("capture", capture), NUMBER, NEEDED },
  { 0 },
};

static const Member capture_end[] = {
  { AT ("capture", capture), NUMBER, NEEDED },
  { AT ("size_bytes", size_bytes), MEMBER_NUMBER, 0, G_MAXINT64, 0, NEEDED },
  { 0 },
};

static const Member samples[] = {
  { AT ("run", run), NUMBER, NEEDED },
  { AT ("cpu", samples.cpu), MEMBER_NUMBER, 0, CULPRIT_MOST_CPUS - 1, 0, NEEDED },
  { AT ("first_cycle", samples.first_cycle), COUNT, NEEDED },
  { AT ("cycles", samples.cycles), MEMBER_NUMBER, 1, MAX_SUM, 0, NEEDED },
  { AT ("first_expected_ns", samples.first_expected_ns), TIME_NS, NEEDED },
  { 0 },
};

static const Member bins[] = {
  { AT ("run", run), NUMBER, NEEDED },
  { 0 },
};

static const Member end[] = {
  { AT ("reason", text), MEMBER_TEXT },
  { 0 },
};

static const Member imported[] = {
  { AT ("file", imported.file), MEMBER_TEXT },
  { AT ("warning", text), MEMBER_TEXT },
  { 0 },
};

static const Member nothing[] = { { 0 } };

/* By CulpritMessageType. The program's own messages must not come from a recorder. */
static const struct
{
  const char *type;
  const Member *members;
} types[] = {
  { NULL, nothing }, { "hello", hello }, { "facts", nothing }, { "note", said }, { "calibration", calibration },
  { "run", run }, { "progress", progress }, { "hit", capture }, { "capture", capture }, { "data", nothing },
  { "capture-end", capture_end }, { "samples", samples }, { "bins", bins }, { "run-end", run_end }, { "error", said }, { "end", end },
  { NULL, imported },
};

/* clang-format on */

static CulpritMessageType
type_of (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_strcmp0 (types[i].type, name) == 0)
      return i;
  return CULPRIT_MESSAGE_UNKNOWN;
}

/* The whole number at @index; -1: there is none. */
static gint64
integer_at (JsonArray *array, guint index)
{
  JsonNode *node = index < json_array_get_length (array) ? json_array_get_element (array, index) : NULL;

  return node && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_INT64
             ? json_node_get_int (node)
             : -1;
}

/* The latencies in a list of [latency in us, count]. NULL: it is no such list. */
static CulpritProfile *
read_bins (JsonObject *object)
{
  JsonArray *list;
  guint n = list_length (object, "bins", MOST_BINS, &list);
  g_autoptr (CulpritProfile) profile = culprit_profile_new (NS_PER_US);

  for (guint i = 0; i < n; i++)
    {
      JsonNode *node = json_array_get_element (list, i);
      JsonArray *bin = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
      gint64 latency_us = bin ? integer_at (bin, 0) : -1;
      gint64 count = bin ? integer_at (bin, 1) : -1;

      if (latency_us < 0 || latency_us >= MAX_LATENCY_NS / NS_PER_US || count < 1 || (guint64) count > MAX_SUM ||
          !culprit_profile_add (profile, latency_us * NS_PER_US, count))
        return NULL;
    }
  culprit_profile_finish (profile);
  return list && json_array_get_length (list) == n && profile->n <= MAX_SUM ? g_steal_pointer (&profile) : NULL;
}

/* Checks members that need more than a table, and decodes bytes. Returns the name of an invalid member, or NULL. */
static const char *
read_rest (CulpritMessage *message, JsonObject *object)
{
  const char *tracing = json_member_text (object, "tracing");
  const char *base64 = json_member_text (object, "base64");

  switch (message->type)
    {
    case CULPRIT_MESSAGE_FACTS:
      read_facts (object, &message->facts);
      return NULL;
    case CULPRIT_MESSAGE_RUN:
      message->traced = g_strcmp0 (tracing, "on") == 0;
      return message->traced || g_strcmp0 (tracing, "off") == 0 ? NULL : "tracing";
    case CULPRIT_MESSAGE_DATA:
      message->data.bytes = g_base64_decode (base64 ? base64 : "", &message->data.size);
      return base64 ? NULL : "base64";
    case CULPRIT_MESSAGE_SAMPLES:
      message->samples.packed = g_base64_decode (base64 ? base64 : "", &message->samples.size);
      message->samples.latencies =
          culprit_samples_unpack (message->samples.packed, message->samples.size, message->samples.cycles);
      return message->samples.latencies ? NULL : "base64";
    case CULPRIT_MESSAGE_BINS:
      message->latencies = read_bins (object);
      return message->latencies ? NULL : "bins";
    default:
      return NULL;
    }
}

/* Whether it has nothing but data, and a lot of it. */
static gboolean
is_bytes (const CulpritMessage *message)
{
  return message->type == CULPRIT_MESSAGE_DATA || message->type == CULPRIT_MESSAGE_SAMPLES ||
         message->type == CULPRIT_MESSAGE_BINS;
}

CulpritMessage *
culprit_message_parse (const char *line, gsize length, GError **error)
{
  g_autoptr (CulpritMessage) message = g_atomic_rc_box_new0 (CulpritMessage);
  g_autoptr (JsonNode) root = json_parse_bounded (line, length, JSON_LONGEST_LINE, NULL);
  JsonObject *object = root && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
  const char *type = object ? json_member_text (object, "type") : NULL;
  const char *bad = NULL;
  const char *rest;

  if (!type)
    {
      g_autofree char *clean = culprit_clean_line (line);
      g_autofree char *shown = g_utf8_substring (clean, 0, MIN (g_utf8_strlen (clean, -1), MOST_SHOWN));

      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "expected a recorder, but received \"%s\"", shown);
      return NULL;
    }
  message->type = type_of (type);
  message->remedy.kind = culprit_remedy_from_key (json_member_text (object, "remedy"));
  bad = members_read (object, types[message->type].members, message);
  rest = read_rest (message, object);
  if (!is_bytes (message))
    message->json = json_whole_members (object); /* json-glib reads more than is JSON. */
  if (!bad && !rest)
    return g_steal_pointer (&message);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
               "its \"%s\" of \"%s\" is not valid; install the same version of culprit on both machines",
               bad ? bad : rest, types[message->type].type);
  return NULL;
}

static void
add_text (JsonObject *object, const char *name, const char *text)
{
  if (text)
    json_object_set_string_member (object, name, text);
}

CulpritMessage *
culprit_message_note (const char *text)
{
  CulpritMessage *message = g_atomic_rc_box_new0 (CulpritMessage);
  g_autoptr (JsonObject) object = json_object_new ();
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);

  message->type = CULPRIT_MESSAGE_NOTE;
  message->text = culprit_clean_line (text);
  add_text (object, "type", "note");
  add_text (object, "text", text);
  message->json = json_to_string (node, FALSE);
  return message;
}

CulpritMessage *
culprit_message_imported (const char *file, const CulpritImportResult *result)
{
  CulpritMessage *message = g_atomic_rc_box_new0 (CulpritMessage);
  g_autoptr (JsonObject) object = json_object_new ();
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);
  g_autofree char *warning = culprit_import_warning (result);
  g_autofree char *words = warning ? culprit_problem_words (warning, result->remedy, CULPRIT_AT_COMMAND) : NULL;

  message->type = CULPRIT_MESSAGE_IMPORTED;
  message->capture = result->capture;
  message->text = warning ? culprit_clean_line (warning) : NULL;
  message->remedy = result->remedy;
  message->imported.file = g_strdup (file);
  message->imported.latency_ns = result->latency_ns;
  message->imported.ordinary_windows = result->ordinary_windows;
  add_text (object, "type", "imported");
  json_object_set_int_member (object, "capture", message->capture);
  add_text (object, "file", file);
  json_object_set_int_member (object, "latency_ns", message->imported.latency_ns);
  json_object_set_int_member (object, "ordinary_windows", message->imported.ordinary_windows);
  add_text (object, "warning", words);
  message->json = json_to_string (node, FALSE);
  return message;
}

CulpritMessage *
culprit_message_ref (CulpritMessage *message)
{
  return g_atomic_rc_box_acquire (message);
}

static void
message_clear (gpointer data)
{
  CulpritMessage *message = data;

  members_clear (types[message->type].members, message);
  g_free (message->json);
  if (message->type == CULPRIT_MESSAGE_FACTS)
    clear_facts (&message->facts);
  else if (message->type == CULPRIT_MESSAGE_DATA)
    g_free (message->data.bytes);
  else if (message->type == CULPRIT_MESSAGE_SAMPLES)
    {
      g_free (message->samples.packed);
      g_clear_pointer (&message->samples.latencies, culprit_profile_free);
    }
  else if (message->type == CULPRIT_MESSAGE_BINS)
    g_clear_pointer (&message->latencies, culprit_profile_free);
}

void
culprit_message_unref (CulpritMessage *message)
{
  g_atomic_rc_box_release_full (message, message_clear);
}
