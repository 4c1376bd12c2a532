/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The definitions of table columns: names, explanations, and which ones are shown where. Each table has one
 * definition, in the file named after it; the programs only render it. */
#pragma once

#include "tables/table.h"

/* What a value is, and so how it reads. */
typedef enum
{
  CULPRIT_KIND_TEXT,
  CULPRIT_KIND_WORD,     /* a text that is never cut */
  CULPRIT_KIND_FILE,     /* a path, of which the last part is enough where room is scarce */
  CULPRIT_KIND_FUNCTION, /* the name of a function, which its ordinal, a column of that name, tells from others */
  CULPRIT_KIND_CLASS,
  CULPRIT_KIND_NUMBER,     /* from here on numbers, to the right; this one as it comes */
  CULPRIT_KIND_IDENTIFIER, /* whole, and no amount */
  CULPRIT_KIND_COUNT,      /* whole */
  CULPRIT_KIND_MEAN,       /* with a decimal */
  CULPRIT_KIND_RATIO,      /* with three */
  CULPRIT_KIND_SHARE,      /* a part of one, as of culprit_share_format() */
  CULPRIT_KIND_SMALL_PART, /* a part of one, of which a hundredth of a per cent counts */
  CULPRIT_KIND_CHANGE,     /* in per cent already, with its sign */
  CULPRIT_KIND_P,          /* a probability */
  CULPRIT_KIND_TIME,       /* ns, from here on */
  CULPRIT_KIND_EXACT,      /* one that shall add up with others */
  CULPRIT_KIND_RANGE,      /* one that is only known to lie from ..._from_ns to ..._to_ns, two more columns */
  CULPRIT_KIND_DIFFERENCE, /* with its sign */
} CulpritKind;

typedef struct
{
  const char *key;   /* its name in the table, in CSV and JSON; NULL ends the columns */
  const char *title; /* as a window has it, see culprit_column_heading() */
  CulpritKind kind;
  const char *explain; /* what it means, in a sentence */
  guint width;         /* in a window, in characters; 0: as wide as it needs to be */
  gboolean expand;     /* takes what a window has to spare */
  const char *of;      /* the column that it draws; NULL: it is one of the table */
} CulpritColumn;

typedef struct
{
  const char *row;              /* what a row is: "late wake-up" */
  const CulpritColumn *columns; /* all of them, in the order of the table */
  const char *text;             /* the keys of those that a terminal shows, in its order, with spaces between */
  const char *window;           /* likewise; NULL: it shows none */
  const char *more;             /* further ones of a window, which are shown when asked for; NULL: none */
  const char *report;
} CulpritDefinition;

/* Whether the greatest value of @column is what people look for first. */
gboolean culprit_column_is_greatest_first (const CulpritColumn *column);

/* The column @key of @definition, which must have it. */
const CulpritColumn *culprit_definition_find (const CulpritDefinition *definition, const char *key);

/* The columns that @keys names, with one without a key at the end. The caller owns the array. */
CulpritColumn *culprit_definition_pick (const CulpritDefinition *definition, const char *keys);

/* A table without rows that has all columns of @definition. The caller owns it. */
CulpritTable *culprit_definition_begin (const CulpritDefinition *definition);

/* The title in a text: in lower case; as it is where there is no explanation, as it is somebody's own. The caller owns
 * it. */
char *culprit_column_heading (const CulpritColumn *column);

/* The value that @column has, or draws, in @row. */
CulpritValue culprit_column_value (const CulpritColumn *column, const CulpritTable *table, guint row);
