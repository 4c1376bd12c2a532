/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How values are shown to people. Every value of a table is formatted here, except in CSV and JSON (see table-text.h).
 */
#pragma once

#include "tables/column.h"

/* What @value of @kind reads like: "1.472 ms", "98.8 %", "< 1e-9", "called too often". NULL: it is not known. The
 * caller owns it. */
char *culprit_value_text (CulpritValue value, CulpritKind kind);

/* What @column has in @row, likewise: "qh_completions#2", "10.0 us to 20.0 us". */
char *culprit_cell_text (const CulpritTable *table, guint row, const CulpritColumn *column);

/* "called too often" for "called-too-often". The caller owns it. */
char *culprit_class_text (const char *class);

/* A unit that all times of a column are written in, so that they stand below each other. */
typedef struct
{
  const char *name;
  double ns;
  int decimals;
  int all_decimals; /* to the nanosecond */
} CulpritUnit;

/* The unit in which all times of @column can be read; NULL: it has none. */
const CulpritUnit *culprit_column_unit (const CulpritTable *table, const CulpritColumn *column);

/* As culprit_cell_text() where the heading of the column names @unit: "1472.0". What a command takes, a class or a
 * file, reads as it takes it. */
char *culprit_cell_text_in (const CulpritTable *table, guint row, const CulpritColumn *column, const CulpritUnit *unit);

/* Which of two values comes first, as a GCompareFunc: unknown ones last. */
int culprit_value_compare (CulpritValue left, CulpritValue right);
