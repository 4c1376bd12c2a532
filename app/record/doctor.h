/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the facts of a target mean for measurements there, and how to fix what would distort them. */
#pragma once

#include "message.h"
#include "target.h"

#include <json-glib/json-glib.h>

typedef enum
{
  CULPRIT_FINDING_FAILS,  /* Nothing can be measured, or no capture taken. */
  CULPRIT_FINDING_SPOILS, /* Results would be misleading. */
  CULPRIT_FINDING_HINT,   /* Could be better. */
  CULPRIT_FINDING_GOOD,
} CulpritSeverity;

typedef struct
{
  CulpritSeverity severity;
  const char *key; /* a stable name, e.g. "function-graph" */
  char *text;      /* one sentence */
  CulpritRemedy remedy;
  char *fix; /* a command for a root shell that fixes it; NULL: there is none */
} CulpritFinding;

/* "blocker", "warning", "hint", "ok". */
const char *culprit_severity_name (CulpritSeverity severity);

/* What @finding says. The caller owns it. */
char *culprit_finding_words (const CulpritFinding *finding, CulpritSurface surface);

/* All findings from @facts, worst first. An array of CulpritFinding that the caller owns. */
GPtrArray *culprit_doctor_examine (const CulpritFacts *facts);

/* The first of @findings, as of culprit_doctor_examine(), that a recording with @request (see app/recorder/PROTOCOL.md)
 * would fail of. Belongs to @findings; NULL: it can be made. */
const CulpritFinding *culprit_doctor_blocker (const GPtrArray *findings, JsonObject *request);
