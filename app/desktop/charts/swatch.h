/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A patch in the colour of a run, beside its name. */
#pragma once

#include "chart/colours.h"
#include "tables/columns.h"

#include <gtk/gtk.h>

/* @colour as widgets need it. */
static inline GdkRGBA
rgba_of (const ChartColour *colour, double alpha)
{
  return (GdkRGBA) { colour->red, colour->green, colour->blue, alpha };
}

#define CULPRIT_TYPE_SWATCH (culprit_swatch_get_type ())

G_DECLARE_FINAL_TYPE (CulpritSwatch, culprit_swatch, CULPRIT, SWATCH, GtkWidget)

GtkWidget *culprit_swatch_new (guint number);

/* The cell of a run's name with its colour, for rows that have numbers attached. */

/* The column "run" with colours, for culprit_table_view_set_columns(). */
#define RUN_CELL                                                                                                       \
  {                                                                                                                    \
    "run", run_cell_make, run_cell_show                                                                                \
  }

/* Attaches @numbers (of guint), one for the run in each row, to @rows. Takes them. */
void run_cell_attach (CulpritRows *rows, GArray *numbers);
GtkWidget *run_cell_make (void);
void run_cell_show (GtkWidget *cell, CulpritRow *row);
