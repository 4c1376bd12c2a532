/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What people ask a study. Every query gives a table; its columns are described in culprit-study(5). */
#pragma once

#include "study.h"
#include "table.h"

/* What part of the study is meant; zero and NULL for all of it. */
typedef struct
{
  const char *run;
  gint64 capture;
  const char *where;      /* An SQL expression over the table's columns, dots in their names as underscores. */
  const gint64 *captures; /* where capture is 0: these only */
  guint n_captures;
} CulpritFilter;

/* All runs: their name, host, captures, configuration. */
CulpritTable *culprit_query_runs (CulpritStudy *study, GError **error);

/* All captures, with or without an outlier: file, run, events, what is missing. */
CulpritTable *culprit_query_captures (CulpritStudy *study, const CulpritFilter *filter, GError **error);

/* The outlier windows, latest capture last. */
CulpritTable *culprit_query_outliers (CulpritStudy *study, const CulpritFilter *filter, GError **error);

/* The functions across captures, those first that cost most in outlier windows, tracing taken out. */
CulpritTable *culprit_query_functions (CulpritStudy *study, const CulpritFilter *filter, GError **error);

/* The outlier windows in which @function ran, in any context: its calls and self-time there and, on average, in the
 * ordinary windows beside each. */
CulpritTable *culprit_query_function (CulpritStudy *study,
                                      const CulpritFilter *filter,
                                      const char *function,
                                      GError **error);

/* The budget of the outlier window of @capture, each part beside its mean over the ordinary windows; most self first.
 * Parts whose self-time is below @smallest_ns are taken together in a last row, so that the table still adds up. */
CulpritTable *culprit_query_budget (CulpritStudy *study, gint64 capture, gint64 smallest_ns, GError **error);

/* The number of the capture that @name means: its number, its file's path or the last part of that. 0 with an error. */
gint64 culprit_query_capture_id (CulpritStudy *study, const char *name, GError **error);

/* Where the file of @capture is: where it was, else in the study's folder or in the folder of captures beside the
 * study, known by its digest. NULL with an error. */
char *culprit_query_capture_file (CulpritStudy *study, gint64 capture, GError **error);

/* Any one query that only reads. */
CulpritTable *culprit_query_sql (CulpritStudy *study, const char *sql, GError **error);
