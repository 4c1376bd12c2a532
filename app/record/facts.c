/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads facts. A fact that makes no sense is ignored: targets differ, and the doctor works with what there is. */
#include "facts.h"

#include "members.h"

#define MOST_IDLE_STATES 10 /* as many as the kernel has */
#define MOST_TRACERS 100

#define AT(type, name) #name, G_STRUCT_OFFSET(type, name)

static const Member members[] = {
  { AT (CulpritFacts, host), MEMBER_TEXT },
  { AT (CulpritFacts, kernel), MEMBER_TEXT },
  { AT (CulpritFacts, machine), MEMBER_TEXT },
  { AT (CulpritFacts, preemption), MEMBER_TEXT },
  { AT (CulpritFacts, transparent_hugepage), MEMBER_TEXT },
  { AT (CulpritFacts, clocksource), MEMBER_TEXT },
  { AT (CulpritFacts, tracefs), MEMBER_TEXT },
  { AT (CulpritFacts, current_tracer), MEMBER_TEXT },
  { AT (CulpritFacts, temporary_folder), MEMBER_TEXT },
  { AT (CulpritFacts, root), MEMBER_FLAG },
  { AT (CulpritFacts, virtual_machine), MEMBER_FLAG },
  { AT (CulpritFacts, dma_latency), MEMBER_FLAG },
  { AT (CulpritFacts, delay_accounting), MEMBER_FLAG },
  { AT (CulpritFacts, trace_cmd), MEMBER_FLAG },
  { AT (CulpritFacts, unrestored), MEMBER_FLAG },
  { AT (CulpritFacts, rt_runtime_us), MEMBER_NUMBER, -1, G_MAXINT64, -1 },
  { AT (CulpritFacts, rt_period_us), MEMBER_NUMBER, 1, G_MAXINT64, 1000000 },
  { AT (CulpritFacts, timer_migration), MEMBER_NUMBER, 0, G_MAXINT64, 0 },
  { AT (CulpritFacts, nmi_watchdog), MEMBER_NUMBER, 0, G_MAXINT64, 0 },
  { AT (CulpritFacts, kptr_restrict), MEMBER_NUMBER, 0, G_MAXINT64, 0 },
  { AT (CulpritFacts, enabled_events), MEMBER_NUMBER, 0, G_MAXINT64, 0 },
  { AT (CulpritFacts, trace_entries), MEMBER_NUMBER, 0, G_MAXINT64, 0 },
  { AT (CulpritFacts, steal_ns), MEMBER_NUMBER, 0, G_MAXINT64, 0 },
  { AT (CulpritFacts, temporary_free_bytes), MEMBER_NUMBER, 0, G_MAXINT64, -1 },
  { AT (CulpritFacts, memory_available_kb), MEMBER_NUMBER, 0, G_MAXINT64, -1 },
  { 0 },
};

static const Member cpu_members[] = {
  { AT (CulpritCpuFacts, cpu), MEMBER_NUMBER, 0, CULPRIT_MOST_CPUS - 1, 0 },
  { AT (CulpritCpuFacts, smi_count), MEMBER_NUMBER, 0, G_MAXINT64, -1 },
  { AT (CulpritCpuFacts, isolated), MEMBER_FLAG },
  { AT (CulpritCpuFacts, governor), MEMBER_TEXT },
  { 0 },
};

static const Member idle_members[] = {
  { AT (CulpritIdleState, name), MEMBER_TEXT },
  { AT (CulpritIdleState, latency_us), MEMBER_NUMBER, 0, G_MAXINT64, 0 },
  { AT (CulpritIdleState, disabled), MEMBER_FLAG },
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

void
culprit_facts_read (JsonObject *object, CulpritFacts *facts)
{
  members_read (object, members, facts);
  facts->cpus = read_objects (object, "cpus", CULPRIT_MOST_CPUS, cpu_members, sizeof (CulpritCpuFacts), clear_cpu);
  facts->idle_states =
      read_objects (object, "idle_states", MOST_IDLE_STATES, idle_members, sizeof (CulpritIdleState), clear_idle_state);
  facts->tracers = read_tracers (object);
}

void
culprit_facts_clear (CulpritFacts *facts)
{
  members_clear (members, facts);
  g_array_unref (facts->cpus);
  g_array_unref (facts->idle_states);
  g_ptr_array_unref (facts->tracers);
}
