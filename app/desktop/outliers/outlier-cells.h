/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cells of the table of late wake-ups that show more than text. */
#pragma once

#include "tables/table-view.h"

/* For culprit_table_view_set_columns(). */
extern const TableCell outlier_cells[];

/* Lets @rows show @missing, a constant, where there is no class yet. */
void outlier_cells_attach (CulpritRows *rows, const char *missing);
