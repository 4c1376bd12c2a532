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

/* A function in one context. */
typedef struct
{
  gint64 function; /* its number in the study */
  const char *name;
  CulpritContext context;
  double calls;
  double self_ns;
  double base_calls; /* mean over the ordinary wake-ups, as the next */
  double base_self_ns;
  double base_calls_ran;   /* mean over those ordinary wake-ups in which it ran; 0: in none */
  double rest_per_call_ns; /* its mean over the rest of the capture; NaN where it ran nowhere else */
  double excess_ns;        /* self_ns less base_self_ns: the next two together */
  double count_ns;         /* for it was called more often */
  double cost_ns;          /* for a call took longer */
  const char *path;        /* the calls that led to it; NULL: not known */
} CulpritPart;

/* A task or an interrupt that had the CPU. */
typedef struct
{
  const char *name;
  CulpritContext context;
  double self_ns;
  double base_self_ns;
  double excess_ns;
  gint64 priority;  /* of a task, as the kernel counts: the lower comes first; -1: not known */
  const char *path; /* the calls below it that took most */
} CulpritHolder;

/* The longest stretch without an event. */
typedef struct
{
  double length_ns; /* 0: there is none */
  gint64 function;
  const char *name;
  CulpritContext context;
  gboolean rest;      /* The idle task waited there, as it ordinarily does longest. */
  double ordinary_ns; /* its mean length at this place in ordinary wake-ups; 0: the place is not in them */
  const char *before; /* the events at both ends; NULL: not known */
  const char *after;
  gint64 other_cpus; /* -1: not known, as the next */
  gint64 silent_cpus;
} CulpritStretch;

typedef struct
{
  /* As read. */
  gint64 capture;
  const char *file;
  const char *run;
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
  CulpritClass class;
  const char *culprit; /* a function's name, a task's or an interrupt's; NULL: there is none */
  gint64 function;     /* that it is; 0 where it is none */
  CulpritContext context;
  double culprit_ns; /* the excess that it explains */
  double share;      /* of excess_ns */
  double by_count; /* what part of that is by more calls, beside a wake-up in which it ran; 0 where it is no function */
  const char *path;   /* may be NULL */
  gboolean inverted;  /* The culprit is a task that should have made way: of lower priority. */
  const char *reason; /* why there is no culprit; NULL where there is one */
} CulpritCase;

static inline const CulpritPart *
culprit_case_part (const CulpritCase *one, guint place)
{
  return &g_array_index (one->parts, CulpritPart, place);
}

/* The part of @function in @context; NULL where it has none. */
const CulpritPart *culprit_case_find (const CulpritCase *one, gint64 function, CulpritContext context);
