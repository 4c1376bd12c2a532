/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stack of a task during a walk: calls are put onto it and taken off as their entries and exits pass. */
#pragma once

#include "capture/capture.h"
#include "stream-private.h"

#define NO_FUNCTION G_MAXUINT32

typedef enum
{
  MARK_HEAD = 1,       /* Began before the task's first event. */
  MARK_CUT = 2,        /* Its exit is missing. */
  MARK_TRUNCATED = 3,  /* Either. */
  MARK_INNER = 4,      /* Recursive: the same function is further down in the stack. */
  MARK_IN_OUTLIER = 8, /* Counted in the outlier window. */
  MARK_PLACED = 16,    /* Its node in the tree of calls is known. */
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
  guint32 node;          /* For the tree of calls, and the timeline. Before it is placed, of the first call of an
                          * interrupt: the function that this is known by, plus one; 0: its own. */
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
  guint32 window;  /* Serial number of the last window that counted its whole stack. */
  guint32 epoch;   /* The current one, plus one. */
  guint32 source;  /* Its node in the tree of calls, plus one; 0: not known yet. */
  guint32 listed;  /* The stream, plus one, whose list of open stacks contains it; 0: none. */
  guint32 handler; /* The function that the last interrupt is known by, plus one; 0: none. */
  const EventReader
      *events; /* If the walk looks ahead, and it is in a hard interrupt: the event, and those after it. */
} Task;

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
  gboolean looks_ahead; /* Tasks know their events. */
} WalkOps;

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
