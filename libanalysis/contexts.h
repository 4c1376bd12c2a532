/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the CPU was running, for people; in files and tables it has the name of culprit_context_name(). */
#pragma once

#include "capture/capture.h"

typedef struct
{
  const char *title;  /* "hardware interrupt" */
  const char *kind;   /* of what held the CPU, before its name: "interrupt"; NULL if nothing need be said */
  const char *inside; /* after a function: " (in an interrupt)", "" */
} CulpritContextWords;

extern const CulpritContextWords culprit_context_words[CULPRIT_CONTEXTS];

/* Who ended a blocked time, in words that can follow "until": the name of the task @source, or "an interrupt" if it is
 * "hardirq". */
const char *culprit_waker_in_words (const char *source);

/* Why the measured task did not run: "preempted by holder", "blocked in futex_wait until holder woke it". @who may be
 * empty, and so may @in, the call in which it waited. NULL: @context is neither another task nor blocked. The caller
 * owns it. */
char *culprit_kept_in_words (CulpritContext context, const char *who, const char *in);
