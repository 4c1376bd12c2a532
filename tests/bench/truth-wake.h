/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A wake-up as the tracer sees it: a cycle turned into events, from what held the CPU before the expected time to what
 * the measured task does until it sleeps again. */
#pragma once

#include "truth-world.h"

#define PID_MEASURED 100
#define PID_WORKER 200
#define PID_ELSEWHERE 300 /* on the other CPU */
#define HARDIRQ 0x08      /* Event.flags */
#define SOFTIRQ 0x10

typedef enum
{
  EVENT_ENTRY,
  EVENT_EXIT,
  EVENT_SWITCH, /* to the measured task */
  EVENT_MARKER, /* the hit, as cyclictest writes it */
} EventKind;

typedef struct
{
  EventKind kind;
  guint function;
  guint owner; /* the function that ran before it; NO_FUNCTION: none */
  gint32 pid;
  guint16 depth;
  guint8 flags;
  double gap_ns;    /* since the previous event */
  double inside_ns; /* the part of that which is in the window */
  double own_ns;    /* and the part of that which is not the tracer's */
  double stall_ns;  /* and the part of that in which the processor stood still */
  guint64 at_ns;    /* set when it is added to a capture */
} Event;

#define NO_FUNCTION G_MAXUINT
#define FUNCTION_TINY(world) ((world)->functions)          /* that runs between wake-ups */
#define FUNCTION_ELSEWHERE(world) ((world)->functions + 1) /* on the other CPU */

typedef struct
{
  GArray *events; /* of Event */
  double lead_ns; /* from the first event to when the task was expected */
  double user_ns; /* from the last event of the window to when it was observed */
  guint inside;   /* The number of events in the window. */
} Wake;

/* What is called between two wake-ups. */
typedef struct
{
  guint site;
  double calls;
  double call_ns;
} Elsewhere;

Wake *wake_new (const World *world, const Cycle *cycle);

void wake_free (Wake *wake);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Wake, wake_free)

/* Stops the processor for @length_ns somewhere in the window: more likely where more time is spent, and @prone times as
 * likely at @place, a function. */
void wake_strike (const World *world, Wake *wake, double length_ns, guint place, double prone);

/* Adds what the measured task does until it sleeps again, and for a @hit reported in the trace, its marker. */
void wake_finish (const World *world, Wake *wake, const Elsewhere *elsewhere, gboolean marker);

/* With the tracer's time, and without it. */
double wake_latency_ns (const Wake *wake);
double wake_own_ns (const Wake *wake);
