/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables that commands, window and report show. */
#pragma once

#include "tables/column.h"

/* culprit_query_runs(). */
extern const CulpritDefinition culprit_runs;

/* culprit_verdict_outliers(). */
extern const CulpritDefinition culprit_outliers;

/* culprit_query_parts(); and culprit_query_budget(), of which a terminal shows other columns for traced times. */
extern const CulpritDefinition culprit_parts;

extern const CulpritDefinition culprit_budget;

extern const CulpritDefinition culprit_budget_traced;

/* The call tree of a late wake-up, see tree.h; without and with the tracer's time. */
extern const CulpritDefinition culprit_calls;

extern const CulpritDefinition culprit_calls_traced;

/* culprit_query_functions(); and what is shown of it if there are no windows to compare. */
extern const CulpritDefinition culprit_functions;

extern const CulpritDefinition culprit_functions_whole;

/* culprit_query_sections(). */
extern const CulpritDefinition culprit_sections;

/* culprit_query_function(). */
extern const CulpritDefinition culprit_function_windows;

/* culprit_stalls_table() and culprit_places_table(), in stalls.h. */
extern const CulpritDefinition culprit_stretches;

extern const CulpritDefinition culprit_places;

/* The table in CulpritFleet, in fleet/fleet.h. */
extern const CulpritDefinition culprit_fleet_causes;

/* culprit_latencies_table(), in latency.h. */
extern const CulpritDefinition culprit_latencies;

/* culprit_range_table(), in range.h. */
extern const CulpritDefinition culprit_range;

/* culprit_comparison_table_add(), in comparison.h. */
extern const CulpritDefinition culprit_comparisons;
