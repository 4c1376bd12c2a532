/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table as a list model: one CulpritRow for each of its rows. It emits "edited" when a cell of any row has changed.
 */
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

/* The same, to change cells; call culprit_rows_changed() afterwards. */
CulpritTable *culprit_rows_edit (CulpritRows *rows);

/* Makes every row emit "changed", so that it is shown again. */
void culprit_rows_changed (CulpritRows *rows);

/* The row whose integer in @key is @value, or NULL. Belongs to @rows. */
CulpritRow *culprit_rows_find (CulpritRows *rows, const char *key, gint64 value);

/* The largest value of @key in the table, for cells that draw theirs relative to it. */
double culprit_rows_greatest (CulpritRows *rows, const char *key);

/* The largest value that was last asked for, of the table of @row. */
double culprit_row_scale (CulpritRow *row);

/* Attaches @data to the rows as @what, for cells that show more than the table has; @destroy frees it. */
void culprit_rows_attach (CulpritRows *rows, const char *what, gpointer data, GDestroyNotify destroy);

/* What was attached as @what to the rows of @row, or NULL. */
gconstpointer culprit_row_attached (CulpritRow *row, const char *what);

/* The place of the row in the table. */
guint culprit_row_place (CulpritRow *row);

/* The cells of the row, like culprit_table_value() and so on. */
CulpritValue culprit_row_value (CulpritRow *row, const char *key);
gint64 culprit_row_integer (CulpritRow *row, const char *key);
double culprit_row_real (CulpritRow *row, const char *key);
const char *culprit_row_text (CulpritRow *row, const char *key);

/* The text of the cell in @column; "–" if it is unknown. The caller owns it. */
char *culprit_row_cell (CulpritRow *row, const CulpritColumn *column);

/* The culprit_function_key() of the function of the row. The caller owns it. */
char *culprit_row_function (CulpritRow *row);

/* Changes the text of the cell @key. The row emits "changed", its rows "edited". */
void culprit_row_set_text (CulpritRow *row, const char *key, const char *text);
