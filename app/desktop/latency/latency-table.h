/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The latencies of each run, as a table. */
#pragma once

#include "document.h"
#include "tables/table-view.h"

/* What of the table is drawn. */
extern const TableCell latency_cells[];

/* A row for each of @latencies (of CulpritLatencies). The caller owns it. */
CulpritRows *latency_rows (const GPtrArray *latencies);
