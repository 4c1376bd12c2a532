/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table as a list model: one CulpritRow for each of its rows. It emits "edited" when another text came into one. */
#pragma once

#include "tables/column.h"

#include <gio/gio.h>

#define CULPRIT_TYPE_ROWS (culprit_rows_get_type ())
G_DECLARE_FINAL_TYPE (CulpritRows, culprit_rows, CULPRIT, ROWS, GObject)

#define CULPRIT_TYPE_ROW (culprit_row_get_type ())
G_DECLARE_FINAL_TYPE (CulpritRow, culprit_row, CULPRIT, ROW, GObject)

/* A model of @table, which it takes. */
CulpritRows *culprit_rows_new (CulpritTable *table);

const CulpritTable *culprit_rows_table (CulpritRows *rows);

/* The same, to put other values into its cells; culprit_rows_changed() tells of them. */
CulpritTable *culprit_rows_edit (CulpritRows *rows);

/* Lets every row emit "changed", by which a row says that it is to be shown anew. */
void culprit_rows_changed (CulpritRows *rows);

/* The row whose integer in @key is @value; NULL where there is none. Belongs to @rows. */
CulpritRow *culprit_rows_find (CulpritRows *rows, const char *key, gint64 value);

/* The greatest value of @key in the table, for cells that draw theirs beside it. */
double culprit_rows_greatest (CulpritRows *rows, const char *key);

/* The greatest value that was last asked for, of the table that @row is of. */
double culprit_row_scale (CulpritRow *row);

/* Keeps @data with the rows as @what, for cells that show more than the table holds; @destroy frees it. */
void culprit_rows_attach (CulpritRows *rows, const char *what, gpointer data, GDestroyNotify destroy);

/* What was attached as @what to the rows that @row is of; NULL where nothing was. */
gconstpointer culprit_row_attached (CulpritRow *row, const char *what);

/* Its place in the table. */
guint culprit_row_place (CulpritRow *row);

/* Its cells, as of culprit_table_value() and the like. */
CulpritValue culprit_row_value (CulpritRow *row, const char *key);
gint64 culprit_row_integer (CulpritRow *row, const char *key);
double culprit_row_real (CulpritRow *row, const char *key);
const char *culprit_row_text (CulpritRow *row, const char *key);

/* What @column has in it, as it is shown: "–" where it is not known. The caller owns it. */
char *culprit_row_cell (CulpritRow *row, const CulpritColumn *column);

/* What the function of the row is known by, as of culprit_function_key(). The caller owns it. */
char *culprit_row_function (CulpritRow *row);

/* Puts another text into the cell @key and emits "changed"; its rows emit "edited". */
void culprit_row_set_text (CulpritRow *row, const char *key, const char *text);
