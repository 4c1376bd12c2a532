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
