/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of a table: what each shows, how, and what that means. */
#pragma once

#include "tables/cell.h"

#include <gtk/gtk.h>

/* A column. A new one is one more entry. */
typedef struct
{
  const char *key; /* of the table; NULL ends the columns */
  const char *title;
  CellKind kind;
  const char *explain; /* what the number means, in a sentence */
  guint width;         /* in characters; 0: as wide as it needs to be */
  gboolean expand;
  GtkWidget *(*make) (void); /* its own kind of cell; NULL: a label */
  void (*show) (GtkWidget *cell, CulpritRow *row);
} TableColumn;

/* What @column has in @row, as it is shown. The caller owns it. */
char *table_column_text (const TableColumn *column, CulpritRow *row);

/* A column of a column view, which can be sorted by it. The caller owns it. */
GtkColumnViewColumn *table_column_make (const TableColumn *column);
