/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sleeps of the measured task, the interrupts that woke it, and the times it then spent in user mode. */
#pragma once

#include "walk-private.h"

/* A call from user mode in which the task left the CPU and came back. */
typedef struct
{
  guint64 start_ns;
  guint64 end_ns;   /* The task is back in user mode. */
  guint64 timer_ns; /* When the interrupt began in which a timer woke somebody last; 0: not seen. */
  guint64 wake_ns;  /* When that timer did: not before it expired, as the interrupt may for another's sake. */
  guint cpu;
} Sleep;

/* User mode, not interrupted: system calls are part of it, interrupts and other tasks are not. */
typedef struct
{
  guint64 start_ns; /* where the task came back to it */
  guint64 end_ns;
} UserTime;

typedef struct
{
  GArray *sleeps; /* of Sleep, by their ends */
  GArray *users;  /* of UserTime, in order of time */
  GArray *reads;  /* of UserTime: the system calls by which it read a clock, where it needs them */
} Sleeps;

/* Finds the sleeps of task @pid, which must be the measured one. */
Sleeps *sleeps_find (Walk *walk, const CulpritCapture *capture, gint32 pid);

/* Finds the interrupts that ended the @n sleeps before and including number @last. */
void sleeps_find_timers (const Walk *walk, const CulpritCapture *capture, Sleeps *sleeps, guint last, guint n);

/* Finds the interrupt that ended one sleep. */
void sleeps_find_timer (const Walk *walk, const CulpritCapture *capture, Sleep *sleep);

/* When the last event of @cpu before @at_ns came; 0: there is none. */
guint64 sleeps_last_event_ns (const Walk *walk, guint cpu, guint64 at_ns);

void sleeps_free (Sleeps *sleeps);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Sleeps, sleeps_free)
