/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the columns of the call tree table show of a node. */
#pragma once

#include "capture/tree.h"
#include "tables/tables.h"

/* The number of @node in @column, a count or ns; 0 where it has none. */
guint64 culprit_tree_number (const CulpritTreeNode *node, const CulpritColumn *column);

/* Whose time it is, with a ~ where calls were truncated; "" where that is not known. The caller owns it. */
char *culprit_tree_context (const CulpritTreeNode *node);
