/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One uninterrupted measurement: from its start to a hit, the last cycle, the time limit or a stop. */
#pragma once

#include "cyclic.h"

typedef struct
{
  CyclicProcess process;
  int64_t measured_ns;
} Arm;

/* Measures as @task says, for at most @limit_ns (0: no limit); calls @look four times a second (once with tracing) and
 * at the end. When it returns, the threads still exist, so that they can be examined. False: @problem says what went
 * wrong. Either way arm_end() must follow. */
bool arm_measure (Arm *arm,
                  Shared *shared,
                  const Task *task,
                  int64_t limit_ns,
                  void (*look) (void *data),
                  void *data,
                  char *problem,
                  size_t size);

void arm_end (Arm *arm);
