/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values of the columns of the call tree table. */
#pragma once

#include "study/tree.h"
#include "tables/tables.h"

/* The number in @column for @node, a count or ns; 0 if it has none. */
guint64 culprit_tree_number (const CulpritTreeNode *node, const CulpritColumn *column);

/* The context of @node, with a ~ if calls were truncated; "" if it is not known. The caller owns it. */
char *culprit_tree_context (const CulpritTreeNode *node);

/* What @node is called: a function with its ordinal, a task; an interrupt as such, since its function is below it. The
 * caller owns it. */
char *culprit_tree_label (const CulpritTreeNode *node);
