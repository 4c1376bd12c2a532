/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of one late wake-up beside ordinary ones: the case that is judged. Plain rows, read from a study once;
 * judging them needs nothing else. Times are ns; they are what belongs to the system, with the tracer's time taken out,
 * unless the raw ones were asked for. */
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

/* What a name is where a damaged study has none. */
#define CULPRIT_UNNAMED "unnamed"

/* A part or a holder that is among no suspects. */
#define CULPRIT_NO_SUSPECT G_MAXUINT

/* A function in one context. */
typedef struct
{
  gint64 function; /* its number in the study */
  const char *name;
  CulpritContext context;
  double calls;
  double self_ns;
  double untraced_ns; /* the same without the tracer's time, whatever was asked for */
  double longest_ns;  /* its longest stretch */
  double struck_ns;   /* the same where it is far beyond all ordinary ones there; else 0 */
  double base_calls;  /* mean over the ordinary wake-ups, as the next */
  double base_self_ns;
  double reference_calls;       /* mean over those ordinary wake-ups of the population in which it ran; 0: in none */
  double reference_per_call_ns; /* its mean in them, else elsewhere in the captures; NaN where it ran nowhere else */
  double excess_ns;             /* self_ns less base_self_ns: the next two together */
  double count_ns;              /* for it was called more often */
  double cost_ns;               /* for a call took longer */
  const char *path;             /* the calls that led to it; NULL: not known */
  guint suspect;                /* its index among those of the population, or CULPRIT_NO_SUSPECT */
  double p;                     /* how probable as much is in the worst of the cycles that were measured for this one; 1
                                   where it carries too little of the excess to matter */
} CulpritPart;

/* A task or an interrupt that had the CPU. */
typedef struct
{
  const char *name;
  CulpritContext context;
  double self_ns;
  double untraced_ns; /* as of a part */
  double base_self_ns;
  double excess_ns;
  gint64 priority;  /* of a task, as the kernel counts: the lower comes first; -1: not known */
  const char *path; /* the calls below it that took most */
  guint suspect;    /* as of a part, and the next */
  double p;
} CulpritHolder;

/* The longest stretch without an event. */
typedef struct
{
  double length_ns; /* 0: there is none */
  gint64 function;
  const char *name;
  CulpritContext context;
  double ordinary_ns; /* the longest there in ordinary wake-ups; 0: the place is not in them */
  const char *before; /* the events at both ends; NULL: not known */
  const char *after;
  gint64 other_cpus; /* -1: not known, as the next */
  gint64 silent_cpus;
} CulpritStretch;

/* What of the system a capture does not show. */
typedef enum
{
  CULPRIT_HIDDEN_DEEP = 1 << 0,       /* calls below a depth */
  CULPRIT_HIDDEN_FUNCTIONS = 1 << 1,  /* all but some functions, and what they call */
  CULPRIT_HIDDEN_INTERRUPTS = 1 << 2, /* interrupts */
} CulpritHidden;

typedef struct
{
  /* As read. */
  gint64 capture;
  const char *file;
  const char *run;
  guint population; /* its index among the verdict's */
  gboolean ignored; /* It is judged by the others and counts for nothing. */
  double cycles;    /* that were measured until there was this one */
  gboolean cycles_known;
  guint hidden;      /* of CulpritHidden */
  double latency_ns; /* with the tracer's time */
  double own_ns;     /* without, or the same where the raw times were asked for */
  double not_captured_ns;
  gint64 lost_events;
  gint64 smi_count; /* -1: not known, as the next */
  gint64 steal_ns;
  guint ordinary;    /* wake-ups to compare with; 0: none */
  gboolean own_base; /* They are of this capture, and not of others. */
  double base_ns;    /* their mean */
  double median_ns;
  double mad_ns;
  GArray *parts;   /* of CulpritPart */
  GArray *holders; /* of CulpritHolder */
  CulpritStretch stretch;

  /* As judged. */
  double excess_ns; /* own_ns less base_ns: the sum of the parts' */
  gboolean stands_out;
  double struck_ns; /* the sum of its stretches that are far beyond the ordinary, one for each part */
  guint struck;     /* how many these are */
  CulpritClass class;
  const char *culprit; /* a function's name, a task's or an interrupt's; NULL: there is none */
  gint64 function;     /* that it is; 0 where it is none */
  CulpritContext context;
  guint suspect;      /* that it is, or CULPRIT_NO_SUSPECT */
  double culprit_ns;  /* the excess that it explains */
  double share;       /* of excess_ns */
  double confidence;  /* that the culprit is a cause at all, by all captures of the population; 0 where there is none */
  double by_count;    /* what part of that is by more calls than when it ordinarily runs; 0 where it is no function */
  const char *path;   /* may be NULL */
  gboolean inverted;  /* The culprit is a task that should have made way: of lower priority. */
  const char *reason; /* why there is no culprit; NULL where there is one */
} CulpritCase;

/* How far a captured wake-up is from saying something by itself: an ordinary one must have a part so rarely that the
 * worst of all cycles that were measured for it has it with less than this probability. */
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

/* The part of @function in @context; NULL where it has none. */
const CulpritPart *culprit_case_find (const CulpritCase *one, gint64 function, CulpritContext context);

/* What @holder and those that are one with it have more: an interrupt comes in by several functions of one context. */
double culprit_case_held_ns (const CulpritCase *one, const CulpritHolder *holder);

/* The same beyond what is slower in all the rest as well, as where the processor runs at a lower frequency. */
double culprit_case_held_alone_ns (const CulpritCase *one, const CulpritHolder *holder);
