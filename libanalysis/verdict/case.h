/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known about one late wake-up compared with ordinary ones, and what is said of it. Times are ns, without the
 * tracer's time unless raw ones were requested. */
#pragma once

#include "capture/capture.h"

typedef enum
{
  CULPRIT_CLASS_UNEXPLAINED,
  CULPRIT_CLASS_TOO_OFTEN,
  CULPRIT_CLASS_TOO_LONG,
  CULPRIT_CLASS_MIXED,
  CULPRIT_CLASS_INTERFERENCE,
  CULPRIT_CLASS_BLIND_STALL,
  CULPRIT_CLASS_LATE_TIMER,
  CULPRIT_CLASS_SPREAD,
  CULPRIT_CLASS_TRACING,
  CULPRIT_CLASS_BLOCKED,
  CULPRIT_CLASSES,
} CulpritClass;

/* "called-too-often" and so on. */
const char *culprit_class_name (CulpritClass class);

/* Whether what happens in @context is known by its task: another one that had the CPU, or that was waited for. */
static inline gboolean
culprit_context_is_of_task (CulpritContext context)
{
  return context == CULPRIT_CONTEXT_TASK || context == CULPRIT_CONTEXT_BLOCKED;
}

/* Replaces a name that a damaged study lacks. */
#define CULPRIT_UNNAMED "unnamed"

/* Neither a node nor a function. */
#define CULPRIT_NOTHING G_MAXUINT
#define CULPRIT_HALF 0.5 /* What has so much of the excess of a late wake-up carries it. */

/* The longest stretch without an event. */
typedef struct
{
  double length_ns; /* 0: there is none */
  gint64 function;
  const char *name;
  CulpritContext context;
  double ordinary_ns; /* the longest there in ordinary wake-ups; 0: they do not have this place */
  const char *before; /* the events before and after it; NULL: not known */
  const char *after;
  gint64 other_cpus; /* -1: not known, as the next */
  gint64 silent_cpus;
} CulpritStretch;

/* What a capture does not show of the system. */
typedef enum
{
  CULPRIT_HIDDEN_DEEP = 1 << 0,       /* calls below some depth */
  CULPRIT_HIDDEN_FUNCTIONS = 1 << 1,  /* all but some functions, and what these call */
  CULPRIT_HIDDEN_INTERRUPTS = 1 << 2, /* interrupts */
} CulpritHidden;

/* What carries a late wake-up: a function over all its paths, or a node with all that is below it. */
typedef struct
{
  guint node;     /* of a function the one that most of its time came by; CULPRIT_NOTHING: nothing carries it */
  guint function; /* its index among the evidence's functions; CULPRIT_NOTHING: it is a node */
  double ns;      /* in the late wake-up */
  double node_ns; /* of a function, what came by that node */
  double base_ns; /* on average in those that it is compared with */
  double calls;
  double stretch_ns;          /* its longest stretch without an event */
  guint place;                /* the function with this stretch; CULPRIT_NOTHING: there is none */
  double ordinary_stretch_ns; /* the longest there in ordinary wake-ups */
  guint heaviest;             /* the function with the most own time by one path */
  gint64 priority;            /* of a task; -1: not known, or it is no source */
  double reference_calls;     /* when it ordinarily runs; 0: it does not */
  double reference_ns;        /* of a call then, or elsewhere; NaN: it never ran there */
  double count_share;         /* the share of the difference due to more calls */
  gboolean single;            /* That stretch is half of its excess or more. */
  gboolean late_timer;        /* The idle CPU waited. */
  gboolean in_user_mode;      /* It passed there until its timer rang: only a stall can explain that. */
} CulpritCarrier;

typedef struct
{
  /* As read. */
  gint64 capture;
  const char *file;
  const char *run;
  gint64 run_id;
  gboolean by_timer;   /* It began when a timer should have expired, */
  gboolean timer_rang; /* and the interrupt of one is in it. */
  guint population;    /* its index in the evidence */
  gboolean ignored;    /* It is judged by the others, but does not count. */
  guint hidden;        /* of CulpritHidden */
  double latency_ns;   /* including the tracer's time */
  double own_ns;       /* without it, or the same if raw times were requested */
  double tracing_ns;   /* the tracer's time */
  double not_captured_ns;
  gint64 lost_events;
  gint64 smi_count; /* -1: not known, as the next */
  gint64 steal_ns;
  gint64 priority;   /* of the measured task, as counted by the kernel: lower is more urgent; -1: not known */
  guint ordinary;    /* wake-ups to compare with; 0: none */
  gboolean own_base; /* They are from this capture, not from others. */
  double base_ns;    /* their mean */
  double median_ns;
  double mad_ns;
  double base_tracing_ns;  /* the mean of the tracer's time in them */
  double usual_stretch_ns; /* the longest stretch without an event in those of its population, at any place */
  CulpritStretch stretch;
  double excess_ns; /* own_ns minus base_ns */
  gboolean stands_out;

  /* As judged. */
  CulpritCarrier carrier;
  CulpritClass class;
  const char *culprit; /* a function's name, a task's or an interrupt's; NULL: there is none */
  gint64 function;     /* of the culprit; 0 if it is not a function */
  CulpritContext context;
  double culprit_ns;  /* the excess that it explains */
  double share;       /* of excess_ns */
  double confidence;  /* that the culprit is a cause at all, over all captures of the population; 0 if there is none */
  gboolean cause;     /* The culprit is an established cause. */
  const char *path;   /* the calls to the culprit; may be NULL */
  gboolean inverted;  /* The culprit is a task of lower priority, which should have yielded. */
  const char *reason; /* why there is no culprit; NULL if there is one */
} CulpritCase;

/* Whether the other CPUs stood still during its longest stretch. */
static inline gboolean
culprit_case_stood_still (const CulpritCase *one)
{
  return one->stretch.other_cpus > 0 && one->stretch.silent_cpus == one->stretch.other_cpus;
}
