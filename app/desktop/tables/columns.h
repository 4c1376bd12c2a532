/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of a table view: those that the table's definition shows in a window. */
#pragma once

#include "tables/column.h"
#include "tables/rows.h"

#include <gtk/gtk.h>

/* How a column is drawn that is no text. */
typedef struct
{
  const char *key;           /* of the column; NULL ends the cells */
  GtkWidget *(*make) (void); /* NULL: a label */
  void (*show) (GtkWidget *cell, CulpritRow *row);
} TableCell;

typedef struct
{
  CulpritColumn is;
  const TableCell *cell; /* NULL: a label */
  gboolean more;         /* It is shown only when asked for. */
  gboolean descending;   /* It is sorted so; what is not known comes last either way. */
} TableColumn;

/* The columns of @definition in a window, and those that it has more of, of which @cells (NULL: none) are drawn; one
 * without a key ends them. The caller owns the array. */
TableColumn *table_columns_new (const CulpritDefinition *definition, const TableCell *cells);

/* A column of a column view, which can be sorted by it. The caller owns it; @column must outlive it. */
GtkColumnViewColumn *table_column_make (const TableColumn *column);
