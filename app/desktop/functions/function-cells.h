/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells of the table of functions. */
#pragma once

#include "study/functions.h"
#include "tables/rows.h"

#include <gtk/gtk.h>

GtkWidget *split_bar_new (void);

/* Shows the parts of @row's excess beside the largest excess of its table. */
void split_bar_show (GtkWidget *bar, CulpritRow *row);

/* A table cell with a small strip plot: what a function cost in each late wake-up, compared with ordinary ones. */

/* Attaches @points, which it takes, to the functions @rows. */
void strip_cell_attach (CulpritRows *rows, CulpritFunctionPoints *points);
GtkWidget *strip_cell_new (void);

/* Shows the function of @row. */
void strip_cell_show (GtkWidget *cell, CulpritRow *row);
