/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The definitions of table columns: names, explanations, and which ones are shown where. Each table has one
 * definition, in the file named after it or in tables.c; the programs only render it. */
#pragma once

#include "tables/table.h"
#include "units.h"

/* What kind of value it is, which decides how it is written. */
typedef enum
{
  CULPRIT_KIND_TEXT,
  CULPRIT_KIND_WORD,     /* a text that is never cut */
  CULPRIT_KIND_FILE,     /* a path, of which the last part is enough if space is scarce */
  CULPRIT_KIND_FUNCTION, /* the name of a function, made unique by its ordinal, a column of that name */
  CULPRIT_KIND_CLASS,
  CULPRIT_KIND_ANSWER,     /* of a test, as in culprit_answer_text() */
  CULPRIT_KIND_NUMBER,     /* numbers from here on, right-aligned; this one as it is */
  CULPRIT_KIND_IDENTIFIER, /* whole, and no quantity */
  CULPRIT_KIND_COUNT,      /* whole */
  CULPRIT_KIND_MEAN,       /* with one decimal */
  CULPRIT_KIND_RATIO,      /* with three decimals */
  CULPRIT_KIND_SHARE,      /* a share of one, as in culprit_share_format() */
  CULPRIT_KIND_SMALL_PART, /* a share of one, to a hundredth of a per cent */
  CULPRIT_KIND_CHANGE,     /* already in per cent, with its sign */
  CULPRIT_KIND_P,          /* a probability */
  CULPRIT_KIND_TIME,       /* ns, from here on */
  CULPRIT_KIND_EXACT,      /* one that must add up with others */
  CULPRIT_KIND_RANGE,      /* one only known to lie between ..._from_ns and ..._to_ns, two further columns */
  CULPRIT_KIND_DIFFERENCE, /* with its sign */
} CulpritKind;

typedef struct
{
  const char *key;   /* its name in the table, in CSV and JSON; NULL after the last column */
  const char *title; /* in the window, see culprit_column_heading() */
  CulpritKind kind;
  const char *explain; /* what it means, in a sentence */
  guint width;         /* in the window, in characters; 0: as wide as needed */
  gboolean expand;     /* takes the spare width of the window */
  const char *of;      /* the column that it draws; NULL: it is a column of the table itself */
} CulpritColumn;

typedef struct
{
  const char *row;              /* what a row is: "late wake-up" */
  const CulpritColumn *columns; /* all of them, in table order */
  const char *text;             /* the keys of those that a terminal shows, in order, separated by spaces */
  const char *window;           /* likewise; NULL: it shows none */
  const char *more;             /* further ones of a window, which are shown when asked for; NULL: none */
  const char *report;
} CulpritDefinition;

/* Whether the greatest value of @column is what people look for first. */
gboolean culprit_column_is_greatest_first (const CulpritColumn *column);

/* The column @key of @definition, which must have it. */
const CulpritColumn *culprit_definition_find (const CulpritDefinition *definition, const char *key);

/* The columns that @keys names, followed by one without a key. The caller owns the array. */
CulpritColumn *culprit_definition_pick (const CulpritDefinition *definition, const char *keys);

/* A table without rows that has all columns of @definition. The caller owns it. */
CulpritTable *culprit_definition_begin (const CulpritDefinition *definition);

/* The title in running text: in lower case; unchanged if there is no explanation, as it is then the user's own. The
 * caller owns it. */
char *culprit_column_heading (const CulpritColumn *column);

/* The value that @column has, or draws, in @row. */
CulpritValue culprit_column_value (const CulpritColumn *column, const CulpritTable *table, guint row);

/* How values are shown to people. All values of tables are formatted here, except in CSV and JSON (see table.h).
 */

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
