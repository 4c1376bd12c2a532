/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run: cycles under one configuration, with or without tracing, and the captures of its hits. */
#pragma once

#include "cyclic.h"

/* Measures what tracing costs on this machine, before relying on it. */

/* Measures some cycles with tracing, which must be set up, and reports the result. False: period or trigger make no
 * sense with tracing here and the request is to refuse that, or measuring failed; @problem says so in one line. */
bool calibrate (Shared *shared, const Request *request, char *problem, size_t size);

/* The state of a recording, besides the request. */
typedef struct
{
  const Request *request;
  Shared *shared;
  const char *folder; /* for captures */
  int captures;       /* taken so far */
} Recording;

/* Measures run @number and reports everything about it. False: the recording cannot continue, and @problem says why. */
bool run_measure (Recording *recording, int number, bool traced, char *problem, size_t size);
