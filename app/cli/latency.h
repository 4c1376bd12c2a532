/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What culprit latency shows of a run, and how. */
#pragma once

#include "latency/description.h"
#include "print.h"

typedef struct
{
  char *name;
  CulpritProfile *profile;
  CulpritDescription *description; /* with culprit_quantiles_usual */
  CulpritLateness lateness;        /* zero where the period is not known */
} LatencyRun;

/* @density: with its density. */
void latency_add_json (JsonBuilder *builder, const LatencyRun *run, gboolean density);

/* Of a run of which no more is known. */
void latency_add_summary_json (JsonBuilder *builder, const char *name, const CulpritSummary *summary);
void latency_print_summary (const char *name, const CulpritSummary *summary);
void latency_add_summary_row (CulpritTable *table, const char *name, const CulpritSummary *summary);

void latency_print_text (const LatencyRun *run);

/* As stress-ng --cyclic prints it, percentiles by its rule. */
void latency_print_stress_ng (const LatencyRun *run);

/* A table with a row for each run; @summary: with quartiles only, as R's summary. */
void latency_add_columns (CulpritTable *table, gboolean summary);
void latency_add_row (CulpritTable *table, const LatencyRun *run, gboolean summary);
void latency_print_table (const CulpritTable *table, Format format);
