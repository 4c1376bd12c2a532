/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How values read in a cell: times with their unit, counts, parts in per cent. */
#pragma once

#include "tables/rows.h"

typedef enum
{
  CELL_TEXT,
  CELL_FILE, /* a path of which only the last part is shown */
  CELL_CLASS,
  CELL_FUNCTION, /* by its name, with the ordinal of the row's function */
  CELL_COUNT,    /* from here on numbers, to the right */
  CELL_MEAN,
  CELL_TIME,       /* ns, shown with the unit that suits each */
  CELL_DIFFERENCE, /* ns likewise, with its sign */
  CELL_PERCENT,    /* as of culprit_share_format() */
  CELL_CHANGE,     /* in per cent already, with its sign */
  CELL_RATIO,
  CELL_P, /* a probability */
} CellKind;

/* What @value of @kind reads like; "–" where it is not known. The caller owns it. */
char *culprit_cell_text (CulpritValue value, CellKind kind);

/* "called too often" for "called-too-often". The caller owns it. */
char *culprit_class_text (const char *class);

/* Which of two values comes first, as a GCompareFunc: unknown ones last. */
int culprit_cell_compare (CulpritValue left, CulpritValue right);
