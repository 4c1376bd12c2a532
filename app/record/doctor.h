/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the facts of a target mean for a measurement there, and how to fix what would distort it. */
#pragma once

#include "facts.h"

typedef enum
{
  CULPRIT_FINDING_FAILS,  /* Nothing can be measured, or no capture be taken. */
  CULPRIT_FINDING_SPOILS, /* Results will not be what they seem. */
  CULPRIT_FINDING_HINT,   /* Better otherwise. */
  CULPRIT_FINDING_GOOD,
} CulpritSeverity;

typedef struct
{
  CulpritSeverity severity;
  const char *key; /* a stable name, as "function-graph" */
  char *text;      /* one sentence */
  char *mend;      /* a command for a root shell; NULL: there is none */
} CulpritFinding;

/* "blocker", "warning", "hint", "ok". */
const char *culprit_severity_name (CulpritSeverity severity);

/* All findings from @facts, the worst first. An array of CulpritFinding that the caller owns. */
GPtrArray *culprit_doctor_examine (const CulpritFacts *facts);
