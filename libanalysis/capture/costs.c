/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up stretches and calls. Outside of windows, a stretch costs two additions and a comparison; windows are filled
 * as the walk passes them. Inside, what costs is added to nodes of the tree of calls; when a window ends, its nodes are
 * added up to what they cost with their callees, and to functions. */
#include "budgets.h"
#include "capture-private.h"
#include "capture/events/addresses-private.h"
#include "each.h"
#include "names.h"

typedef struct
{
  const Session *session;
  CulpritCapture *capture; /* whose nodes are numbered */
  Addresses keys;          /* what identifies each node */
  GHashTable *names;       /* of sources that are not identified by a function, and their numbers */
  GHashTable *priorities;  /* of tasks by pid, plus one */
  guint most;              /* paths are distinguished: a later one is folded into its source */
} Nodes;

#define NODES_MOST 50000 /* paths in the ordinary windows of a capture, and as many more in its outlier */

/* The costs of one window by node. A node comes after its parent, which is there even if it has no time of its own. */
typedef struct
{
  GArray *cells;    /* of CulpritNodeCost */
  guint32 *indices; /* of cells, by node: one is valid only if the cell it refers to agrees */
  guint n_indices;
} Cells;

/* An event at the beginning or end of a stretch. */
typedef struct
{
  guint32 function; /* NO_FUNCTION: there is none inside the window */
  gboolean entry;
} Neighbour;

typedef struct
{
  const CulpritPiece *piece; /* of the outlier, in which the walk is; NULL: none so far */
  CulpritStall longest;
  Neighbour last; /* the last event in the window */
  Neighbour before;
  Neighbour after;
  gboolean open; /* The next event ends the longest stretch so far. */
} StallSearch;

static guint32 cells_search (Cells *cells, const Nodes *nodes, guint node);

static inline const CulpritNode *
nodes_at (const Nodes *nodes, guint index)
{
  return &g_array_index (nodes->capture->nodes, CulpritNode, index);
}

static inline CulpritNodeCost *
cells_find (Cells *cells, const Nodes *nodes, guint node)
{
  guint32 index = G_LIKELY (node < cells->n_indices) ? cells->indices[node] : G_MAXUINT32;

  if (G_UNLIKELY (index >= cells->cells->len || g_array_index (cells->cells, CulpritNodeCost, index).node != node))
    index = cells_search (cells, nodes, node);
  return &g_array_index (cells->cells, CulpritNodeCost, index);
}

/* An event inside the window. */
static inline void
stall_note_event (StallSearch *search, guint32 function, gboolean entry)
{
  search->last = (Neighbour) { function, entry };
  if (G_LIKELY (!search->open))
    return;
  search->after = search->last;
  search->open = FALSE;
}

/* A node is a source or, below it, the calls of one function by one path. A source begins where the context changes:
 * the stack below an interrupt belongs to what it struck. Soft interrupts are one source, and so are NMIs. */

#define MOST_AHEAD 200 /* events from the beginning of an interrupt to its work; 12 where it strikes an idle CPU */
#define NOT_CAPTURED "[not captured]"
#define SOURCE_KEYS 0xffffff00 /* plus the context: in the key of a source, in place of a parent */

static void
add_priority (GHashTable *priorities, gint32 pid, gint priority)
{
  if (priority >= 0 && !g_hash_table_contains (priorities, GINT_TO_POINTER (pid)))
    g_hash_table_insert (priorities, GINT_TO_POINTER (pid), GINT_TO_POINTER (priority + 1));
}

/* pid -> the kernel's priority plus one: from the last sched_switch of the first CPU that has any of the task. */
static GHashTable *
find_priorities (const Session *session)
{
  GHashTable *priorities = g_hash_table_new (culprit_hash_direct, NULL);

  for (guint i = 0; i < session->streams->len; i++)
    {
      const GArray *scheduling = ((const Stream *) g_ptr_array_index (session->streams, i))->scheduling;

      for (guint k = scheduling->len; k > 0; k--)
        {
          const Scheduling *at = &g_array_index (scheduling, Scheduling, k - 1);

          if (at->waking)
            continue;
          add_priority (priorities, at->pid, at->priority);
          add_priority (priorities, at->left_pid, at->left_priority);
        }
    }
  return priorities;
}

/* Starts without a node. */
static void
nodes_init (Nodes *nodes, const Session *session, CulpritCapture *capture)
{
  *nodes = (Nodes) { .session = session, .capture = capture, .most = NODES_MOST };
  nodes->keys.addresses = g_array_new (FALSE, FALSE, sizeof (guint64));
  addresses_init (&nodes->keys, 10);
  nodes->names = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, NULL);
  nodes->priorities = find_priorities (session);
}

static void
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

/* Notes to which interrupt @frame belongs, the call on top of @task, which has just begun in a hard interrupt. */
static void
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

/* The task with @pid is the source at @index, or one of those that are. */
static void
add_urgency (Nodes *nodes, guint index, gint32 pid)
{
  gint priority = pid != 0 ? GPOINTER_TO_INT (g_hash_table_lookup (nodes->priorities, GINT_TO_POINTER (pid))) - 1 : -1;
  CulpritNode *node = node_at (nodes, index);

  if (priority >= 0 && (node->priority < 0 || priority < node->priority))
    node->priority = priority;
}

/* The source that @task is; tasks with the same name are one, and have the most urgent priority among them. */
static guint
find_task (Nodes *nodes, Task *task)
{
  if (task->source == 0)
    {
      g_autofree char *comm = task->pid != 0 ? session_find_comm (nodes->session, task->pid) : g_strdup ("idle");
      const char *name = !comm ? "unnamed task" : g_str_equal (comm, NOT_CAPTURED) ? "[not captured] (a task)" : comm;

      task->source = find_named (nodes, task->context, name) + 1;
      add_urgency (nodes, task->source - 1, task->pid);
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

/* Gives every open call of @task its node. */
static void
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

/* The node of the time that was not captured, while the CPU had a task with @context. */
static guint
nodes_not_captured (Nodes *nodes, CulpritContext context)
{
  return find_child (nodes, find_named (nodes, context, NOT_CAPTURED), CULPRIT_FUNCTION_NOT_CAPTURED);
}

/* The node that owns @stretch. */
static guint
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

static void
cells_init (Cells *cells)
{
  *cells = (Cells) { .cells = g_array_new (FALSE, FALSE, sizeof (CulpritNodeCost)) };
}

static void
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

/* The index of the cell of @node, if it is not the one that was found for it last. */
static guint32
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

/* Finds the longest stretch without an event, what is before and after it, and whether other CPUs were silent too. */

#define LOOK_BACK 4       /* times the length of a stall, before it */
#define SILENT_PERCENT 80 /* of a stall, during which a silent CPU has no event */
#define USUAL_PERCENT 60  /* of a stall, for which a CPU may have been silent before it, at most */

/* The walk comes to @piece of the outlier. */
static void
stall_begin (StallSearch *search, const CulpritPiece *piece)
{
  search->piece = piece;
  search->last = (Neighbour) { NO_FUNCTION, FALSE };
}

/* The part of @stretch inside the window, @length_ns from @start_ns on. */
static void
stall_note (StallSearch *search, const Stretch *stretch, guint64 start_ns, guint64 length_ns)
{
  const Neighbour none = { NO_FUNCTION, FALSE };

  if (length_ns <= search->longest.length_ns)
    return;
  search->longest = (CulpritStall) {
    .start_ns = start_ns, .length_ns = length_ns, .function = stretch->function, .context = stretch->context
  };
  search->before = start_ns > search->piece->start_ns ? search->last : none;
  search->after = none;
  search->open = start_ns + length_ns < search->piece->end_ns;
}

static const char *
name_neighbour (const Neighbour *neighbour, CulpritCapture *capture)
{
  g_autofree char *name = NULL;

  if (neighbour->function == NO_FUNCTION)
    return "";
  name = g_strdup_printf ("%s of %s", neighbour->entry ? "entry" : "exit",
                          g_array_index (capture->functions, CulpritFunction, neighbour->function).name);
  return g_string_chunk_insert (capture->strings, name);
}

/* The longest time without an event on @stream from @start_ns to @end_ns. */
static guint64
longest_silence (const Stream *stream, guint64 start_ns, guint64 end_ns)
{
  guint64 before_ns = start_ns;
  guint64 longest_ns = 0;

  for (guint i = 0; i < stream->visits->len && before_ns < end_ns; i++)
    {
      const Visit *visit = &g_array_index (stream->visits, Visit, i);
      EventReader reader;

      if (visit->end_ns < start_ns)
        continue;
      reader = stream_events (stream, visit);
      while (before_ns < end_ns && event_reader_next (&reader))
        if (reader.now_ns > before_ns)
          {
            longest_ns = MAX (longest_ns, MIN (reader.now_ns, end_ns) - before_ns);
            before_ns = reader.now_ns;
          }
    }
  return MAX (longest_ns, end_ns > before_ns ? end_ns - before_ns : 0);
}

/* Whether silence of @stream during @stall would mean something: shortly before, it was never silent for nearly as
 * long. */
static gboolean
could_tell (const Stream *stream, const CulpritStall *stall)
{
  guint64 first_ns = stream_first_ns (stream);
  guint64 look_ns = MIN (stall->length_ns * LOOK_BACK, stall->start_ns);
  guint64 from_ns = MAX (stall->start_ns - look_ns, first_ns);

  return stream->visits->len > 0 && from_ns + 2 * stall->length_ns <= stall->start_ns &&
         longest_silence (stream, from_ns, stall->start_ns) <= stall->length_ns * USUAL_PERCENT / 100;
}

static void
find_silence (const Walk *walk, guint cpu, CulpritStall *stall)
{
  for (guint i = 0; i < walk->streams->len && stall->length_ns > 0; i++)
    {
      const Stream *stream = g_ptr_array_index (walk->streams, i);

      if (stream->cpu == cpu || !could_tell (stream, stall))
        continue;
      stall->other_cpus++;
      stall->silent_cpus += longest_silence (stream, stall->start_ns, stall->start_ns + stall->length_ns) >=
                            stall->length_ns * SILENT_PERCENT / 100;
    }
}

/* Tells @capture of the longest stretch, and what the other CPUs did during it. */
static void
stall_finish (const StallSearch *search, const Walk *walk, CulpritCapture *capture)
{
  capture->stall = search->longest;
  capture->stall.cpu = search->piece->cpu;
  capture->stall.before = name_neighbour (&search->before, capture);
  capture->stall.after = name_neighbour (&search->after, capture);
  find_silence (walk, capture->stall.cpu, &capture->stall);
}

/* A CPU and the pieces of windows on it, of one layer. */
typedef struct
{
  const Stream *stream;
  GArray *pieces; /* of guint: indices into the capture's pieces, in order of time */
  guint next;     /* the one the walk is in, or the next one */
  guint64 start_ns;
  StallSearch stall; /* of the outlier */
} Lane;

/* What a function cost in one window, in one context. */
typedef struct
{
  guint function;
  CulpritContext context;
  guint64 calls;
  guint64 untraced_ns;
  guint64 longest_stretch_ns;
} Part;

typedef struct
{
  CulpritCapture *capture;
  CulpritFunction *functions;
  CulpritWindow *windows;
  const CulpritWindow *outlier;
  const CulpritPiece *pieces;
  Lane *lanes;
  guint n_lanes;
  gint32 measured;    /* the task of the layer; -1: no windows */
  GArray *blocked;    /* of guint: likewise, the pieces of the layer in which its task is blocked */
  guint next_blocked; /* the one that its next arrival ends */
  GArray *untraced;   /* of guint: likewise, those on CPUs without events */
  Cells **cells;      /* of each ordinary window, from its first piece until its last one ends */
  GPtrArray *spare;   /* of Cells: those that are empty */
  guint *pieces_left; /* of each window */
  Nodes nodes;
  Cells outlier_cells;
  GArray *parts;         /* of Part: of the window that ends */
  guint32 *part_indices; /* of parts, by function and context: one is valid only if the part it refers to agrees */
  guint32 *sum_indices;  /* of the capture's ordinary parts, likewise, plus one; 0: none */
} Costs;

static inline const CulpritPiece *
lane_piece (const Costs *costs, const Lane *lane)
{
  return &costs->pieces[g_array_index (lane->pieces, guint, lane->next)];
}

static inline CulpritWindow *
lane_window (const Costs *costs, const Lane *lane)
{
  return &costs->windows[lane_piece (costs, lane)->window];
}

static Cells *
cells_of (Costs *costs, guint window)
{
  if (costs->windows[window].outlier)
    return &costs->outlier_cells;
  if (G_UNLIKELY (!costs->cells[window]))
    {
      if (costs->spare->len > 0)
        costs->cells[window] = g_ptr_array_steal_index_fast (costs->spare, costs->spare->len - 1);
      else
        {
          costs->cells[window] = g_new (Cells, 1);
          cells_init (costs->cells[window]);
        }
    }
  return costs->cells[window];
}

static Cells *
lane_cells (Costs *costs, const Lane *lane)
{
  return cells_of (costs, lane_piece (costs, lane)->window);
}

static CulpritNodeCost *
cell_at (const Cells *cells, guint index)
{
  return &g_array_index (cells->cells, CulpritNodeCost, index);
}

/* The part of a piece from @start_ns to @end_ns in which its CPU has no events, before or after a visit of @pid. */
static void
add_missing (Costs *costs, guint index, guint64 start_ns, guint64 end_ns, gint32 pid)
{
  CulpritWindow *window = &costs->windows[index];
  CulpritContext context = pid == 0             ? CULPRIT_CONTEXT_IDLE
                           : pid == window->pid ? CULPRIT_CONTEXT_MEASURED
                                                : CULPRIT_CONTEXT_TASK;

  if (end_ns <= start_ns)
    return;
  window->not_captured_ns += end_ns - start_ns;
  cells_find (cells_of (costs, index), &costs->nodes, nodes_not_captured (&costs->nodes, context))->self_ns +=
      end_ns - start_ns;
}

/* When a window ends. */

/* Adds to each node what is below it; it comes after its parent. */
static void
add_callees (Costs *costs, Cells *cells)
{
  for (guint i = 0; i < cells->cells->len; i++)
    cell_at (cells, i)->with_callees_ns = cell_at (cells, i)->self_ns - cell_at (cells, i)->tracing_ns;
  for (guint i = cells->cells->len; i > 0; i--)
    {
      const CulpritNodeCost *cell = cell_at (cells, i - 1);
      const CulpritNode *node = nodes_at (&costs->nodes, cell->node);

      if (node->depth > 0)
        cells_find (cells, &costs->nodes, node->parent)->with_callees_ns += cell->with_callees_ns;
    }
}

static void
sum_node (Costs *costs, const CulpritNodeCost *cell)
{
  GArray *sums = costs->capture->ordinary_nodes;
  CulpritOrdinaryNode *sum;

  if (cell->node >= sums->len)
    g_array_set_size (sums, costs->capture->nodes->len);
  sum = &g_array_index (sums, CulpritOrdinaryNode, cell->node);
  sum->windows++;
  sum->calls += cell->calls;
  sum->self_ns += cell->self_ns;
  sum->tracing_ns += cell->tracing_ns;
  sum->calls_max = MAX (sum->calls_max, cell->calls);
  sum->with_callees_max_ns = MAX (sum->with_callees_max_ns, cell->with_callees_ns);
}

static guint
part_key (guint function, CulpritContext context)
{
  return function * CULPRIT_CONTEXTS + context;
}

static void
add_to_part (Costs *costs, const CulpritNodeCost *cell)
{
  const CulpritNode *node = nodes_at (&costs->nodes, cell->node);
  guint32 *index = &costs->part_indices[part_key (node->function, node->context)];
  Part added = { .function = node->function, .context = node->context };
  Part *part = *index < costs->parts->len ? &g_array_index (costs->parts, Part, *index) : NULL;

  if (!part || part->function != node->function || part->context != node->context)
    {
      *index = costs->parts->len;
      g_array_append_val (costs->parts, added);
      part = &g_array_index (costs->parts, Part, *index);
    }
  part->calls += cell->calls;
  part->untraced_ns += cell->self_ns - cell->tracing_ns;
  part->longest_stretch_ns = MAX (part->longest_stretch_ns, cell->longest_stretch_ns);
}

static void
sum_part (Costs *costs, const Part *part, guint64 window_untraced_ns)
{
  guint32 *index = &costs->sum_indices[part_key (part->function, part->context)];
  CulpritOrdinaryPart *sum;
  double untraced_ns = part->untraced_ns;

  if (*index == 0)
    {
      CulpritOrdinaryPart added = { .function = part->function, .context = part->context };

      g_array_append_val (costs->capture->ordinary_parts, added);
      *index = costs->capture->ordinary_parts->len;
    }
  sum = &g_array_index (costs->capture->ordinary_parts, CulpritOrdinaryPart, *index - 1);
  sum->windows++;
  sum->calls_max = MAX (sum->calls_max, part->calls);
  sum->stretch_max_ns = MAX (sum->stretch_max_ns, part->longest_stretch_ns);
  sum->intrinsic_squared += untraced_ns * untraced_ns;
  sum->intrinsic_untraced += untraced_ns * window_untraced_ns;
  culprit_spread_add (&sum->untraced_ns, part->untraced_ns);
}

/* Adds an ordinary window to the sums, and empties its @cells. */
static void
sum_window (Costs *costs, const CulpritWindow *window, Cells *cells)
{
  guint64 untraced_ns = culprit_window_latency_ns (window) - window->tracing_ns;

  add_callees (costs, cells);
  for (guint i = 0; i < cells->cells->len; i++)
    {
      sum_node (costs, cell_at (cells, i));
      if (nodes_at (&costs->nodes, cell_at (cells, i)->node)->depth > 0)
        add_to_part (costs, cell_at (cells, i));
    }
  for (guint i = 0; i < costs->parts->len; i++)
    sum_part (costs, &g_array_index (costs->parts, Part, i), untraced_ns);
  g_array_set_size (costs->parts, 0);
  g_array_set_size (cells->cells, 0);
}

/* One more piece of a window has ended; after the last, adds it to the sums. */
static void
end_piece (Costs *costs, guint index)
{
  CulpritWindow *window = &costs->windows[index];
  Cells *cells = cells_of (costs, index);

  if (--costs->pieces_left[index] > 0)
    return;
  for (guint i = 0; i < cells->cells->len; i++)
    {
      CulpritNodeCost *cell = cell_at (cells, i);
      const CulpritNode *node = nodes_at (&costs->nodes, cell->node);

      if (node->depth > 0 && node->function < CULPRIT_FUNCTION_PSEUDO)
        cell->total_ns = cell->self_ns;
      window->tracing_ns += cell->tracing_ns;
    }
  if (!window->outlier)
    {
      sum_window (costs, window, cells);
      g_ptr_array_add (costs->spare, g_steal_pointer (&costs->cells[index]));
    }
}

/* The walk comes to the lane's next piece. */
static void
begin_piece (Costs *costs, Lane *lane)
{
  lane->start_ns = lane->next < lane->pieces->len ? lane_piece (costs, lane)->start_ns : G_MAXUINT64;
  if (lane->next < lane->pieces->len && lane_window (costs, lane)->outlier)
    stall_begin (&lane->stall, lane_piece (costs, lane));
}

/* Finishes the lane's piece: what is outside of the CPU's events. */
static void
finish_piece (Costs *costs, Lane *lane)
{
  const CulpritPiece *piece = lane_piece (costs, lane);
  const GArray *visits = lane->stream->visits;

  add_missing (costs, piece->window, piece->start_ns, MIN (piece->end_ns, stream_first_ns (lane->stream)),
               g_array_index (visits, Visit, 0).pid);
  add_missing (costs, piece->window, MAX (piece->start_ns, stream_last_ns (lane->stream)), piece->end_ns,
               g_array_index (visits, Visit, visits->len - 1).pid);
  end_piece (costs, piece->window);
  lane->next++;
  begin_piece (costs, lane);
  costs->nodes.most = NODES_MOST;
}

/* The source that blocked time has: who woke the task. */
static guint
find_waker (Nodes *nodes, const CulpritPiece *piece)
{
  gboolean task = piece->waker_context == CULPRIT_CONTEXT_TASK;
  g_autofree char *comm = task && piece->waker > 0 ? session_find_comm (nodes->session, piece->waker) : NULL;
  const char *name = !task                                       ? culprit_context_name (piece->waker_context)
                     : comm && !g_str_equal (comm, NOT_CAPTURED) ? comm
                     : piece->waker == 0                         ? "idle"
                                                                 : "unnamed task";
  guint index = find_named (nodes, CULPRIT_CONTEXT_BLOCKED, name);

  if (task)
    add_urgency (nodes, index, piece->waker);
  return index;
}

/* The next piece in which the layer's task is blocked: below who woke it, the time belongs to the calls in which it
 * waited, those of @task; NULL: they are not known. */
static void
add_blocked (Costs *costs, const Task *task)
{
  const CulpritPiece *piece = &costs->pieces[g_array_index (costs->blocked, guint, costs->next_blocked)];
  Nodes *nodes = &costs->nodes;
  CulpritNodeCost *cell;
  guint node;

  if (costs->windows[piece->window].outlier)
    nodes->most = 2 * NODES_MOST;
  node = find_waker (nodes, piece);
  for (int depth = 0; task && depth <= task->top; depth++)
    if (task->frames[depth].function != NO_FUNCTION && task->frames[depth].context == task->context)
      node = find_child (nodes, node, task->frames[depth].function);
  cell = cells_find (cells_of (costs, piece->window), nodes, find_child (nodes, node, CULPRIT_FUNCTION_BLOCKED));
  cell->calls++;
  cell->self_ns += piece->end_ns - piece->start_ns;
  nodes->most = NODES_MOST;
  end_piece (costs, piece->window);
  costs->next_blocked++;
}

/* A task comes to a CPU, with the calls with which it left one. */
static inline void
on_arrive (gpointer data, const Visit *visit, Task *task)
{
  Costs *costs = data;

  if (G_LIKELY (task->context != CULPRIT_CONTEXT_MEASURED))
    return;
  while (costs->next_blocked < costs->blocked->len &&
         costs->pieces[g_array_index (costs->blocked, guint, costs->next_blocked)].end_ns <= visit->start_ns)
    add_blocked (costs, task);
}

/* While the walk is in a window. */

/* Counts an open call, which has its node, in the lane's window, once. */
static void
count_call (Costs *costs, Lane *lane, guint32 serial, Frame *frame)
{
  if (frame->function == NO_FUNCTION || frame->window == serial)
    return;
  frame->window = serial;
  cells_find (lane_cells (costs, lane), &costs->nodes, frame->node)->calls++;
  if (lane_window (costs, lane)->outlier)
    frame->marks |= MARK_IN_OUTLIER;
}

static void
count_stack (Costs *costs, Lane *lane, Task *task)
{
  guint32 serial = lane_piece (costs, lane)->window + 1;

  if (task->window == serial)
    return;
  task->window = serial;
  nodes_place (&costs->nodes, task);
  for (int depth = 0; depth <= task->top; depth++)
    count_call (costs, lane, serial, &task->frames[depth]);
}

/* The part of @stretch inside the lane's window. */
static void
add_part (Costs *costs, Lane *lane, const Stretch *stretch, guint64 start_ns, guint64 end_ns)
{
  CulpritWindow *window = lane_window (costs, lane);
  guint64 length_ns = end_ns - start_ns;
  CulpritNodeCost *cell;

  if (window->outlier)
    costs->nodes.most = 2 * NODES_MOST;
  if (!stretch->lost)
    count_stack (costs, lane, stretch->task);
  cell = cells_find (lane_cells (costs, lane), &costs->nodes, nodes_owner (&costs->nodes, stretch));
  cell->self_ns += length_ns;
  cell->tracing_ns += MIN (length_ns, stretch->floor_ns);
  if (stretch->function == CULPRIT_FUNCTION_NOT_CAPTURED)
    {
      window->not_captured_ns += length_ns;
      return;
    }
  cell->longest_stretch_ns = MAX (cell->longest_stretch_ns, length_ns);
  if (window->outlier)
    stall_note (&lane->stall, stretch, start_ns, length_ns);
}

static void
add_to_windows (Costs *costs, Lane *lane, const Stretch *stretch)
{
  while (lane->next < lane->pieces->len)
    {
      const CulpritPiece *piece = lane_piece (costs, lane);

      if (stretch->start_ns >= piece->end_ns)
        {
          finish_piece (costs, lane);
          continue;
        }
      if (stretch->end_ns > piece->start_ns && stretch->end_ns > stretch->start_ns)
        add_part (costs, lane, stretch, MAX (stretch->start_ns, piece->start_ns), MIN (stretch->end_ns, piece->end_ns));
      if (stretch->end_ns < piece->end_ns)
        return;
      finish_piece (costs, lane);
    }
}

static inline void
on_stretch (gpointer data, const Stretch *stretch)
{
  Costs *costs = data;
  guint64 length_ns = stretch->end_ns - stretch->start_ns;
  CulpritFunction *function = &costs->functions[stretch->function];
  Lane *lane = &costs->lanes[stretch->stream_index];

  function->self_ns += length_ns;
  function->tracing_ns += MIN (length_ns, stretch->floor_ns);
  if (G_UNLIKELY (stretch->end_ns > lane->start_ns))
    add_to_windows (costs, lane, stretch);
}

static inline void
on_enter (gpointer data, guint stream, Task *task, Frame *frame)
{
  Costs *costs = data;
  Lane *lane = &costs->lanes[stream];

  if (frame->context == CULPRIT_CONTEXT_HARDIRQ)
    nodes_enter_interrupt (&costs->nodes, task, frame);
  if (G_LIKELY (frame->start_ns < lane->start_ns) || frame->start_ns >= lane_piece (costs, lane)->end_ns)
    return;
  if (lane_window (costs, lane)->outlier)
    {
      costs->nodes.most = 2 * NODES_MOST;
      stall_note_event (&lane->stall, frame->function, TRUE);
    }
  nodes_place (&costs->nodes, task);
  count_call (costs, lane, lane_piece (costs, lane)->window + 1, frame);
}

/* The outlier window's part of a call that ended. */
static void
add_total (Costs *costs, const Frame *frame, guint64 end_ns)
{
  CulpritNodeCost *cell = cells_find (&costs->outlier_cells, &costs->nodes, frame->node);
  guint64 start_ns = MAX (frame->start_ns, costs->outlier->start_ns);

  end_ns = MIN (end_ns, costs->outlier->end_ns);
  if (end_ns > start_ns)
    cell->total_ns += end_ns - start_ns;
  if (frame->marks & MARK_TRUNCATED)
    cell->truncated++;
}

static inline void
on_leave (gpointer data, guint stream, Task *task, Frame *frame, guint64 end_ns)
{
  Costs *costs = data;
  CulpritFunction *function = &costs->functions[frame->function];

  function->calls++;
  if (G_LIKELY (!(frame->marks & MARK_INNER)))
    {
      /* A call may have slept since long before the capture began, by its own account. */
      function->total_ns = MIN (function->total_ns + (end_ns - frame->start_ns), MAX_SUM);
      function->off_cpu_ns = MIN (function->off_cpu_ns + (task->off_ns - frame->off_before_ns), MAX_SUM);
    }
  if (G_UNLIKELY (frame->marks & (MARK_TRUNCATED | MARK_IN_OUTLIER)))
    {
      function->truncated += (frame->marks & MARK_TRUNCATED) != 0;
      if (!(frame->marks & MARK_IN_OUTLIER))
        return;
      if (costs->lanes[stream].stall.piece)
        stall_note_event (&costs->lanes[stream].stall, frame->function, FALSE);
      add_total (costs, frame, end_ns);
    }
}

/* Prepares the windows of @layer, and finds whose they are. */
static void
init_lanes (Costs *costs, const Walk *walk, guint layer)
{
  g_autofree gint *lanes = g_new (gint, G_MAXUINT16 + 1); /* by CPU; -1: it has no events */

  memset (lanes, -1, (G_MAXUINT16 + 1) * sizeof *lanes);
  costs->n_lanes = walk->streams->len;
  costs->lanes = g_new0 (Lane, costs->n_lanes);
  costs->blocked = g_array_new (FALSE, FALSE, sizeof (guint));
  costs->next_blocked = 0;
  costs->untraced = g_array_new (FALSE, FALSE, sizeof (guint));
  costs->measured = -1;
  for (guint i = 0; i < costs->n_lanes; i++)
    {
      Lane *lane = &costs->lanes[i];

      lane->stream = g_ptr_array_index (walk->streams, i);
      lane->pieces = g_array_new (FALSE, FALSE, sizeof (guint));
      if (lane->stream->visits->len > 0 && lane->stream->cpu <= G_MAXUINT16)
        lanes[lane->stream->cpu] = i;
    }
  for (guint i = 0; i < costs->capture->pieces->len; i++)
    {
      const CulpritPiece *piece = &costs->pieces[i];
      gint lane = piece->blocked || piece->cpu > G_MAXUINT16 ? -1 : lanes[piece->cpu];

      if (costs->windows[piece->window].layer != layer)
        continue;
      costs->measured = costs->windows[piece->window].pid;
      costs->pieces_left[piece->window]++;
      if (lane >= 0)
        g_array_append_val (costs->lanes[lane].pieces, i);
      else
        g_array_append_val (piece->blocked ? costs->blocked : costs->untraced, i);
    }
  for (guint i = 0; i < costs->n_lanes; i++)
    begin_piece (costs, &costs->lanes[i]);
}

/* Finishes the windows of the layer, after the walk. */
static void
finish_lanes (Costs *costs)
{
  while (costs->next_blocked < costs->blocked->len)
    add_blocked (costs, NULL);
  for (guint i = 0; i < costs->n_lanes; i++)
    while (costs->lanes[i].next < costs->lanes[i].pieces->len)
      finish_piece (costs, &costs->lanes[i]);
  for (guint i = 0; i < costs->untraced->len; i++)
    {
      const CulpritPiece *piece = &costs->pieces[g_array_index (costs->untraced, guint, i)];

      add_missing (costs, piece->window, piece->start_ns, piece->end_ns, costs->windows[piece->window].pid);
      end_piece (costs, piece->window);
    }
}

static void
clear_lanes (Costs *costs)
{
  for (guint i = 0; i < costs->n_lanes; i++)
    g_array_unref (costs->lanes[i].pieces);
  g_clear_pointer (&costs->lanes, g_free);
  g_clear_pointer (&costs->blocked, g_array_unref);
  g_clear_pointer (&costs->untraced, g_array_unref);
}

static void
free_cells (gpointer cells)
{
  cells_clear (cells);
  g_free (cells);
}

static void
init (Costs *costs, const Session *session, CulpritCapture *capture)
{
  gsize n_parts = (gsize) capture->functions->len * CULPRIT_CONTEXTS;

  *costs = (Costs) { .capture = capture,
                     .functions = (CulpritFunction *) (gpointer) capture->functions->data,
                     .windows = (CulpritWindow *) (gpointer) capture->windows->data,
                     .outlier = culprit_capture_outlier (capture),
                     .pieces = (const CulpritPiece *) (gpointer) capture->pieces->data,
                     .cells = g_new0 (Cells *, capture->windows->len + 1),
                     .spare = g_ptr_array_new_with_free_func (free_cells),
                     .pieces_left = g_new0 (guint, capture->windows->len + 1),
                     .parts = g_array_new (FALSE, FALSE, sizeof (Part)),
                     .part_indices = g_new0 (guint32, n_parts),
                     .sum_indices = g_new0 (guint32, n_parts) };
  nodes_init (&costs->nodes, session, capture);
  cells_init (&costs->outlier_cells);
}

static void
clear (Costs *costs)
{
  g_free (costs->cells);
  g_ptr_array_unref (costs->spare);
  g_free (costs->pieces_left);
  cells_clear (&costs->outlier_cells);
  nodes_clear (&costs->nodes);
  g_array_unref (costs->parts);
  g_free (costs->part_indices);
  g_free (costs->sum_indices);
}

/* Whether the sums over the functions are no more than MAX_SUM. */
static gboolean
check_sums (const Session *session, const CulpritCapture *capture, GError **error)
{
  guint64 lost = 0;

  for (guint i = 0; i < capture->cpus->len; i++)
    {
      const CulpritCpu *cpu = &g_array_index (capture->cpus, CulpritCpu, i);

      lost = MIN (lost + MIN (cpu->lost_events, MAX_SUM) + MIN (cpu->overwritten_events, MAX_SUM), MAX_SUM);
    }
  if (lost >= MAX_SUM)
    return capture_damaged (session->path, error, "its lost events are too many to add up");
  for (guint i = 0; i < capture->functions->len; i++)
    {
      const CulpritFunction *function = &g_array_index (capture->functions, CulpritFunction, i);

      if (function->self_ns > MAX_SUM)
        return capture_damaged (session->path, error, "the times of %s are too long to add up", function->name);
    }
  return TRUE;
}

/* The walk is divided among threads by tasks, whose calls depend on nothing else. Windows depend on the tasks that had
 * the CPU in them; these are the first share's. The number of shares, and so that of each node, is the same everywhere.
 */

#define SHARES 4

typedef struct
{
  Walk *walk;
  Costs costs[SHARES];
  guint8 *members[SHARES]; /* for each task whether it is in this share */
} Shares;

typedef struct
{
  guint task;
  guint64 words;      /* of its events */
  gboolean in_window; /* It had the CPU in one. */
} Load;

static int
compare_loads (gconstpointer a, gconstpointer b)
{
  const Load *left = a;
  const Load *right = b;

  if (left->in_window != right->in_window)
    return left->in_window ? -1 : 1;
  if (left->words != right->words)
    return left->words > right->words ? -1 : 1;
  return left->task < right->task ? -1 : 1;
}

/* Of each task, those in a window first, then the largest. */
static GArray *
find_loads (const Walk *walk, const Costs *costs)
{
  GArray *loads = g_array_new (FALSE, TRUE, sizeof (Load));
  g_autofree guint *next = g_new0 (guint, costs->n_lanes + 1); /* of the lane's windows */

  g_array_set_size (loads, walk->tasks->len);
  for (guint i = 0; i < loads->len; i++)
    g_array_index (loads, Load, i).task = i;
  for (guint i = 0; i < walk->steps->len; i++)
    {
      const Step *step = &g_array_index (walk->steps, Step, i);
      const Visit *visit = step->visit;
      const Lane *lane = &costs->lanes[visit->stream];
      const Visit *after = walk_next (lane->stream, visit);
      const CulpritPiece *piece = NULL;
      Load *load = &g_array_index (loads, Load, step->task);

      load->words += visit->n_words;
      for (; next[visit->stream] < lane->pieces->len; next[visit->stream]++)
        {
          piece = &costs->pieces[g_array_index (lane->pieces, guint, next[visit->stream])];
          if (piece->end_ns >= visit->start_ns)
            break;
        }
      if (next[visit->stream] < lane->pieces->len && piece->start_ns <= (after ? after->start_ns : visit->end_ns))
        load->in_window = TRUE;
    }
  g_array_sort (loads, compare_loads);
  return loads;
}

/* Gives each task to the share that has least so far, but those in windows to the first. */
static void
divide_tasks (Shares *shares, const GArray *loads)
{
  guint64 words[SHARES] = { 0 };

  for (guint i = 0; i < SHARES; i++)
    shares->members[i] = g_new0 (guint8, loads->len + 1);
  for (guint i = 0; i < loads->len; i++)
    {
      const Load *load = &g_array_index (loads, Load, i);
      guint least = 0;

      for (guint share = 1; share < SHARES && !load->in_window; share++)
        if (words[share] < words[least])
          least = share;
      words[least] += load->words;
      shares->members[least][load->task] = TRUE;
    }
}

static void
walk_share (gpointer data, guint share)
{
  static const WalkOps ops = {
    .stretch = on_stretch, .enter = on_enter, .leave = on_leave, .arrive = on_arrive, .looks_ahead = TRUE
  };
  Shares *shares = data;

  walk_run (shares->walk, &ops, &shares->costs[share], shares->members[share]);
}

/* For a share that has nothing to do with windows: only its functions are counted. */
static void
init_without_windows (Costs *costs, const Costs *first)
{
  *costs =
      (Costs) { .capture = first->capture,
                .functions = g_memdup2 (first->functions, first->capture->functions->len * sizeof *costs->functions),
                .lanes = g_new0 (Lane, first->n_lanes),
                .blocked = first->blocked,
                .next_blocked = first->blocked->len,
                .n_lanes = first->n_lanes,
                .nodes = { .session = first->nodes.session, .capture = first->capture } };
  for (guint i = 0; i < costs->n_lanes; i++)
    costs->lanes[i].start_ns = G_MAXUINT64;
}

/* Adds the functions of @share to the first share's, which are the capture's, and frees it. */
static void
merge (Costs *first, Costs *share)
{
  for (guint i = 0; i < first->capture->functions->len; i++)
    {
      CulpritFunction *sum = &first->functions[i];
      const CulpritFunction *added = &share->functions[i];

      sum->calls += added->calls;
      sum->self_ns += added->self_ns;
      sum->tracing_ns += added->tracing_ns;
      sum->total_ns = MIN (sum->total_ns + added->total_ns, MAX_SUM);
      sum->off_cpu_ns = MIN (sum->off_cpu_ns + added->off_cpu_ns, MAX_SUM);
      sum->truncated += added->truncated;
    }
  g_free (share->functions);
  g_free (share->lanes);
}

/* Walks over all tasks. */
static void
walk_all (Shares *shares)
{
  g_autoptr (GArray) loads = find_loads (shares->walk, &shares->costs[0]);

  divide_tasks (shares, loads);
  for (guint i = 1; i < SHARES; i++)
    init_without_windows (&shares->costs[i], &shares->costs[0]);
  culprit_each (SHARES, walk_share, shares);
  for (guint i = 1; i < SHARES; i++)
    merge (&shares->costs[0], &shares->costs[i]);
  for (guint i = 0; i < SHARES; i++)
    g_free (shares->members[i]);
}

/* Walks again, over the tasks in the windows of a layer that is not the first. */
static void
walk_layer (Shares *shares)
{
  Costs *costs = &shares->costs[0];
  g_autoptr (GArray) loads = find_loads (shares->walk, costs);
  g_autofree CulpritFunction *counted =
      g_memdup2 (costs->functions, costs->capture->functions->len * sizeof *costs->functions);
  CulpritFunction *functions = costs->functions;

  costs->functions = counted;
  divide_tasks (shares, loads);
  for (guint i = 0; i < loads->len; i++)
    {
      const Load *load = &g_array_index (loads, Load, i);

      shares->members[0][load->task] = load->in_window;
    }
  walk_share (shares, 0);
  costs->functions = functions;
  for (guint i = 0; i < SHARES; i++)
    g_free (shares->members[i]);
}

/* The longest stretch on any of the CPUs of the outlier. */
static void
find_stall (const Costs *costs, const Walk *walk)
{
  const StallSearch *longest = NULL;

  for (guint i = 0; i < costs->n_lanes; i++)
    {
      const StallSearch *stall = &costs->lanes[i].stall;

      if (stall->piece && (!longest || stall->longest.length_ns > longest->longest.length_ns))
        longest = stall;
    }
  if (longest)
    stall_finish (longest, walk, costs->capture);
}

gboolean
costs_find (const Session *session, Walk *walk, CulpritCapture *capture, GError **error)
{
  Shares shares = { .walk = walk };
  Costs *costs = &shares.costs[0];
  guint n_layers = 1;

  for (guint i = 0; i < capture->windows->len; i++)
    n_layers = MAX (n_layers, g_array_index (capture->windows, CulpritWindow, i).layer + 1);
  init (costs, session, capture);
  for (guint layer = 0; layer < n_layers; layer++)
    {
      init_lanes (costs, walk, layer);
      if (costs->measured >= 0)
        walk_measure (walk, costs->measured);
      if (layer == 0)
        walk_all (&shares);
      else
        walk_layer (&shares);
      finish_lanes (costs);
      find_stall (costs, walk);
      clear_lanes (costs);
    }
  add_callees (costs, &costs->outlier_cells);
  g_array_append_vals (capture->outlier_nodes, costs->outlier_cells.cells->data, costs->outlier_cells.cells->len);
  for (guint i = 0; i < capture->functions->len; i++)
    capture->truncated_calls += costs->functions[i].truncated;
  clear (costs);
  return check_sums (session, capture, error);
}
