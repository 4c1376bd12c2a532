/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes tables to standard output: aligned text for people, JSON and CSV for programs. */
#pragma once

#include "command.h"
#include "study/table-text.h"

typedef enum
{
  COLUMN_TEXT,     /* Left-aligned, its front cut where a line would be too long. */
  COLUMN_FUNCTION, /* The same, with the ordinal of the row's function. */
  COLUMN_WORD,     /* Left-aligned, never cut. */
  COLUMN_COUNT,    /* Whole numbers. */
  COLUMN_MEAN,     /* Numbers with a decimal. */
  COLUMN_PERCENT,  /* Parts of one, as of culprit_share_format(). */
  COLUMN_TIME,     /* Nanoseconds, shown in the unit that suits the column. */
  COLUMN_EXACT,    /* The same to the nanosecond, for times that shall add up. */
} ColumnKind;

/* A column as people see it. */
typedef struct
{
  const char *key; /* The table's column. */
  const char *title;
  ColumnKind kind;
  guint place; /* In the table, plus one; 0: found by its key. */
} Column;

/* Adds members to the object of one row. */
typedef gboolean (*ExtendRow) (
    JsonBuilder *builder, const CulpritTable *table, guint row, gpointer data, GError **error);

/* Writes @table as text with @columns (the last without a key; NULL: all of the table's), or in full as JSON or CSV.
 * @empty: what to tell people where there are no rows. */
void print_table (const CulpritTable *table, Format format, const Column *columns, const char *empty);

/* Where a part in the column @key is "all", tells what that means: all of the @whole. */
void print_share_legend (const CulpritTable *table, const char *key, const char *whole);

/* Writes @table as JSON, each object extended by @extend. */
gboolean print_json (const CulpritTable *table, ExtendRow extend, gpointer data, GError **error);

/* Adds an object with the values of @row. */
void print_json_row (JsonBuilder *builder, const CulpritTable *table, guint row);

/* A member that is a text, null where @text is NULL; and one that is true or false. */
void print_json_text (JsonBuilder *builder, const char *name, const char *text);
void print_json_flag (JsonBuilder *builder, const char *name, gboolean value);

/* Adds a member @name with @value, or only @value to a list; null where it is not finite. */
void print_json_real (JsonBuilder *builder, const char *name, double value);
void print_json_real_element (JsonBuilder *builder, double value);

/* Writes @json on a line of its own; and what @builder holds. What a terminal would obey is escaped, so that nothing is
 * lost. */
void print_json_line (const char *json);
void print_json_built (JsonBuilder *builder);

/* Adds a member @name with @texts (of char *). */
void print_json_texts (JsonBuilder *builder, const char *name, const GPtrArray *texts);

/* Writes @text in a colour of the terminal, as "1" for bold. */
void print_coloured (const char *colour, const char *text);

/* Writes @text from column @indent on, where the cursor is, broken at spaces before column @width. */
void print_wrapped (const char *text, guint indent, guint width);

/* Cuts @text at its front to at most @width characters. The caller owns the result. */
char *print_shorten (const char *text, guint width);
