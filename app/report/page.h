/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes markup. Every text goes through here, since names in a capture can be anything. */
#pragma once

#include "tables/tables.h"

/* Adds @markup, a format whose texts (%s) are escaped; characters that cannot be shown become question marks. */
void page_add (GString *page, const char *markup, ...) G_GNUC_PRINTF (2, 3);

/* Adds a cell with the value of @column in @row: formatted for people and, if it is a number, for programs in <data
 * value="...">. */
void page_add_cell (GString *page, const CulpritTable *table, guint row, const CulpritColumn *column);

/* Adds a cell for each of @columns. */
void page_add_cells (GString *page, const CulpritTable *table, guint row, const CulpritColumn *columns);

/* Begins a table with the headings of @columns, which end with one without a key. */
void page_begin_table (GString *page, const CulpritColumn *columns);
void page_end_table (GString *page);

/* Adds the first @rows rows of @table, or all if there are fewer, with the columns that @definition shows in a
 * report. */
void page_add_table (GString *page, const CulpritTable *table, const CulpritDefinition *definition, guint rows);
