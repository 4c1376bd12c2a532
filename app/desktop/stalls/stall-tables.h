/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the Stalls page shows besides its tables. */
#pragma once

#include "tables/table-view.h"
#include "verdict/verdict.h"

extern const TableCell stall_cells[];

/* What the test comes to. The caller owns it. */
char *stall_test_in_words (const CulpritStalls *stalls);
