/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables as text for programs: CSV, and JSON with one object per row. Times (columns that end in _ns) are whole
 * nanoseconds. */
#pragma once

#include "tables/table.h"

/* The header and the @n rows @rows of @table; all rows if @rows is NULL. The caller owns it. */
char *culprit_table_to_csv (const CulpritTable *table, const guint *rows, guint n);
char *culprit_table_to_json (const CulpritTable *table, const guint *rows, guint n);

/* Adds the members of @row to @json, without braces. Columns of one group become an object; what is not finite becomes
 * null. */
void culprit_table_add_members (const CulpritTable *table, guint row, GString *json);
