/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What culprit latency shows of a run, and how. */
#pragma once

#include "print.h"
#include "tables/latency.h"

/* @density: with its density. */
void latency_add_json (JsonBuilder *builder, const CulpritRunLatencies *run, gboolean density);

/* Of a run of which no more than its summary is known. */
void latency_add_summary_json (JsonBuilder *builder, const CulpritRunLatencies *run);
void latency_print_summary (const CulpritRunLatencies *run);

void latency_print_text (const CulpritRunLatencies *run);

/* As stress-ng --cyclic prints it, percentiles by its rule. */
void latency_print_stress_ng (const CulpritRunLatencies *run);
