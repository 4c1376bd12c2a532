/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call tree of the selected capture's late wake-up, read when it is first shown. */
#pragma once

#include "page.h"
#include "study/tree.h"

#include <gtk/gtk.h>

/* A call tree as a list model: siblings by cost, those that hardly count together in one row that opens to show them.
 */

#define CULPRIT_TYPE_TREE_ROW (culprit_tree_row_get_type ())

G_DECLARE_FINAL_TYPE (CulpritTreeRow, culprit_tree_row, CULPRIT, TREE_ROW, GObject)

/* What it is called: a function, a task, an interrupt, "(7 smaller)". Belongs to @row. */
const char *culprit_tree_row_label (CulpritTreeRow *row);

#define CULPRIT_TYPE_CAPTURE_TREE (culprit_capture_tree_get_type ())

G_DECLARE_FINAL_TYPE (CulpritCaptureTree, culprit_capture_tree, CULPRIT, CAPTURE_TREE, CulpritDocumentView)

/* Whether the focus is in it. */
gboolean culprit_capture_tree_has_focus (CulpritCaptureTree *tree);

/* The rows that are open, as text with tabs. The caller owns it. */
char *culprit_capture_tree_text (CulpritCaptureTree *tree);
