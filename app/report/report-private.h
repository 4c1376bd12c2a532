/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data and the sections of the report. */
#pragma once

#include "chart/colours.h"
#include "page.h"
#include "report.h"
#include "study/tree.h"
#include "tables/outliers.h"
#include "timeline/timeline.h"

#define REPORT_MOST_BUDGETS 20 /* captures whose budget is shown */
#define REPORT_MOST_FUNCTIONS 20
#define REPORT_MOST_SECTIONS 20

typedef struct
{
  CulpritStudy *study;
  CulpritCaptureFiles *files;
  CulpritFilter filter;
  CulpritVerdict *judged;  /* judged among all captures of the run: the cause of each capture */
  CulpritVerdict *verdict; /* the captures of the filter only: the sentences; may be the same */
  CulpritTable *outliers;  /* the captures of the filter that count */
  guint ignored;           /* captures that are left out */
} ReportContent;

/* What the colours of report_add_flame() are in a theme, as properties of a style sheet. The caller owns it. */
char *report_flame_css (ChartPalette palette);

/* The call paths of all late wake-ups, merged, if there are any. */
gboolean report_add_flame (GString *page, const ReportContent *content, GError **error);

/* The table of captures, and the budgets of the longest ones. */
void report_add_captures (GString *page, const ReportContent *content);
gboolean report_add_budgets (GString *page, const ReportContent *content, GError **error);
