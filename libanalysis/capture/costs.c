/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up stretches and calls. Outside of windows, a stretch costs two additions and a comparison; windows are filled
 * as the walk passes them. Inside, what costs is added to nodes of the tree of calls; when a window ends, its nodes are
 * added up to what they cost with their callees, and to functions. */
#include "costs-private.h"

#include "budgets.h"
#include "nodes-private.h"
#include "stall-private.h"

/* A CPU and the windows on it. */
typedef struct
{
  const Stream *stream;
  GArray *windows; /* of guint: indices into the capture's windows, in order of time */
  guint next;      /* the one the walk is in, or the next one */
  guint64 start_ns;
  Cells cells; /* of an ordinary window, until it ends */
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
  Lane *lanes;
  guint n_lanes;
  const Lane *outlier_lane; /* NULL: there is none */
  Nodes nodes;
  Cells outlier_cells;
  StallSearch stall;
  GArray *parts;         /* of Part: of the window that ends */
  guint32 *part_indices; /* of parts, by function and context: one is valid only if the part it refers to agrees */
  guint32 *sum_indices;  /* of the capture's ordinary parts, likewise, plus one; 0: none */
} Costs;

static CulpritWindow *
lane_window (const Costs *costs, const Lane *lane)
{
  return &costs->windows[g_array_index (lane->windows, guint, lane->next)];
}

static Cells *
lane_cells (Costs *costs, Lane *lane)
{
  return lane_window (costs, lane)->outlier ? &costs->outlier_cells : &lane->cells;
}

static CulpritNodeCost *
cell_at (const Cells *cells, guint index)
{
  return &g_array_index (cells->cells, CulpritNodeCost, index);
}

/* The part of @window from @start_ns to @end_ns in which the CPU has no events, before or after a visit of @pid. */
static void
add_missing (Costs *costs, Lane *lane, CulpritWindow *window, guint64 start_ns, guint64 end_ns, gint32 pid)
{
  CulpritContext context = pid == 0             ? CULPRIT_CONTEXT_IDLE
                           : pid == window->pid ? CULPRIT_CONTEXT_MEASURED
                                                : CULPRIT_CONTEXT_TASK;

  if (end_ns <= start_ns)
    return;
  window->not_captured_ns += end_ns - start_ns;
  cells_find (lane_cells (costs, lane), &costs->nodes, nodes_not_captured (&costs->nodes, context))->self_ns +=
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

/* Finishes the lane's window: what is outside of the CPU's events, and the sums. */
static void
finish_window (Costs *costs, Lane *lane)
{
  CulpritWindow *window = lane_window (costs, lane);
  Cells *cells = lane_cells (costs, lane);
  const GArray *visits = lane->stream->visits;

  add_missing (costs, lane, window, window->start_ns, MIN (window->end_ns, stream_first_ns (lane->stream)),
               g_array_index (visits, Visit, 0).pid);
  add_missing (costs, lane, window, MAX (window->start_ns, stream_last_ns (lane->stream)), window->end_ns,
               g_array_index (visits, Visit, visits->len - 1).pid);
  for (guint i = 0; i < cells->cells->len; i++)
    {
      CulpritNodeCost *cell = cell_at (cells, i);
      const CulpritNode *node = nodes_at (&costs->nodes, cell->node);

      if (node->depth > 0 && node->function < CULPRIT_FUNCTION_PSEUDO)
        cell->total_ns = cell->self_ns;
      window->tracing_ns += cell->tracing_ns;
    }
  if (!window->outlier)
    sum_window (costs, window, cells);
  lane->next++;
  lane->start_ns = lane->next < lane->windows->len ? lane_window (costs, lane)->start_ns : G_MAXUINT64;
  costs->nodes.most = NODES_MOST;
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
  guint32 serial = g_array_index (lane->windows, guint, lane->next) + 1;

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
    stall_note (&costs->stall, stretch, start_ns, length_ns);
}

static void
add_to_windows (Costs *costs, Lane *lane, const Stretch *stretch)
{
  while (lane->next < lane->windows->len)
    {
      const CulpritWindow *window = lane_window (costs, lane);

      if (stretch->start_ns >= window->end_ns)
        {
          finish_window (costs, lane);
          continue;
        }
      if (stretch->end_ns > window->start_ns && stretch->end_ns > stretch->start_ns)
        add_part (costs, lane, stretch, MAX (stretch->start_ns, window->start_ns),
                  MIN (stretch->end_ns, window->end_ns));
      if (stretch->end_ns < window->end_ns)
        return;
      finish_window (costs, lane);
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
  if (G_LIKELY (frame->start_ns < lane->start_ns) || frame->start_ns >= lane_window (costs, lane)->end_ns)
    return;
  if (lane_window (costs, lane)->outlier)
    {
      costs->nodes.most = 2 * NODES_MOST;
      stall_note_event (&costs->stall, frame->function, TRUE);
    }
  nodes_place (&costs->nodes, task);
  count_call (costs, lane, g_array_index (lane->windows, guint, lane->next) + 1, frame);
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
      if (&costs->lanes[stream] == costs->outlier_lane)
        stall_note_event (&costs->stall, frame->function, FALSE);
      add_total (costs, frame, end_ns);
    }
}

static void
init_lanes (Costs *costs, const Walk *walk)
{
  costs->n_lanes = walk->streams->len;
  costs->lanes = g_new0 (Lane, costs->n_lanes);
  for (guint i = 0; i < costs->n_lanes; i++)
    {
      Lane *lane = &costs->lanes[i];

      lane->stream = g_ptr_array_index (walk->streams, i);
      lane->windows = g_array_new (FALSE, FALSE, sizeof (guint));
      for (guint w = 0; w < costs->capture->windows->len; w++)
        if (costs->windows[w].cpu == lane->stream->cpu && lane->stream->visits->len > 0)
          {
            g_array_append_val (lane->windows, w);
            if (costs->windows[w].outlier)
              costs->outlier_lane = lane;
          }
      cells_init (&lane->cells);
      lane->start_ns = lane->windows->len > 0 ? lane_window (costs, lane)->start_ns : G_MAXUINT64;
    }
}

static void
init (Costs *costs, const Session *session)
{
  CulpritCapture *capture = session->capture;
  gsize n_parts = (gsize) capture->functions->len * CULPRIT_CONTEXTS;

  *costs = (Costs) { .capture = capture,
                     .functions = (CulpritFunction *) (gpointer) capture->functions->data,
                     .windows = (CulpritWindow *) (gpointer) capture->windows->data,
                     .outlier = culprit_capture_outlier (capture),
                     .parts = g_array_new (FALSE, FALSE, sizeof (Part)),
                     .part_indices = g_new0 (guint32, n_parts),
                     .sum_indices = g_new0 (guint32, n_parts) };
  nodes_init (&costs->nodes, session);
  cells_init (&costs->outlier_cells);
  stall_begin (&costs->stall, costs->outlier);
  init_lanes (costs, session->walk);
}

static void
clear (Costs *costs)
{
  for (guint i = 0; i < costs->n_lanes; i++)
    {
      cells_clear (&costs->lanes[i].cells);
      g_array_unref (costs->lanes[i].windows);
    }
  g_free (costs->lanes);
  cells_clear (&costs->outlier_cells);
  nodes_clear (&costs->nodes);
  g_array_unref (costs->parts);
  g_free (costs->part_indices);
  g_free (costs->sum_indices);
}

void
costs_find (const Session *session)
{
  static const WalkOps ops = { .stretch = on_stretch, .enter = on_enter, .leave = on_leave, .looks_ahead = TRUE };
  CulpritCapture *capture = session->capture;
  Costs costs;

  init (&costs, session);
  walk_run (session->walk, &ops, &costs, -1);
  for (guint i = 0; i < costs.n_lanes; i++)
    while (costs.lanes[i].next < costs.lanes[i].windows->len)
      finish_window (&costs, &costs.lanes[i]);
  add_callees (&costs, &costs.outlier_cells);
  g_array_append_vals (capture->outlier_nodes, costs.outlier_cells.cells->data, costs.outlier_cells.cells->len);
  for (guint i = 0; i < capture->functions->len; i++)
    capture->truncated_calls += costs.functions[i].truncated;
  if (costs.outlier)
    stall_finish (&costs.stall, session->walk, capture);
  clear (&costs);
}
