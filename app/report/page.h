/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes markup. Every text goes through here, since names in a capture can be anything. */
#pragma once

#include "tables/tables.h"

/* Adds @markup, a format whose texts (%s) are escaped; what cannot be shown in them becomes a question mark. */
void page_add (GString *page, const char *markup, ...) G_GNUC_PRINTF (2, 3);

/* Adds a cell with what @column has in @row: as people read it and, of a number, whole for programs in
 * <data value="...">. */
void page_add_cell (GString *page, const CulpritTable *table, guint row, const CulpritColumn *column);

/* Adds the cells of the columns from @columns on. */
void page_add_cells (GString *page, const CulpritTable *table, guint row, const CulpritColumn *columns);

/* Begins a table with the headings of @columns, which end with one without a key. */
void page_begin_table (GString *page, const CulpritColumn *columns);
void page_end_table (GString *page);

/* Adds the first @rows rows of @table, or all where it has fewer, with what @definition shows in a report. */
void page_add_table (GString *page, const CulpritTable *table, const CulpritDefinition *definition, guint rows);
