/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stretches of a verdict and the places they struck, as tables. */
#pragma once

#include "tables/table-view.h"
#include "verdict/verdict.h"

extern const TableColumn stall_columns[];
extern const TableColumn stall_place_columns[];

/* A row for the longest stretch of each late wake-up that counts, as its row in @outliers says. The caller owns it. */
CulpritRows *stall_rows (const CulpritVerdict *verdict, CulpritRows *outliers);

/* A row for each place. The caller owns it. */
CulpritRows *stall_place_rows (const CulpritStalls *stalls);

/* What the test comes to. The caller owns it. */
char *stall_test_in_words (const CulpritStalls *stalls);
