/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A call tree as a list model: siblings by cost, those that hardly count together in one row that opens to show them.
 */
#pragma once

#include "study/tree.h"

#include <gtk/gtk.h>

#define CULPRIT_TYPE_TREE_ROW (culprit_tree_row_get_type ())
G_DECLARE_FINAL_TYPE (CulpritTreeRow, culprit_tree_row, CULPRIT, TREE_ROW, GObject)

/* A model of @tree, which it keeps; its items are GtkTreeListRows of CulpritTreeRow, closed at first, ordered by the
 * times that are shown. Parts that had the CPU for less than @smallest_ns are taken together; where times are untraced
 * the last row has the tracer's share of all. */
GtkTreeListModel *culprit_tree_rows_new (CulpritTree *tree, CulpritTimes times, guint64 smallest_ns);

/* Its numbers; of a row of several the sums of what they tell without counting anything twice: own, untraced and on the
 * CPU. Belongs to @row. */
const CulpritTreeNode *culprit_tree_row_node (CulpritTreeRow *row);

/* How many parts are taken together in it; 0: it is one. */
guint culprit_tree_row_together (CulpritTreeRow *row);

/* What it is called: a function, a task, an interrupt, "(7 smaller)". Belongs to @row. */
const char *culprit_tree_row_label (CulpritTreeRow *row);

/* The function that it is, as of culprit_function_key(); NULL: it is a task, several, or the tracer's share. Belongs to
 * @row. */
const char *culprit_tree_row_function (CulpritTreeRow *row);

/* Opens the path that costs most at every level, to where the cost is a function's own, and gives that one's place. */
guint culprit_tree_rows_open_heaviest (GtkTreeListModel *rows);
