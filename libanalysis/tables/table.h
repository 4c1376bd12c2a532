/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The result of a query: named columns, rows of values. Column names include units (latency_ns); a dot in a name
 * separates a group: "ordinary.calls_mean". */
#pragma once

#include <glib.h>

typedef enum
{
  CULPRIT_VALUE_NULL,
  CULPRIT_VALUE_INTEGER,
  CULPRIT_VALUE_REAL,
  CULPRIT_VALUE_TEXT,
} CulpritValueType;

typedef struct
{
  CulpritValueType type;
  union
  {
    gint64 integer;
    double real;
    const char *text; /* Valid UTF-8, whatever was added. Owned by the table. */
  };
} CulpritValue;

typedef struct
{
  GPtrArray *columns; /* of char * */
  GArray *values;     /* of CulpritValue, row after row */
  GStringChunk *texts;
  GHashTable *long_texts; /* those of them that are */
  gboolean grouped;       /* Dots in column names mean groups; in a user's own query they are just dots. */
} CulpritTable;

CulpritTable *culprit_table_new (void);
void culprit_table_free (CulpritTable *table);

/* Build a table by hand: all columns first, then each row's values in order. NaN is stored as null. */
void culprit_table_add_column (CulpritTable *table, const char *name);
void culprit_table_add_text (CulpritTable *table, const char *text);
void culprit_table_add_integer (CulpritTable *table, gint64 integer);
void culprit_table_add_real (CulpritTable *table, double real);

/* Replaces the value of a cell. NaN is stored as null. */
void culprit_table_set_text (CulpritTable *table, guint row, const char *column, const char *text);
void culprit_table_set_real (CulpritTable *table, guint row, const char *column, double real);
guint culprit_table_rows (const CulpritTable *table);

/* @value as a number; NaN if it is not one. */
double culprit_value_number (CulpritValue value);

/* The value in @row of the column with index @column. */
CulpritValue culprit_table_at (const CulpritTable *table, guint row, guint column);

gboolean culprit_table_has (const CulpritTable *table, const char *column);

/* The value in @row of the column named @column, which the table must have; null if there is no such row. */
CulpritValue culprit_table_value (const CulpritTable *table, guint row, const char *column);

/* The same as a whole number, with nulls and texts as 0; and as text, with anything but text as "". */
gint64 culprit_table_integer (const CulpritTable *table, guint row, const char *column);
const char *culprit_table_text (const CulpritTable *table, guint row, const char *column);

/* The rows by their text in @column, as GUINT_TO_POINTER (); 0 for one that is not there. The keys are the table's; the
 * caller owns the hash table. */
GHashTable *culprit_table_index (const CulpritTable *table, const char *column);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritTable, culprit_table_free)

/* Tables as text for programs: CSV, and JSON with one object per row. Times (columns that end in _ns) are whole
 * nanoseconds. */

/* The text of a cell as it may be pasted into a spreadsheet or a shell: on one line, plain, and no formula. The caller
 * owns it. */
char *culprit_pasted_text (const char *text);

/* Add a line to @csv: the columns, or those of @row. */
void culprit_table_add_csv_header (const CulpritTable *table, GString *csv);
void culprit_table_add_csv_row (const CulpritTable *table, guint row, GString *csv);

/* The header and the @n rows @rows of @table; of JSON, all rows if @rows is NULL. The caller owns it. */
char *culprit_table_to_csv (const CulpritTable *table, const guint *rows, guint n);
char *culprit_table_to_json (const CulpritTable *table, const guint *rows, guint n);

/* Adds the members of @row to @json, without braces. Columns of one group become an object; what is not finite becomes
 * null. */
void culprit_table_add_members (const CulpritTable *table, guint row, GString *json);
