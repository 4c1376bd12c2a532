/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said of each run's latencies, as a table. */
#pragma once

#include "document.h"
#include "tables/table-view.h"

/* A row for each of @latencies (of CulpritLatencies). The caller owns it. */
CulpritRows *latency_rows (const GPtrArray *latencies);
