/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of a table view, from the definition of its table. */
#pragma once

#include "tables/column.h"
#include "tables/rows.h"

#include <gtk/gtk.h>

/* A column that is not drawn as text. */
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
  gboolean more;         /* It is shown only on request. */
  gboolean descending;   /* It is sorted in descending order at first; unknown values come last either way. */
} TableColumn;

/* The columns of @definition for a window, those on request included; the columns in @cells (NULL: none) are drawn. One
 * without a key ends the array, which the caller owns. */
TableColumn *table_columns_new (const CulpritDefinition *definition, const TableCell *cells);

/* A column of a column view, with a sorter. The caller owns it; @column must outlive it. */
GtkColumnViewColumn *table_column_make (const TableColumn *column);
