/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The output of culprit latency for one run. */
#pragma once

#include "print.h"
#include "tables/latency.h"

/* @density: with its density. */
void latency_add_json (JsonBuilder *builder, const CulpritRunLatencies *run, gboolean density);

/* For a run of which only the summary is known. */
void latency_add_summary_json (JsonBuilder *builder, const CulpritRunLatencies *run);
void latency_print_summary (const CulpritRunLatencies *run);

void latency_print_text (const CulpritRunLatencies *run);

/* As printed by stress-ng --cyclic, with percentiles by its rule. */
void latency_print_stress_ng (const CulpritRunLatencies *run);
