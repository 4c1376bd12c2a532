/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cells of the table of late wake-ups that show more than text. */
#pragma once

#include "tables/table-view.h"

/* For culprit_table_view_set_columns(). */
extern const TableCell outlier_cells[];
