/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a capture as trace-cmd and the recorder would: a trace.dat file of version 6, and a cycle log. */
#pragma once

#include "truth-wake.h"

/* One of a capture's cycles. */
typedef struct
{
  guint64 expected_ns;
  guint64 observed_ns;
} Observed;

typedef struct
{
  const World *world;
  GArray *cpus[2];   /* of Event, with their times; the second may be empty */
  GArray *observed;  /* of Observed, the hit last */
  guint64 hit_cycle; /* its number in the run, from 0 */
  guint capture;     /* The number of the capture in the run, from 1. */
  guint64 threshold_ns;
  gboolean foreign; /* It has a marker, and no cycle log. */
} Recorded;

/* The name of a function of any world, by its number; unique. */
char *function_name (guint function);

/* @path: without its suffix. Any failure ends the program. */
void recorded_write (const Recorded *recorded, const char *path);
