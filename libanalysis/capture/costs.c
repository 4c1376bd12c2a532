/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up stretches and calls. Outside of windows, a stretch costs two additions and a comparison; windows are filled
 * as the walk passes them. */
#include "costs-private.h"

#include "cells-private.h"
#include "ordinary-private.h"
#include "sources-private.h"
#include "tree-private.h"

#include <stdlib.h>

/* An event at the beginning or end of a stretch. */
typedef struct
{
  guint32 function;
  gboolean entry;
} Neighbour;

/* A CPU and the windows on it. */
typedef struct
{
  const Stream *stream;
  GArray *windows; /* of guint: indices into the capture's windows, in order of time */
  guint next;      /* the one the walk is in, or the next one */
  guint64 start_ns;
  Neighbour last;  /* the last event on it inside a window */
  gboolean stalls; /* The next event ends the longest stretch so far. */
  Cells cells;     /* of an ordinary window, until it ends */
  Sources sources; /* likewise */
} Lane;

typedef struct
{
  CulpritCapture *capture;
  CulpritFunction *functions;
  CulpritWindow *windows;
  const CulpritWindow *outlier;
  Lane *lanes;
  guint n_lanes;
  Cells outlier_cells;
  Sources outlier_sources;
  Sources ordinary_sources;
  TreeBuild tree; /* for the outlier window */
  Neighbour before_stall;
  Neighbour after_stall;
  Ordinary ordinary;
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

static Sources *
lane_sources (Costs *costs, Lane *lane)
{
  return lane_window (costs, lane)->outlier ? &costs->outlier_sources : &lane->sources;
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
  cells_find (lane_cells (costs, lane), CULPRIT_FUNCTION_NOT_CAPTURED, context)->self_ns += end_ns - start_ns;
  sources_add (lane_sources (costs, lane), costs->capture,
               &(Stretch) { .task = &(Task) { .pid = pid, .top = -1 }, .context = context }, end_ns - start_ns, 0);
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
      CulpritCost *cell = &g_array_index (cells->cells, CulpritCost, i);

      if (cell->function < CULPRIT_FUNCTION_PSEUDO)
        cell->total_ns = cell->self_ns;
      window->tracing_ns += cell->tracing_ns;
    }
  for (guint i = 0; i < cells->cells->len && !window->outlier; i++)
    ordinary_add (&costs->ordinary, &g_array_index (cells->cells, CulpritCost, i), window);
  if (!window->outlier)
    {
      g_array_set_size (cells->cells, 0);
      sources_sum (&costs->ordinary_sources, &lane->sources);
    }
  lane->next++;
  lane->start_ns = lane->next < lane->windows->len ? lane_window (costs, lane)->start_ns : G_MAXUINT64;
}

/* Counts an open call in the lane's window, once. */
static void
count_call (Costs *costs, Lane *lane, guint32 serial, Frame *frame)
{
  if (frame->function == NO_FUNCTION || frame->window == serial)
    return;
  frame->window = serial;
  cells_find (lane_cells (costs, lane), frame->function, frame->context)->calls++;
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
  for (int depth = 0; depth <= task->top; depth++)
    count_call (costs, lane, serial, &task->frames[depth]);
}

static void
note_stall (Costs *costs, Lane *lane, const Stretch *stretch, guint64 start_ns, guint64 length_ns)
{
  CulpritStall *stall = &costs->capture->stall;

  if (length_ns <= stall->length_ns)
    return;
  *stall = (CulpritStall) {
    .start_ns = start_ns, .length_ns = length_ns, .function = stretch->function, .context = stretch->context
  };
  costs->before_stall = start_ns > costs->outlier->start_ns ? lane->last : (Neighbour) { NO_FUNCTION, FALSE };
  costs->after_stall.function = NO_FUNCTION;
  lane->stalls = start_ns + length_ns < costs->outlier->end_ns;
}

/* An event on @lane inside a window. */
static inline void
note_event (Costs *costs, Lane *lane, guint32 function, gboolean entry)
{
  lane->last = (Neighbour) { function, entry };
  if (G_LIKELY (!lane->stalls))
    return;
  costs->after_stall = lane->last;
  lane->stalls = FALSE;
}

/* The part of @stretch inside the lane's window. */
static void
add_part (Costs *costs, Lane *lane, const Stretch *stretch, guint64 start_ns, guint64 end_ns)
{
  CulpritWindow *window = lane_window (costs, lane);
  guint64 length_ns = end_ns - start_ns;
  CulpritCost *cell;

  if (!stretch->lost)
    count_stack (costs, lane, stretch->task);
  cell = cells_find (lane_cells (costs, lane), stretch->function, stretch->context);
  cell->self_ns += length_ns;
  cell->tracing_ns += MIN (length_ns, stretch->floor_ns);
  sources_add (lane_sources (costs, lane), costs->capture, stretch, length_ns, MIN (length_ns, stretch->floor_ns));
  if (window->outlier)
    tree_add (&costs->tree, stretch, length_ns);
  if (stretch->function == CULPRIT_FUNCTION_NOT_CAPTURED)
    {
      window->not_captured_ns += length_ns;
      return;
    }
  cell->longest_stretch_ns = MAX (cell->longest_stretch_ns, length_ns);
  if (window->outlier)
    note_stall (costs, lane, stretch, start_ns, length_ns);
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

  if (G_LIKELY (frame->start_ns < lane->start_ns) || frame->start_ns >= lane_window (costs, lane)->end_ns)
    return;
  note_event (costs, lane, frame->function, TRUE);
  count_call (costs, lane, g_array_index (lane->windows, guint, lane->next) + 1, frame);
}

/* The outlier window's part of a call that ended. */
static void
add_total (Costs *costs, const Frame *frame, guint64 end_ns)
{
  CulpritCost *cell = cells_find (&costs->outlier_cells, frame->function, frame->context);
  guint64 start_ns = MAX (frame->start_ns, costs->outlier->start_ns);

  end_ns = MIN (end_ns, costs->outlier->end_ns);
  if (!(frame->marks & MARK_INNER) && end_ns > start_ns)
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
      function->total_ns += end_ns - frame->start_ns;
      function->off_cpu_ns += task->off_ns - frame->off_before_ns;
    }
  if (G_UNLIKELY (frame->marks & (MARK_TRUNCATED | MARK_IN_OUTLIER)))
    {
      function->truncated += (frame->marks & MARK_TRUNCATED) != 0;
      if (!(frame->marks & MARK_IN_OUTLIER))
        return;
      note_event (costs, &costs->lanes[stream], frame->function, FALSE);
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
          g_array_append_val (lane->windows, w);
      if (lane->windows->len > 0)
        cells_init (&lane->cells, costs->capture->functions->len);
      lane->last.function = NO_FUNCTION;
      sources_init (&lane->sources, g_array_new (FALSE, FALSE, sizeof (CulpritSource)));
      lane->start_ns = lane->windows->len > 0 ? lane_window (costs, lane)->start_ns : G_MAXUINT64;
    }
}

static int
compare_costs (gconstpointer a, gconstpointer b)
{
  const CulpritCost *left = a;
  const CulpritCost *right = b;

  if (left->self_ns != right->self_ns)
    return left->self_ns > right->self_ns ? -1 : 1;
  return (int) cell_key (left->function, left->context) - (int) cell_key (right->function, right->context);
}

static int
compare_sources (gconstpointer a, gconstpointer b)
{
  const CulpritSource *left = a;
  const CulpritSource *right = b;

  return left->self_ns > right->self_ns ? -1 : left->self_ns < right->self_ns;
}

static const char *
name_neighbour (Costs *costs, const Neighbour *neighbour)
{
  g_autofree char *name = NULL;

  if (neighbour->function == NO_FUNCTION)
    return "";
  name = g_strdup_printf ("%s of %s", neighbour->entry ? "entry" : "exit", costs->functions[neighbour->function].name);
  return g_string_chunk_insert (costs->capture->strings, name);
}

/* What the call tree says about the outlier. */
static void
finish_outlier (Costs *costs, const Walk *walk)
{
  g_autoptr (CulpritTree) tree = tree_finish (&costs->tree);

  g_array_sort (costs->capture->sources, compare_sources);
  if (!costs->outlier)
    return;
  costs->capture->stall.before = name_neighbour (costs, &costs->before_stall);
  costs->capture->stall.after = name_neighbour (costs, &costs->after_stall);
  sources_find_paths (costs->capture, tree);
  sources_find_silence (walk, costs->capture);
}

static void
finish (Costs *costs)
{
  for (guint i = 0; i < costs->n_lanes; i++)
    {
      Lane *lane = &costs->lanes[i];

      if (lane->windows->len > 0)
        cells_clear (&lane->cells);
      g_array_unref (lane->windows);
      g_array_unref (lane->sources.array);
      sources_clear (&lane->sources);
    }
  g_array_append_vals (costs->capture->costs, costs->outlier_cells.cells->data, costs->outlier_cells.cells->len);
  g_array_sort (costs->capture->costs, compare_costs);
  for (guint i = 0; i < costs->capture->functions->len; i++)
    costs->capture->truncated_calls += costs->functions[i].truncated;
  cells_clear (&costs->outlier_cells);
  sources_clear (&costs->outlier_sources);
  sources_clear (&costs->ordinary_sources);
  g_free (costs->lanes);
  ordinary_clear (&costs->ordinary);
}

void
costs_find (Walk *walk, CulpritCapture *capture)
{
  static const WalkOps ops = { on_stretch, on_enter, on_leave };
  Costs costs = { .capture = capture,
                  .functions = (CulpritFunction *) (gpointer) capture->functions->data,
                  .windows = (CulpritWindow *) (gpointer) capture->windows->data,
                  .outlier = culprit_capture_outlier (capture) };

  cells_init (&costs.outlier_cells, capture->functions->len);
  ordinary_init (&costs.ordinary, capture);
  sources_init (&costs.outlier_sources, capture->sources);
  sources_init (&costs.ordinary_sources, capture->ordinary_sources);
  init_lanes (&costs, walk);
  tree_begin (&costs.tree, capture);
  walk_run (walk, &ops, &costs, -1);
  for (guint i = 0; i < costs.n_lanes; i++)
    while (costs.lanes[i].next < costs.lanes[i].windows->len)
      finish_window (&costs, &costs.lanes[i]);
  finish (&costs);
  finish_outlier (&costs, walk);
}
