/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A node is a source or, below it, the calls of one function by one path. A source begins where the context changes:
 * the stack below an interrupt belongs to what it struck. Soft interrupts are one source, and so are NMIs. */
#include "nodes-private.h"

#include "capture-private.h"
#include "names.h"

#define MOST_AHEAD 200 /* events from the beginning of an interrupt to its work; 12 where it strikes an idle CPU */
#define NOT_CAPTURED "[not captured]"
#define SOURCE_KEYS 0xffffff00 /* plus the context: in the key of a source, in place of a parent */

/* pid -> the kernel's priority plus one, from sched_switch events: those of the first CPU that has any of the task. */
static GHashTable *
find_priorities (const Session *session)
{
  GHashTable *priorities = g_hash_table_new (culprit_hash_direct, NULL);

  for (guint i = 0; i < session->streams->len; i++)
    {
      const Stream *stream = g_ptr_array_index (session->streams, i);
      GHashTableIter each;
      gpointer pid;
      gpointer priority;

      if (!stream->priorities)
        continue;
      g_hash_table_iter_init (&each, stream->priorities);
      while (g_hash_table_iter_next (&each, &pid, &priority))
        if (!g_hash_table_contains (priorities, pid))
          g_hash_table_insert (priorities, pid, priority);
    }
  return priorities;
}

void
nodes_init (Nodes *nodes, const Session *session)
{
  *nodes = (Nodes) { .session = session, .capture = session->capture, .most = NODES_MOST };
  nodes->keys.addresses = g_array_new (FALSE, FALSE, sizeof (guint64));
  addresses_init (&nodes->keys, 10);
  nodes->names = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, NULL);
  nodes->priorities = find_priorities (session);
}

void
nodes_clear (Nodes *nodes)
{
  g_array_unref (nodes->keys.addresses);
  addresses_clear (&nodes->keys);
  g_hash_table_unref (nodes->names);
  g_hash_table_unref (nodes->priorities);
}

/* The number of the source of @context with @number among those. A new one is added, without a name. */
static guint
find_source (Nodes *nodes, CulpritContext context, guint number)
{
  guint index = addresses_number (&nodes->keys, (guint64) (SOURCE_KEYS | context) << 32 | number);
  CulpritNode added = { .parent = CULPRIT_NODE_NONE, .context = context, .priority = -1 };

  if (index == nodes->capture->nodes->len)
    g_array_append_val (nodes->capture->nodes, added);
  return index;
}

static CulpritNode *
node_at (Nodes *nodes, guint index)
{
  return &g_array_index (nodes->capture->nodes, CulpritNode, index);
}

static const CulpritFunction *
function_at (const Nodes *nodes, guint function)
{
  return &g_array_index (nodes->capture->functions, CulpritFunction, function);
}

/* What the kernel does before and after the work of any interrupt. */
static gboolean
begins_interrupts (const char *name)
{
  return g_str_equal (name, "irq_enter_rcu") || g_str_equal (name, "irq_enter") || g_str_equal (name, "tick_irq_enter");
}

static gboolean
ends_interrupts (const char *name)
{
  return g_str_equal (name, "irq_exit_rcu") || g_str_equal (name, "irq_exit");
}

/* The next call of @task that is not below its call on top, which has just begun, if an interrupt makes it; else
 * NO_FUNCTION. */
static guint
peek_handler (const Nodes *nodes, const Task *task)
{
  const Stream *stream = g_ptr_array_index (nodes->session->streams, task->stream);
  EventReader reader = *task->events;
  guint depth = task->top + 1;

  for (guint i = 0; i < MOST_AHEAD && event_reader_next (&reader); i++)
    {
      if (reader.kind > PACKED_EXIT)
        continue;
      depth = reader.placed ? reader.depth : depth - (reader.kind == PACKED_EXIT);
      if (reader.kind == PACKED_ENTRY && (int) depth <= task->top)
        return reader.interrupts & INTERRUPT_HARD ? stream->functions[reader.function] : NO_FUNCTION;
      depth += reader.kind == PACKED_ENTRY;
    }
  return NO_FUNCTION;
}

void
nodes_enter_interrupt (const Nodes *nodes, Task *task, Frame *frame)
{
  const char *name = function_at (nodes, frame->function)->name;
  const Frame *below = frame - 1;
  guint handler;

  while (below >= task->frames && below->function == NO_FUNCTION)
    below--;
  if (below >= task->frames && below->context == frame->context)
    return;
  handler = begins_interrupts (name) ? peek_handler (nodes, task) : NO_FUNCTION;
  if (!ends_interrupts (name) || task->handler == 0)
    task->handler = (handler != NO_FUNCTION ? handler : frame->function) + 1;
  frame->node = task->handler;
  if (ends_interrupts (name))
    task->handler = 0;
}

/* A hard interrupt is known by the function that it begins with, after what all begin with. */
static guint
find_interrupt (Nodes *nodes, const Frame *frame)
{
  guint function = frame->node > 0 ? frame->node - 1 : frame->function;
  const CulpritFunction *first = function_at (nodes, function);
  guint index = find_source (nodes, frame->context, function);

  if (!nodes_at (nodes, index)->source)
    {
      g_autofree char *key = culprit_function_key (first->name, first->module, first->ordinal);

      node_at (nodes, index)->source = g_string_chunk_insert (nodes->capture->strings, key);
    }
  return index;
}

/* The source of @context called @name. */
static guint
find_named (Nodes *nodes, CulpritContext context, const char *name)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (nodes->names, name));
  guint index;

  if (number == 0)
    {
      number = g_hash_table_size (nodes->names) + 1;
      g_hash_table_insert (nodes->names, g_strdup (name), GUINT_TO_POINTER (number));
    }
  index = find_source (nodes, context, number);
  if (!nodes_at (nodes, index)->source)
    node_at (nodes, index)->source = g_string_chunk_insert (nodes->capture->strings, name);
  return index;
}

/* The source that @task is; tasks with the same name are one, and have the most urgent priority among them. */
static guint
find_task (Nodes *nodes, Task *task)
{
  if (task->source == 0)
    {
      g_autofree char *comm = task->pid != 0 ? capture_find_comm (nodes->session->file, task->pid) : g_strdup ("idle");
      gint priority = task->pid != 0
                          ? GPOINTER_TO_INT (g_hash_table_lookup (nodes->priorities, GINT_TO_POINTER (task->pid))) - 1
                          : -1;
      const char *name = !comm ? "unnamed task" : g_str_equal (comm, NOT_CAPTURED) ? "[not captured] (a task)" : comm;
      CulpritNode *node;

      task->source = find_named (nodes, task->context, name) + 1;
      node = node_at (nodes, task->source - 1);
      if (priority >= 0 && (node->priority < 0 || priority < node->priority))
        node->priority = priority;
    }
  return task->source - 1;
}

static gboolean
is_recursive (const Nodes *nodes, guint parent, guint function)
{
  for (const CulpritNode *node = nodes_at (nodes, parent); node->depth > 0; node = nodes_at (nodes, node->parent))
    if (node->function == function)
      return TRUE;
  return FALSE;
}

static guint
source_of (const Nodes *nodes, guint index)
{
  while (nodes_at (nodes, index)->depth > 0)
    index = nodes_at (nodes, index)->parent;
  return index;
}

/* The calls of @function by @parent. */
static guint
find_child (Nodes *nodes, guint parent, guint function)
{
  guint64 key;
  guint index;

  if (G_UNLIKELY (nodes_at (nodes, parent)->depth >= CULPRIT_NODES_DEEPEST))
    parent = nodes_at (nodes, parent)->parent;
  key = (guint64) parent << 32 | function;
  if (G_UNLIKELY (nodes->capture->nodes->len >= nodes->most) && !addresses_contain (&nodes->keys, key))
    {
      nodes->capture->folded_calls++;
      parent = source_of (nodes, parent);
      key = (guint64) parent << 32 | function;
    }
  index = addresses_number (&nodes->keys, key);
  if (index == nodes->capture->nodes->len)
    {
      CulpritNode added = *nodes_at (nodes, parent);

      added.parent = parent;
      added.function = function;
      added.recursive = is_recursive (nodes, parent, function);
      added.depth++;
      g_array_append_val (nodes->capture->nodes, added);
    }
  return index;
}

/* What the call in @frame is called by: the call below it in the same context, else its source. */
static guint
find_caller (Nodes *nodes, Task *task, const Frame *frame, const Frame *below)
{
  if (below && below->context == frame->context)
    return below->node;
  if (frame->context == task->context)
    return find_task (nodes, task);
  if (frame->context != CULPRIT_CONTEXT_HARDIRQ)
    return find_named (nodes, frame->context, culprit_context_name (frame->context));
  return find_interrupt (nodes, frame);
}

void
nodes_place (Nodes *nodes, Task *task)
{
  const Frame *below = NULL;
  int placed = task->top;

  while (placed >= 0 && (task->frames[placed].function == NO_FUNCTION || !(task->frames[placed].marks & MARK_PLACED)))
    placed--;
  if (placed >= 0)
    below = &task->frames[placed];
  for (int depth = placed + 1; depth <= task->top; depth++)
    {
      Frame *frame = &task->frames[depth];

      if (frame->function == NO_FUNCTION)
        continue;
      frame->node = find_child (nodes, find_caller (nodes, task, frame, below), frame->function);
      frame->marks |= MARK_PLACED;
      below = frame;
    }
}

guint
nodes_not_captured (Nodes *nodes, CulpritContext context)
{
  return find_child (nodes, find_named (nodes, context, NOT_CAPTURED), CULPRIT_FUNCTION_NOT_CAPTURED);
}

guint
nodes_owner (Nodes *nodes, const Stretch *stretch)
{
  Task *task = stretch->task;

  if (stretch->function == CULPRIT_FUNCTION_NOT_CAPTURED)
    return nodes_not_captured (nodes, stretch->context);
  if (stretch->function < CULPRIT_FUNCTION_PSEUDO)
    return find_child (nodes, find_task (nodes, task), stretch->function);
  if (G_UNLIKELY (!(task->frames[task->top].marks & MARK_PLACED)))
    nodes_place (nodes, task);
  return task->frames[task->top].node;
}

void
cells_init (Cells *cells)
{
  *cells = (Cells) { .cells = g_array_new (FALSE, FALSE, sizeof (CulpritNodeCost)) };
}

void
cells_clear (Cells *cells)
{
  g_array_unref (cells->cells);
  g_free (cells->indices);
}

/* Makes room for all nodes there are. */
static void
grow (Cells *cells, guint n_nodes)
{
  guint n = MAX (n_nodes, 2 * cells->n_indices);

  if (n_nodes <= cells->n_indices)
    return;
  cells->indices = g_renew (guint32, cells->indices, n);
  memset (cells->indices + cells->n_indices, 0, (n - cells->n_indices) * sizeof *cells->indices);
  cells->n_indices = n;
}

guint32
cells_search (Cells *cells, const Nodes *nodes, guint node)
{
  CulpritNodeCost added = { .node = node };
  guint parent = nodes_at (nodes, node)->parent;

  grow (cells, nodes->capture->nodes->len);
  if (parent != CULPRIT_NODE_NONE)
    cells_find (cells, nodes, parent);
  cells->indices[node] = cells->cells->len;
  g_array_append_val (cells->cells, added);
  return cells->indices[node];
}
