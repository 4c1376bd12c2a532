/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known about one late wake-up compared with ordinary ones: the case to judge. Plain rows, read from a study
 * once; judging them needs nothing else. Times are ns, without the tracer's time unless raw ones were requested. */
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
  CULPRIT_CLASSES,
} CulpritClass;

/* "called-too-often" and so on. */
const char *culprit_class_name (CulpritClass class);

/* Replaces a name that a damaged study lacks. */
#define CULPRIT_UNNAMED "unnamed"

/* A part or holder that is not a suspect. */
#define CULPRIT_NO_SUSPECT G_MAXUINT

/* A function in one context. */
typedef struct
{
  gint64 function; /* its number in the study */
  const char *name;
  CulpritContext context;
  double calls;
  double self_ns;
  double untraced_ns; /* the same without the tracer's time, whatever was requested */
  double longest_ns;  /* its longest stretch */
  double struck_ns;   /* the same if it is far longer than all ordinary ones there; else 0 */
  double base_calls;  /* mean over the ordinary wake-ups, as are the next */
  double base_self_ns;
  double reference_calls; /* mean over those ordinary wake-ups of the population in which it ran; 0: it ran in none */
  double reference_per_call_ns; /* its mean in them, else elsewhere in the captures; NaN if it ran nowhere else */
  double excess_ns;             /* self_ns minus base_self_ns: the sum of the next two */
  double count_ns;              /* since it was called more often */
  double cost_ns;               /* since each call took longer */
  const char *path;             /* the calls that led to it; NULL: not known */
  guint suspect;                /* its index in the population, or CULPRIT_NO_SUSPECT */
  double p; /* probability that the worst of the cycles measured for this case has as much; 1 if its part of the excess
               is too small to matter */
} CulpritPart;

/* A task or an interrupt that held the CPU. */
typedef struct
{
  const char *name;
  CulpritContext context;
  double self_ns;
  double untraced_ns; /* as for a part */
  double base_self_ns;
  double excess_ns;
  gint64 priority;  /* of a task, as counted by the kernel: lower is more urgent; -1: not known */
  const char *path; /* the calls below it that took most of the time */
  guint suspect;    /* as for a part, and the next */
  double p;
} CulpritHolder;

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

typedef struct
{
  /* As read. */
  gint64 capture;
  const char *file;
  const char *run;
  guint population; /* its index in the verdict */
  gboolean ignored; /* It is judged by the others, but does not count. */
  double cycles;    /* that were measured to get this one */
  gboolean cycles_known;
  guint hidden;      /* of CulpritHidden */
  double latency_ns; /* including the tracer's time */
  double own_ns;     /* without it, or the same if raw times were requested */
  double not_captured_ns;
  gint64 lost_events;
  gint64 smi_count; /* -1: not known, as the next */
  gint64 steal_ns;
  guint ordinary;    /* wake-ups to compare with; 0: none */
  gboolean own_base; /* They are from this capture, not from others. */
  double base_ns;    /* their mean */
  double median_ns;
  double mad_ns;
  GArray *parts;   /* of CulpritPart */
  GArray *holders; /* of CulpritHolder */
  CulpritStretch stretch;

  /* As judged. */
  double excess_ns; /* own_ns minus base_ns: the sum over all parts */
  gboolean stands_out;
  double struck_ns; /* the sum of its stretches that are far longer than ordinary, one per part */
  guint struck;     /* the number of these */
  CulpritClass class;
  const char *culprit; /* a function's name, a task's or an interrupt's; NULL: there is none */
  gint64 function;     /* of the culprit; 0 if it is not a function */
  CulpritContext context;
  guint suspect;     /* of the culprit, or CULPRIT_NO_SUSPECT */
  double culprit_ns; /* the excess that it explains */
  double share;      /* of excess_ns */
  double confidence; /* that the culprit is a cause at all, over all captures of the population; 0 if there is none */
  double
      by_count; /* the share of it that is due to more calls than when it ordinarily runs; 0 if it is not a function */
  const char *path;   /* may be NULL */
  gboolean inverted;  /* The culprit is a task of lower priority, which should have yielded. */
  const char *reason; /* why there is no culprit; NULL if there is one */
} CulpritCase;

/* How unusual a captured wake-up must be to say something by itself: the probability that the worst of all cycles
 * measured for it has as much of a part must be less than this. */
#define CULPRIT_ABNORMAL 0.05

static inline const CulpritPart *
culprit_case_part (const CulpritCase *one, guint index)
{
  return &g_array_index (one->parts, CulpritPart, index);
}

static inline const CulpritHolder *
culprit_case_holder (const CulpritCase *one, guint index)
{
  return &g_array_index (one->holders, CulpritHolder, index);
}

/* Whether the other CPUs stood still during its longest stretch. */
static inline gboolean
culprit_case_stood_still (const CulpritCase *one)
{
  return one->stretch.other_cpus > 0 && one->stretch.silent_cpus == one->stretch.other_cpus;
}

/* The part of @function in @context; NULL if it has none. */
const CulpritPart *culprit_case_find (const CulpritCase *one, gint64 function, CulpritContext context);

/* The excess of @holder and those that count together with it: an interrupt is entered by several functions of one
 * context. */
double culprit_case_held_ns (const CulpritCase *one, const CulpritHolder *holder);

/* The same, beyond what everything else is slower by too, e.g. if the processor runs at a lower frequency. */
double culprit_case_held_alone_ns (const CulpritCase *one, const CulpritHolder *holder);
