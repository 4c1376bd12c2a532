/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cell of a run's name, with its colour, for tables that have the runs' numbers attached. */
#pragma once

#include "tables/columns.h"

/* The column "run" with colours, for culprit_table_view_set_columns(). */
#define RUN_CELL                                                                                                       \
  {                                                                                                                    \
    "run", run_cell_make, run_cell_show                                                                                \
  }

/* Attaches @numbers (of guint), which it takes, to @rows: of the run in each row. */
void run_cell_attach (CulpritRows *rows, GArray *numbers);

GtkWidget *run_cell_make (void);
void run_cell_show (GtkWidget *cell, CulpritRow *row);
