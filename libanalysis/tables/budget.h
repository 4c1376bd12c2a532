/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the time of a late wake-up went: the budget, a table or a bar, and the tree of calls. In both, what a blind
 * stall struck is called so: that function is not to blame. */
#pragma once

#include "study/tree.h"
#include "tables/table.h"
#include "tables/tables.h"
#include "verdict/case.h"

/* Marks the part of @budget that the stall struck if @one, the case of its capture, is a blind stall. @one may be NULL:
 * it is not judged. */
void culprit_budget_mark_stall (CulpritTable *budget, const CulpritCase *one);

/* What a budget looks like as a bar. */

typedef enum
{
  CULPRIT_SEGMENT_PART,
  CULPRIT_SEGMENT_CULPRIT, /* or where a blind stall struck */
  CULPRIT_SEGMENT_REST,    /* the small parts together */
  CULPRIT_SEGMENT_TRACING, /* the tracer's share of all */
} CulpritSegmentKind;

typedef struct
{
  CulpritSegmentKind kind;
  CulpritContext context; /* of a part */
  char *name;
  char
      *kept; /* what kept the measured task from running, "blocked in futex_wait until holder woke it"; NULL: nothing */
  char *key; /* of the function */
  guint64 from_ns; /* where it begins: the sum of those before it */
  gint64 part_ns;
} CulpritSegment;

/* A segment for each row of @budget, whose case @one may be NULL. An array of CulpritSegment that the caller owns. */
GArray *culprit_budget_segments (const CulpritTable *budget, const CulpritCase *one);

/* The function of @row of any table, made unique by its ordinal; "stall (in do_idle)" for the part that was marked. The
 * caller owns it. */
char *culprit_part_label (const CulpritTable *table, guint row);

/* The values of the columns of the call tree table. */

/* The number in @column for @node, a count or ns; 0 if it has none. */
guint64 culprit_tree_number (const CulpritTreeNode *node, const CulpritColumn *column);

/* The context of @node, with a ~ if calls were truncated; "" if it is not known. The caller owns it. */
char *culprit_tree_context (const CulpritTreeNode *node);

/* What @node is called: a function with its ordinal, a task; an interrupt as such, since its function is below it. The
 * caller owns it. */
char *culprit_tree_label (const CulpritTreeNode *node);
