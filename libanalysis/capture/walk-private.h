/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks over a capture in the order of visits: keeps one stack per task, pairs exits with entries and attributes every
 * stretch between two events to the call on top.
 *
 * The walk is one loop for everything that is to be learned from a capture. Its users supply a WalkOps whose functions
 * are inlined into that loop: walk_run() must be called with a constant one. */
#pragma once

#include "capture.h"
#include "stream-private.h"

#define NO_FUNCTION G_MAXUINT32

typedef enum
{
  MARK_HEAD = 1,       /* Began before the task's first event. */
  MARK_CUT = 2,        /* Its exit is missing. */
  MARK_TRUNCATED = 3,  /* Either. */
  MARK_INNER = 4,      /* Recursive: the same function is further down in the stack. */
  MARK_IN_OUTLIER = 8, /* Counted in the outlier window. */
  MARK_IN_TREE = 16,   /* Its node is in the call tree that is being built. */
  MARK_UNSEEN = 32,    /* It was not known to be open until it ended. */
} Marks;

/* An open call. It is stored at its depth in the task's stack. */
typedef struct
{
  guint64 start_ns;
  guint64 functions;     /* One bit for each function from here down, to detect recursion quickly. */
  guint64 off_before_ns; /* The task's off-CPU time when it began. */
  guint32 function;      /* NO_FUNCTION: there is a call here, but of an unknown function. */
  guint32 arrivals;      /* How many times the task had come to a CPU when it began. */
  guint32 window;        /* Serial number of the last window that counted it; 0: none. */
  guint64 self_ns;       /* For the timeline: in the current visit. */
  guint64 tracing_ns;    /* likewise */
  guint32 node;          /* For the call tree, and the timeline. */
  guint8 context;
  guint8 marks;
} Frame;

typedef struct
{
  gint32 pid;
  CulpritContext context; /* of its own, outside interrupts */
  int top;                /* the current depth; -1: the stack is empty */
  int capacity;
  Frame *frames;
  guint stream;    /* where it was last seen */
  guint64 left_ns; /* when it left the CPU */
  guint64 off_ns;  /* off-CPU time so far */
  guint32 arrivals;
  guint32 window; /* Serial number of the last window that counted its whole stack. */
  guint32 epoch;  /* The current one, plus one. */
  guint32 listed; /* The stream, plus one, whose list of open stacks contains it; 0: none. */
} Task;

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
  GPtrArray *open;    /* for each stream the indices of tasks that left it with open calls */
} Walk;

/* The owner of a stretch. */
typedef struct
{
  const Stream *stream;
  guint stream_index;
  Task *task;
  guint function;
  CulpritContext context;
  guint64 start_ns;
  guint64 end_ns;
  guint64 floor_ns; /* The tracing in it is no more than this. */
  gboolean lost;    /* Events were lost in it; open calls ended before. */
} Stretch;

typedef struct
{
  void (*stretch) (gpointer data, const Stretch *stretch);
  void (*enter) (gpointer data, guint stream, Task *task, Frame *frame);
  /* The call ended at @end_ns; the frame's marks say how. */
  void (*leave) (gpointer data, guint stream, Task *task, Frame *frame, guint64 end_ns);
  /* A visit begins; the task's stack is unchanged. May be NULL. */
  void (*arrive) (gpointer data, const Visit *visit, Task *task);
  /* It ended: the task leaves the CPU at @end_ns. May be NULL. */
  void (*depart) (gpointer data, const Visit *visit, Task *task, guint64 end_ns);
} WalkOps;

/* Prepares a walk over @streams with @measured_pid as the measured task (-1: none). */
Walk *walk_new (GPtrArray *streams, gint32 measured_pid);

void walk_free (Walk *walk);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Walk, walk_free)

/* Changes the measured task. */
void walk_measure (Walk *walk, gint32 pid);

/* The time of the first event of @cpu; G_MAXUINT64 if it has none. */
guint64 walk_first_ns (const Walk *walk, guint cpu);

/* Makes room for @depth in the stack of @task. */
void walk_grow (Task *task, guint depth);

static inline CulpritContext
walk_context (const Task *task, guint8 interrupts)
{
  if (G_LIKELY (interrupts == 0))
    return task->context;
  if (interrupts & INTERRUPT_NMI)
    return CULPRIT_CONTEXT_NMI;
  return interrupts & INTERRUPT_HARD ? CULPRIT_CONTEXT_HARDIRQ : CULPRIT_CONTEXT_SOFTIRQ;
}

static inline guint64
walk_function_bit (guint32 function)
{
  return (guint64) 1 << (function * 2654435761u >> 26);
}

static inline gboolean
walk_is_open_below (const Task *task, guint depth, guint32 function)
{
  for (guint i = 0; i < depth; i++)
    if (task->frames[i].function == function)
      return TRUE;
  return FALSE;
}

/* Fills the depths between the current top and @depth with unknown calls. */
static inline void
walk_fill_unknown (Task *task, int depth)
{
  for (int i = task->top + 1; i < depth; i++)
    {
      Frame *frame = &task->frames[i];

      frame->function = NO_FUNCTION;
      frame->functions = i > 0 ? task->frames[i - 1].functions : 0;
    }
}

static inline Frame *
walk_place (Task *task, guint depth, guint32 function, CulpritContext context, guint64 start_ns)
{
  Frame *frame = &task->frames[depth];
  guint64 below = depth > 0 ? task->frames[depth - 1].functions : 0;
  guint64 bit = walk_function_bit (function);

  *frame = (Frame) { .start_ns = start_ns,
                     .functions = below | bit,
                     .off_before_ns = task->off_ns,
                     .function = function,
                     .arrivals = task->arrivals,
                     .context = context };
  if (G_UNLIKELY ((below & bit) != 0) && walk_is_open_below (task, depth, function))
    frame->marks = MARK_INNER;
  return frame;
}

/* Ends the calls at @depth and deeper, whose exits are missing. */
static inline __attribute__ ((always_inline)) void
walk_cut (const WalkOps *ops, gpointer data, guint stream, Task *task, int depth, guint64 now_ns)
{
  for (; task->top >= depth; task->top--)
    {
      Frame *frame = &task->frames[task->top];

      if (frame->function == NO_FUNCTION)
        continue;
      frame->marks |= MARK_CUT;
      ops->leave (data, stream, task, frame, MAX (now_ns, frame->start_ns));
    }
}

static inline __attribute__ ((always_inline)) void
walk_enter (const WalkOps *ops,
            gpointer data,
            guint stream,
            Task *task,
            guint depth,
            guint32 function,
            guint8 interrupts,
            guint64 now_ns)
{
  if (G_UNLIKELY ((int) depth != task->top + 1))
    {
      walk_cut (ops, data, stream, task, depth, now_ns);
      walk_grow (task, depth);
      walk_fill_unknown (task, depth);
    }
  else if (G_UNLIKELY ((int) depth >= task->capacity))
    walk_grow (task, depth);
  walk_place (task, depth, function, walk_context (task, interrupts), now_ns);
  task->top = depth;
  ops->enter (data, stream, task, &task->frames[depth]);
}

/* The call of @function at @depth ends; it may not be on top, or not known. */
static inline __attribute__ ((always_inline)) void
walk_leave (const WalkOps *ops,
            gpointer data,
            guint stream,
            Task *task,
            guint depth,
            guint32 function,
            guint8 interrupts,
            guint64 now_ns,
            guint64 lasted_ns)
{
  gboolean known = (int) depth <= task->top && task->frames[depth].function == function;

  if (G_UNLIKELY (task->top > (int) depth || (!known && task->top == (int) depth)))
    walk_cut (ops, data, stream, task, depth + known, now_ns);
  if (G_LIKELY (known))
    ops->leave (data, stream, task, &task->frames[depth], MAX (now_ns, task->frames[depth].start_ns));
  else
    {
      Frame *frame;

      walk_grow (task, depth);
      walk_fill_unknown (task, depth);
      frame = walk_place (task, depth, function, walk_context (task, interrupts), now_ns - MIN (lasted_ns, now_ns));
      frame->marks |= MARK_HEAD | MARK_UNSEEN;
      ops->leave (data, stream, task, frame, now_ns);
    }
  task->top = (int) depth - 1;
}

/* The call on top ends. */
static inline __attribute__ ((always_inline)) void
walk_return (const WalkOps *ops, gpointer data, guint stream, Task *task, guint64 now_ns)
{
  Frame *frame = &task->frames[task->top];

  ops->leave (data, stream, task, frame, MAX (now_ns, frame->start_ns));
  task->top--;
}

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
  task->window = 0;
  task->epoch = epoch - (const Epoch *) (gpointer) walk->epochs->data + 1;
}

/* Notes that @task leaves its CPU with open calls: a loss of events there ends them. */
static inline void
walk_list_open (Walk *walk, Task *task, guint32 index)
{
  if (task->top < 0 || task->listed == task->stream + 1)
    return;
  task->listed = task->stream + 1;
  g_array_append_val ((GArray *) g_ptr_array_index (walk->open, task->stream), index);
}

static inline int
walk_compare_indices (gconstpointer a, gconstpointer b)
{
  guint32 left = *(const guint32 *) a;
  guint32 right = *(const guint32 *) b;

  return left < right ? -1 : left > right;
}

/* Events were lost on @stream: its tasks' calls end at @end_ns. Only tasks with open calls are listed, since with many
 * losses and many tasks looking at all would take too long. */
static inline __attribute__ ((always_inline)) void
walk_lose (Walk *walk, const WalkOps *ops, gpointer data, guint stream, guint64 end_ns)
{
  GArray *open = g_ptr_array_index (walk->open, stream);

  g_array_sort (open, walk_compare_indices);
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

/* The visit's events, and the stretch from the last of them to the next visit on the CPU. */
static inline __attribute__ ((always_inline)) void
walk_visit (Walk *walk, const WalkOps *ops, gpointer data, const Visit *visit, Task *task)
{
  const Stream *stream = g_ptr_array_index (walk->streams, visit->stream);
  const Visit *next =
      visit + 1 < (const Visit *) (gpointer) stream->visits->data + stream->visits->len ? visit + 1 : NULL;
  Stretch stretch = { .stream = stream, .stream_index = visit->stream, .task = task };
  EventReader reader = stream_events (stream, visit);
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
}

/* The walk. @only is a task's index, or -1 for all of them. */
static inline __attribute__ ((always_inline)) void
walk_run (Walk *walk, const WalkOps *ops, gpointer data, gint only)
{
  for (guint i = 0; i < walk->steps->len; i++)
    {
      const Step *step = &g_array_index (walk->steps, Step, i);
      const Visit *visit = step->visit;
      Task *task = &g_array_index (walk->tasks, Task, step->task);

      if (visit->after_loss)
        walk_lose (walk, ops, data, visit->stream, visit[-1].end_ns);
      if (only >= 0 && step->task != (guint) only)
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
      walk_list_open (walk, task, step->task);
    }
  for (guint i = 0; i < walk->tasks->len; i++)
    {
      Task *task = &g_array_index (walk->tasks, Task, i);
      guint64 end_ns = stream_last_ns (g_ptr_array_index (walk->streams, task->stream));

      if (task->arrivals > 0 && end_ns > task->left_ns)
        task->off_ns += end_ns - task->left_ns;
      walk_cut (ops, data, task->stream, task, 0, end_ns);
      task->arrivals = 0;
      task->off_ns = 0;
      task->window = 0;
      task->listed = 0;
    }
  for (guint i = 0; i < walk->open->len; i++)
    g_array_set_size (g_ptr_array_index (walk->open, i), 0);
}
