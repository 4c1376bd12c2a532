/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How values are shown to people. All values of tables are formatted here, except in CSV and JSON (see table-text.h).
 */
#pragma once

#include "tables/column.h"
#include "units.h"

/* @value of @kind as text: "1.472 ms", "98.8 %", "< 1e-9", "called too often". NULL: it is not known. The caller owns
 * it. */
char *culprit_value_text (CulpritValue value, CulpritKind kind);

/* The value of @column in @row, likewise: "qh_completions#2", "10.0 us to 20.0 us". */
char *culprit_cell_text (const CulpritTable *table, guint row, const CulpritColumn *column);

/* "called too often" for "called-too-often". The caller owns it. */
char *culprit_class_text (const char *class);

/* A common unit for all times of @column, so that they line up; NULL: it has none. */
const CulpritUnit *culprit_column_unit (const CulpritTable *table, const CulpritColumn *column);

/* As culprit_cell_text() if the heading of the column names @unit: "1472.0". Classes and files are written as commands
 * accept them. */
char *culprit_cell_text_in (const CulpritTable *table, guint row, const CulpritColumn *column, const CulpritUnit *unit);

/* Compares two values, as a GCompareFunc; unknown ones come last. */
int culprit_value_compare (CulpritValue left, CulpritValue right);
