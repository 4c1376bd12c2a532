/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data and the sections of the report. */
#pragma once

#include "page.h"
#include "report.h"
#include "study/tree.h"
#include "tables/outliers.h"
#include "timeline/timeline.h"

#define REPORT_MOST_BUDGETS 20 /* captures whose budget is shown */
#define REPORT_MOST_FUNCTIONS 20

typedef struct
{
  CulpritStudy *study;
  CulpritFilter filter;
  CulpritVerdict *judged;  /* judged among all captures of the run: the cause of each capture */
  CulpritVerdict *verdict; /* the captures of the filter only: the sentences; may be the same */
  CulpritTable *outliers;  /* the captures of the filter that count */
  guint ignored;           /* captures that are left out */
} ReportContent;

/* What was recorded: runs, and the captures of the filter. */
gboolean report_add_recorded (GString *page, const ReportContent *content, GError **error);

/* The histogram of each run. */
gboolean report_add_latencies (GString *page, const ReportContent *content, GError **error);

/* The verdict in words, and what to do next. */
void report_add_verdict (GString *page, const ReportContent *content);

/* How the runs compare, if there are several with latencies. */
gboolean report_add_comparison (GString *page, const ReportContent *content, GError **error);

/* The table of captures, and the budgets of the longest ones. */
void report_add_captures (GString *page, const ReportContent *content);
gboolean report_add_budgets (GString *page, const ReportContent *content, GError **error);

/* The budget of a capture, as a bar and a table; @one may be NULL. */
void report_add_budget (GString *page, const CulpritTable *budget, const CulpritCase *one, gint64 latency_ns);

/* The calls around the late wake-up of @timeline as a picture, and below each other. */
void report_add_timeline (GString *page, const CulpritTimeline *timeline);
void report_add_calls (GString *page, const CulpritTree *tree, gint64 latency_ns);

gboolean report_add_functions (GString *page, const ReportContent *content, GError **error);

/* The test of stalls, if any capture has one. */
void report_add_stalls (GString *page, const ReportContent *content);

/* What each number means. */
void report_add_meaning (GString *page);
