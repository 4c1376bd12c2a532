/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queries of a study. Each gives a table; its columns are described in culprit-study(5). */
#pragma once

#include "study.h"
#include "tables/table.h"
#include "units.h"

/* Selects a part of the study; zero and NULL for all of it. */
typedef struct
{
  const char *run;
  gint64 capture;
  const char *where;      /* An SQL expression over the table's columns, with underscores in place of dots. */
  const gint64 *captures; /* if capture is 0: only these */
  guint n_captures;
  gboolean counted; /* only outliers and captures that count: not ignored ones, unless they are named */
} CulpritFilter;

/* How many ignored captures (see triage.h) are left out of what @filter selects. */
gboolean culprit_query_ignored (CulpritStudy *study, const CulpritFilter *filter, guint *ignored, GError **error);

/* What tells @study from another one that has replaced it, though it may have no captures: that of the same study
 * begins with what it was before, as runs are only added. The caller owns it. */
char *culprit_query_origin (CulpritStudy *study, GError **error);

/* Why captures that @filter selects have no windows, and which they are (if @numbered) or how many: a sentence for each
 * reason. None if it has a where, which is about late wake-ups; NULL: all captures. An array of char * that the caller
 * owns; NULL with an error. */
GPtrArray *culprit_query_without_windows (CulpritStudy *study,
                                          const CulpritFilter *filter,
                                          gboolean numbered,
                                          GError **error);

/* All runs: their name, host, captures, configuration. */
CulpritTable *culprit_query_runs (CulpritStudy *study, GError **error);

/* All captures, with or without an outlier: file, run, events, what is missing. */
CulpritTable *culprit_query_captures (CulpritStudy *study, const CulpritFilter *filter, GError **error);

/* The outlier windows, in the order of their captures. */
CulpritTable *culprit_query_outliers (CulpritStudy *study, const CulpritFilter *filter, GError **error);

/* The functions over all captures that count, most untraced time in outlier windows first. */
CulpritTable *culprit_query_functions (CulpritStudy *study, const CulpritFilter *filter, GError **error);

/* The sections over all captures that count: the times of 20 us or more in which a CPU had interrupts or preemption
 * disabled, by the functions in which that began and ended, the longest first. */
CulpritTable *culprit_query_sections (CulpritStudy *study, const CulpritFilter *filter, GError **error);

/* Why culprit_query_sections() with @filter finds none, and what to do, as a sentence; NULL with an error. */
const char *culprit_query_why_no_sections (CulpritStudy *study, const CulpritFilter *filter, GError **error);

/* The outlier windows that count in which the function with the culprit_function_key() @key ran, in any context: its
 * calls and self-time there and, on average, in the ordinary windows of the same capture. */
CulpritTable *culprit_query_function (CulpritStudy *study,
                                      const CulpritFilter *filter,
                                      const char *key,
                                      GError **error);

/* Every part of the outlier window of @capture with its mean over the ordinary windows, largest untraced time first.
 * self_ns is untraced_ns plus tracing_ns; over all rows it adds up to the latency. */
CulpritTable *culprit_query_parts (CulpritStudy *study, gint64 capture, GError **error);

/* The same as shown to people: part_ns, by which the rows are ordered, is the untraced or the own time, depending on
 * @times, and adds up to the latency in both cases. kind is part; rest for the row that combines all parts below
 * @smallest_ns; or, with untraced times, tracing for the last row, the tracer's share of all parts. */
CulpritTable *culprit_query_budget (
    CulpritStudy *study, gint64 capture, CulpritTimes times, gint64 smallest_ns, GError **error);

/* Parts of a latency that are shorter are combined. */
static inline gint64
culprit_smallest_part_ns (gint64 latency_ns)
{
  return latency_ns / 200;
}

/* The number of the capture that @name means: its number, its file's path or file name, or the first digits of its
 * digest. 0 with an error. */
gint64 culprit_query_capture_id (CulpritStudy *study, const char *name, GError **error);

/* The current path of the file of @capture: where it was, else in the study's folder or in the folder of captures
 * beside the study, identified by its digest; links are not followed there. NULL with an
 * error. */
char *culprit_query_capture_file (CulpritStudy *study, gint64 capture, GError **error);

/* Where the files of captures are looked for. */
typedef enum
{
  CULPRIT_CAPTURES_ANYWHERE, /* where they were, else beside the study */
  CULPRIT_CAPTURES_BESIDE,   /* in the study's folder and where they were below it, and in the folder of captures */
} CulpritCapturePlaces;

/* The files of many captures: as culprit_query_capture_file(), but folders are listed, and files read, once. @study
 * must remain open until it is freed. */
typedef struct _CulpritCaptureFiles CulpritCaptureFiles;

CulpritCaptureFiles *culprit_capture_files_new (CulpritStudy *study, CulpritCapturePlaces places);
void culprit_capture_files_free (CulpritCaptureFiles *files);
char *culprit_capture_files_find (CulpritCaptureFiles *files, gint64 capture, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritCaptureFiles, culprit_capture_files_free)

/* What the windows of @capture are, as capture/windows/measured.h defines them, and the threshold of the late one, for
 * reading its file again. The caller owns the result. NULL with an error. */
char *culprit_query_capture_definition (CulpritStudy *study, gint64 capture, guint64 *threshold_ns, GError **error);

/* Any single query that only reads. */
CulpritTable *culprit_query_sql (CulpritStudy *study, const char *sql, GError **error);
