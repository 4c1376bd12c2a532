/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The recordings that explain the peaks of a run: latencies without and with tracing if they are missing, then captures
 * of each peak, and last of the lowest one if the others need it. What is in the study is not recorded again. */
#pragma once

#include "recording.h"
#include "verdict/explanation.h"

#define CULPRIT_EXPLAIN_CAPTURES 10 /* of each peak, unless something else is asked for */

typedef struct
{
  const char *study;    /* its file; created if it does not exist */
  const char *run;      /* without tracing, or its series; NULL: the last one */
  const GArray *bands;  /* of CulpritBand; NULL: the peaks */
  JsonObject *settings; /* those given; the others are as in the run */
  gint64 captures;      /* of each peak; at least CULPRIT_EXPLAIN_LEAST */
} CulpritExplaining;

typedef struct
{
  /* A recording begins: of @what, e.g. "peak 2 at 1.000 ms"; it is to take @captures; 0: none. @plan: what it is the
   * first of and how long that takes, in sentences; NULL: it is a further one. */
  void (*begin) (const char *plan, const char *what, gint64 captures, gpointer data);
  CulpritRecordingEvent event;
} CulpritExplainingCalls;

/* What is to be recorded next for @explanation, in sentences; NULL: nothing is missing. The caller owns it. */
char *culprit_explaining_plan (const CulpritExplaining *explaining, const CulpritExplanation *explanation);

/* Records what is missing, as culprit_record() does one after another, and explains. @result has the runs and captures
 * of all recordings, and must be cleared. NULL with an error; also if it is cancelled before there is a run. */
CulpritExplanation *culprit_explain (const CulpritExplaining *explaining,
                                     const CulpritTarget *target,
                                     GCancellable *cancellable,
                                     const CulpritExplainingCalls *calls,
                                     gpointer data,
                                     CulpritRecordingResult *result,
                                     GError **error);

/* What the study tells, without recording. NULL with an error. */
CulpritExplanation *culprit_explaining_read (const CulpritExplaining *explaining, GError **error);
