/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table cell with a small strip plot: what a function cost in each late wake-up, compared with ordinary ones. */
#pragma once

#include "tables/rows.h"

#include <gtk/gtk.h>

GtkWidget *strip_cell_new (void);

/* Shows the function of @row, to whose rows CulpritFunctionPoints are attached. */
void strip_cell_show (GtkWidget *cell, CulpritRow *row);
