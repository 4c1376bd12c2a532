/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What people ask a study. Every query gives a table; its columns are described in culprit-study(5). */
#pragma once

#include "study.h"
#include "tables/table.h"
#include "units.h"

/* What part of the study is meant; zero and NULL for all of it. */
typedef struct
{
  const char *run;
  gint64 capture;
  const char *where;      /* An SQL expression over the table's columns, dots in their names as underscores. */
  const gint64 *captures; /* where capture is 0: these only */
  guint n_captures;
  gboolean counted; /* of outliers and captures, those only that count: not ignored ones, unless they are named */
} CulpritFilter;

/* How many ignored captures (see triage.h) are left out of what @filter means. */
gboolean culprit_query_ignored (CulpritStudy *study, const CulpritFilter *filter, guint *ignored, GError **error);

/* All runs: their name, host, captures, configuration. */
CulpritTable *culprit_query_runs (CulpritStudy *study, GError **error);

/* All captures, with or without an outlier: file, run, events, what is missing. */
CulpritTable *culprit_query_captures (CulpritStudy *study, const CulpritFilter *filter, GError **error);

/* The outlier windows, latest capture last. */
CulpritTable *culprit_query_outliers (CulpritStudy *study, const CulpritFilter *filter, GError **error);

/* The functions across captures that count, those first that cost most in outlier windows, tracing taken out. */
CulpritTable *culprit_query_functions (CulpritStudy *study, const CulpritFilter *filter, GError **error);

/* The outlier windows that count in which the function of culprit_function_key() @key ran, in any context: its calls
 * and self-time there and, on average, in the ordinary windows beside each. */
CulpritTable *culprit_query_function (CulpritStudy *study,
                                      const CulpritFilter *filter,
                                      const char *key,
                                      GError **error);

/* Every part of the outlier window of @capture, each beside its mean over the ordinary windows, largest untraced time
 * first. self_ns is untraced_ns and tracing_ns; over all rows it adds up to the latency. */
CulpritTable *culprit_query_parts (CulpritStudy *study, gint64 capture, GError **error);

/* The same as people see it: part_ns, by which the rows are ordered, is the untraced or the own time as @times says,
 * and adds up to the latency in both cases. kind is part; or rest, of the row of all parts below @smallest_ns; or,
 * where times are untraced, tracing, of the last row, which has the tracer's share of all parts. */
CulpritTable *culprit_query_budget (
    CulpritStudy *study, gint64 capture, CulpritTimes times, gint64 smallest_ns, GError **error);

/* Parts of a latency that are shorter are shown together. */
static inline gint64
culprit_smallest_part_ns (gint64 latency_ns)
{
  return latency_ns / 200;
}

/* The number of the capture that @name means: its number, its file's path or the last part of that. 0 with an error. */
gint64 culprit_query_capture_id (CulpritStudy *study, const char *name, GError **error);

/* Where the file of @capture is: where it was, else in the study's folder or in the folder of captures beside the
 * study, known by its digest. NULL with an error. */
char *culprit_query_capture_file (CulpritStudy *study, gint64 capture, GError **error);

/* Any one query that only reads. */
CulpritTable *culprit_query_sql (CulpritStudy *study, const char *sql, GError **error);
