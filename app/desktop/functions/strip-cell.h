/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table cell with a small strip plot: what a function cost in each late wake-up, compared with ordinary ones. */
#pragma once

#include "study/function-points.h"
#include "tables/rows.h"

#include <gtk/gtk.h>

/* Attaches @points, which it takes, to the functions @rows. */
void strip_cell_attach (CulpritRows *rows, CulpritFunctionPoints *points);

GtkWidget *strip_cell_new (void);

/* Shows the function of @row. */
void strip_cell_show (GtkWidget *cell, CulpritRow *row);
