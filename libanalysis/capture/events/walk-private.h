/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks over a capture in the order of visits: keeps one stack per task, pairs exits with entries and attributes every
 * stretch between two events to the call on top.
 *
 * The walk is one loop for everything that is to be learned from a capture. Its users supply a WalkOps whose functions
 * are inlined into that loop: walk_run() must be called with a constant one. */
#pragma once

#include "compare.h"
#include "frames-private.h"

/* What a task's stack contained before its first event, at the start or after a loss. */
typedef struct
{
  int top;
  guint first_head;
  guint n_heads;
} Epoch;

/* A call that was running then, as shown by its exit. */
typedef struct
{
  guint64 start_ns;
  guint32 function;
  guint depth;
  guint8 interrupts;
} Head;

/* A visit in the order of the walk. */
typedef struct
{
  const Visit *visit;
  guint32 task;
  guint32 epoch; /* that begins here, plus one; 0: none */
} Step;

typedef struct
{
  GPtrArray *streams; /* of Stream, not owned */
  GArray *steps;      /* of Step */
  GArray *tasks;      /* of Task */
  GArray *epochs;     /* of Epoch */
  GArray *heads;      /* of Head, each epoch's deepest first */
} Walk;

/* Prepares a walk over @streams with @measured_pid as the measured task (-1: none). */
Walk *walk_new (GPtrArray *streams, gint32 measured_pid);

void walk_free (Walk *walk);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Walk, walk_free)

/* Changes the measured task. */
void walk_measure (Walk *walk, gint32 pid);

/* The time of the first event of @cpu; G_MAXUINT64 if it has none. */
guint64 walk_first_ns (const Walk *walk, guint cpu);

/* Whether the task of @visit was seen to take the CPU from another task: it had been away. */
static inline gboolean
walk_came_back (const Walk *walk, const Visit *visit)
{
  const Stream *stream = g_ptr_array_index (walk->streams, visit->stream);

  return !visit->after_loss && visit != (const Visit *) (gpointer) stream->visits->data;
}

/* Begins an epoch with @visit: sets the initial stack. */
static inline void
walk_begin_epoch (const Walk *walk, Task *task, const Epoch *epoch, const Visit *visit)
{
  task->top = -1;
  walk_grow (task, MAX (epoch->top, 0));
  for (guint i = epoch->n_heads; i > 0; i--)
    {
      const Head *head = &g_array_index (walk->heads, Head, epoch->first_head + i - 1);
      Frame *frame;

      walk_fill_unknown (task, head->depth);
      frame = walk_place (task, head->depth, head->function, walk_context (task, head->interrupts), head->start_ns);
      frame->marks |= MARK_HEAD;
      frame->arrivals -= walk_came_back (walk, visit);
      task->top = head->depth;
    }
  walk_fill_unknown (task, epoch->top + 1);
  task->top = epoch->top;
  task->handler = 0;
  task->window = 0;
  task->epoch = epoch - (const Epoch *) (gpointer) walk->epochs->data + 1;
}

/* Notes in @open, for each stream the indices of tasks that left it with open calls, that @task leaves its CPU with
 * such: a loss of events there ends them. */
static inline void
walk_list_open (GArray **open, Task *task, guint32 index)
{
  if (task->top < 0 || task->listed == task->stream + 1)
    return;
  task->listed = task->stream + 1;
  if (!open[task->stream])
    open[task->stream] = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (open[task->stream], index);
}

/* Events were lost on @stream: the calls of the tasks that are @open on it end at @end_ns. Only these are listed, since
 * with many losses and many tasks looking at all would take too long. */
static inline __attribute__ ((always_inline)) void
walk_lose (Walk *walk, const WalkOps *ops, gpointer data, GArray *open, guint stream, guint64 end_ns)
{
  if (!open)
    return;
  g_array_sort (open, compare_uint);
  for (guint i = 0; i < open->len; i++)
    {
      Task *task = &g_array_index (walk->tasks, Task, g_array_index (open, guint32, i));

      if (task->listed == stream + 1)
        task->listed = 0;
      if (task->stream != stream || task->top < 0)
        continue;
      if (end_ns > task->left_ns)
        task->off_ns += end_ns - task->left_ns;
      task->left_ns = MAX (task->left_ns, end_ns);
      walk_cut (ops, data, stream, task, 0, end_ns);
    }
  g_array_set_size (open, 0);
}

static inline gboolean
walk_is_function (PackedKind kind)
{
  return kind <= PACKED_EXIT;
}

/* The kind of the first event of @visit. */
static inline PackedKind
walk_first_kind (const Stream *stream, const Visit *visit)
{
  EventReader reader = stream_events (stream, visit);

  event_reader_next (&reader);
  return reader.kind;
}

static inline guint64
walk_floor (const Stream *stream, PackedKind before, PackedKind after)
{
  return walk_is_function (before) && walk_is_function (after) ? stream->floors_ns[before * 2 + after] : 0;
}

/* Attributes the stretch from @start_ns to @end_ns during which @task held the CPU. */
static inline __attribute__ ((always_inline)) void
walk_stretch (const WalkOps *ops, gpointer data, Stretch *stretch, guint64 start_ns, guint64 end_ns, guint64 floor_ns)
{
  Task *task = stretch->task;

  stretch->start_ns = start_ns;
  stretch->end_ns = end_ns;
  stretch->floor_ns = floor_ns;
  if (G_LIKELY (task->top >= 0 && task->frames[task->top].function != NO_FUNCTION))
    {
      stretch->function = task->frames[task->top].function;
      stretch->context = task->frames[task->top].context;
    }
  else
    {
      stretch->function = task->top >= 0   ? CULPRIT_FUNCTION_NOT_CAPTURED
                          : task->pid == 0 ? CULPRIT_FUNCTION_IDLE
                                           : CULPRIT_FUNCTION_USER;
      stretch->context = task->context;
    }
  ops->stretch (data, stretch);
}

/* The visit after @visit, of any task; NULL: there is none. */
static inline const Visit *
walk_next (const Stream *stream, const Visit *visit)
{
  return visit < &g_array_index (stream->visits, Visit, stream->visits->len - 1) ? visit + 1 : NULL;
}

/* The visit's events, and the stretch from the last of them to the next visit on the CPU. */
static inline __attribute__ ((always_inline)) void
walk_visit (Walk *walk, const WalkOps *ops, gpointer data, const Visit *visit, Task *task)
{
  const Stream *stream = g_ptr_array_index (walk->streams, visit->stream);
  const Visit *next = walk_next (stream, visit);
  Stretch stretch = { .stream = stream, .stream_index = visit->stream, .task = task };
  EventReader reader = stream_events (stream, visit);
  EventReader ahead;
  guint64 now_ns = visit->start_ns;
  PackedKind before = PACKED_PREFIX;

  if (ops->arrive)
    ops->arrive (data, visit, task);
  while (event_reader_next (&reader))
    {
      if (G_LIKELY (before != PACKED_PREFIX))
        walk_stretch (ops, data, &stretch, now_ns, reader.now_ns, walk_floor (stream, before, reader.kind));
      now_ns = reader.now_ns;
      before = reader.kind;
      if (ops->looks_ahead && G_UNLIKELY ((reader.interrupts & INTERRUPT_HARD) != 0))
        {
          ahead = reader; /* A copy: the reader stays in registers. */
          task->events = &ahead;
        }
      if (reader.kind == PACKED_ENTRY)
        walk_enter (ops, data, visit->stream, task, reader.placed ? reader.depth : (guint) (task->top + 1),
                    stream->functions[reader.function], reader.interrupts, now_ns);
      else if (reader.kind == PACKED_EXIT && reader.placed)
        walk_leave (ops, data, visit->stream, task, reader.depth, stream->functions[reader.function], reader.interrupts,
                    now_ns, reader.lasted_ns);
      else if (reader.kind == PACKED_EXIT)
        walk_return (ops, data, visit->stream, task, now_ns);
    }
  if (next && next->after_loss)
    {
      stretch.function = CULPRIT_FUNCTION_NOT_CAPTURED;
      stretch.context = task->context;
      stretch.start_ns = now_ns;
      stretch.end_ns = next->start_ns;
      stretch.floor_ns = 0;
      stretch.lost = TRUE;
      ops->stretch (data, &stretch);
    }
  else if (next)
    walk_stretch (ops, data, &stretch, now_ns, next->start_ns,
                  walk_floor (stream, before, walk_first_kind (stream, next)));
  task->left_ns = next && !next->after_loss ? next->start_ns : now_ns;
  if (ops->depart)
    ops->depart (data, visit, task, task->left_ns);
  task->events = NULL;
}

/* The walk. @members is a flag for each task whether it is walked over; NULL: all of them are. Threads may walk at
 * once, each over tasks of its own. */
static inline __attribute__ ((always_inline)) void
walk_run (Walk *walk, const WalkOps *ops, gpointer data, const guint8 *members)
{
  g_autofree GArray **open = g_new0 (GArray *, walk->streams->len + 1);

  for (guint i = 0; i < walk->steps->len; i++)
    {
      const Step *step = &g_array_index (walk->steps, Step, i);
      const Visit *visit = step->visit;
      Task *task = &g_array_index (walk->tasks, Task, step->task);

      if (visit->after_loss)
        walk_lose (walk, ops, data, open[visit->stream], visit->stream, visit[-1].end_ns);
      if (members && !members[step->task])
        continue;
      if (task->arrivals > 0 && visit->start_ns > task->left_ns)
        task->off_ns += visit->start_ns - task->left_ns;
      task->arrivals++;
      if (task->stream != visit->stream)
        task->window = 0;
      task->stream = visit->stream;
      if (step->epoch > 0)
        walk_begin_epoch (walk, task, &g_array_index (walk->epochs, Epoch, step->epoch - 1), visit);
      walk_visit (walk, ops, data, visit, task);
      walk_list_open (open, task, step->task);
    }
  for (guint i = 0; i < walk->tasks->len; i++)
    {
      Task *task = &g_array_index (walk->tasks, Task, i);
      guint64 end_ns;

      if (members && !members[i])
        continue;
      end_ns = stream_last_ns (g_ptr_array_index (walk->streams, task->stream));
      if (task->arrivals > 0 && end_ns > task->left_ns)
        task->off_ns += end_ns - task->left_ns;
      walk_cut (ops, data, task->stream, task, 0, end_ns);
      task->arrivals = 0;
      task->off_ns = 0;
      task->window = 0;
      task->listed = 0;
      task->handler = 0;
    }
  for (guint i = 0; i < walk->streams->len; i++)
    g_clear_pointer (&open[i], g_array_unref);
}
