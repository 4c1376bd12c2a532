/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call tree of the selected capture's late wake-up, read when it is first shown. */
#pragma once

#include "page.h"
#include "study/tree.h"

#include <gtk/gtk.h>

/* A row of a call tree as a list model: siblings sorted by cost, negligible ones combined in one row that can be
 * expanded. */

#define CULPRIT_TYPE_TREE_ROW (culprit_tree_row_get_type ())

G_DECLARE_FINAL_TYPE (CulpritTreeRow, culprit_tree_row, CULPRIT, TREE_ROW, GObject)

/* The name of a row: a function, a task, an interrupt, "(7 smaller)". Belongs to @row. */
const char *culprit_tree_row_label (CulpritTreeRow *row);

#define CULPRIT_TYPE_CAPTURE_TREE (culprit_capture_tree_get_type ())

G_DECLARE_FINAL_TYPE (CulpritCaptureTree, culprit_capture_tree, CULPRIT, CAPTURE_TREE, CulpritDocumentView)

/* Whether the tree has the focus. */
gboolean culprit_capture_tree_has_focus (CulpritCaptureTree *tree);

/* The expanded rows as text with tabs. The caller owns it. */
char *culprit_capture_tree_text (CulpritCaptureTree *tree);
