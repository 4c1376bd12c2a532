/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scenes of tests/bench/truth: what makes wake-ups late in them, and how often the verdict must be right. A new
 * scene is a new entry of the table. */
#pragma once

#include <glib.h>

#define MOST_CAUSES 2

typedef enum
{
  CAUSE_NOTHING,  /* The wake-up is the slowest of many. */
  CAUSE_FUNCTION, /* A function is called more often, or takes longer. */
  CAUSE_STALLS,   /* The processor stands still at some places. */
  CAUSE_STORM,    /* An interrupt comes again and again, and calls several functions each time. */
  CAUSE_TASK,     /* Another task holds the CPU. */
  CAUSE_SLOWNESS, /* Everything takes longer. */
  CAUSE_NOISE,    /* The wake-up is the slowest of many, mostly as a function varies from one to the next. */
  CAUSE_PATH,     /* What a function calls takes longer, in many functions, each time in others. */
  CAUSE_SOFTIRQ,  /* So does what the soft interrupt calls. */
  CAUSE_SYSCALLS, /* Another task holds the CPU, each time in another of its system calls. */
} CauseKind;

typedef enum
{
  COSTS_LOGNORMAL,
  COSTS_GAMMA,
  COSTS_PARETO,
  COSTS_COMMON, /* lognormal, and a factor that all of a wake-up have in common */
} CostsKind;

typedef struct
{
  double low;
  double high;
} Range;

/* How a function varies from wake-up to wake-up, beside the costs of its calls. */
typedef enum
{
  VARIES_LITTLE, /* Its calls are drawn from a range. */
  VARIES_CALLS,  /* It is called geometrically often. */
  VARIES_COST,   /* Its calls are exponentially long. */
  VARIES_HEAVY,  /* It is called as often as a Pareto distribution says. */
} Varies;

/* What the guilty function does in late wake-ups. */
typedef struct
{
  double runs;         /* share of the ordinary wake-ups */
  Range in_windows;    /* or number of all ordinary wake-ups of a study, if runs is 0 */
  Range calls;         /* in an ordinary wake-up in which it runs */
  Range call_ns;       /* cost of a call there: drawn once per study */
  Range late_calls;    /* in a late wake-up */
  double late_ns;      /* cost of a call there; 0: as in others if there are many calls, else long enough to be late */
  double elsewhere;    /* calls after each wake-up, before the next */
  double elsewhere_ns; /* what such a call costs; 0: as in wake-ups */
  double partly;       /* share of the ordinary wake-ups that have a part of what late ones have */
  gboolean too_often;  /* It is called too often; else it takes too long. */
} Guilt;

typedef struct
{
  CauseKind kind;
  guint captures;  /* in the base setting; in the wide one in proportion */
  Guilt guilt;     /* CAUSE_FUNCTION */
  Range strikes;   /* CAUSE_STALLS: in one wake-up */
  Range strike_ns; /* how long one lasts; 0: drawn once per study */
  double prone;    /* How many times as likely as its time suggests a certain place is struck; 0: once. */
  guint places;  /* number of places that are struck equally often, and no others; 0: anywhere, in proportion to time */
  Varies varies; /* CAUSE_NOISE; and CAUSE_NOTHING if there are others */
  Range others;  /* number of functions that vary likewise, of CAUSE_NOISE less */
} Cause;

typedef struct
{
  const char *name;
  Cause causes[MOST_CAUSES];
  guint slowest_of; /* number of wake-ups of which the slowest is a capture of CAUSE_NOTHING or CAUSE_NOISE */
  gboolean drawn;   /* Each capture's cause is drawn, in the proportion of their captures; else these are exact. */
  gboolean foreign; /* another program's captures: a marker in the trace, and no cycle log */
  CostsKind costs;
  double sigma;  /* of lognormal costs; 0: .35 */
  double right;  /* share of the studies in which the whole verdict must be right; 0: not promised */
  double listed; /* likewise: all causes must be listed */
} Scene;

/* The base setting of a scene has ten captures of twenty ordinary wake-ups with eighteen functions; in the wide one all
 * of that differs from study to study, and the cause of each capture is drawn. */
const Scene *truth_scene (guint place);

/* Whether its captures are the slowest of many wake-ups. */
gboolean cause_is_slowest (const Cause *cause);

guint truth_scenes (void);

/* NULL: there is none of that name. */
const Scene *truth_scene_find (const char *name);
