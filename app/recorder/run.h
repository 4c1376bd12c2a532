/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run: cycles under one configuration, with tracing or without, and the captures of its hits. */
#pragma once

#include "cyclic.h"

/* What a recording has, beside the request. */
typedef struct
{
  const Request *request;
  Shared *shared;
  const char *folder; /* for captures */
  int captures;       /* that were taken so far */
} Recording;

/* Measures run @number and says all there is to say of it. False: it cannot go on, and @problem says why. */
bool run_measure (Recording *recording, int number, bool traced, char *problem, size_t size);
