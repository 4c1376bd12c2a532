/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The comparison of each run with the baseline, as a table. */
#pragma once

#include "compare/comparing.h"
#include "tables/table-view.h"

/* What a row's same_shape says as long as it is being computed. */
#define COMPARE_COMPUTING "computing…"

extern const TableCell compare_cells[];

/* A row for each side, the base first. The caller owns it. */
CulpritRows *compare_rows (const Comparing *comparing);
