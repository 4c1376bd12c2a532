/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of a call tree. */
#pragma once

#include "document.h"
#include "outliers/tree-rows.h"

/* Adds the columns to @view, whose items are GtkTreeListRows of CulpritTreeRow; the function chosen in @document is
 * lit. */
void tree_columns_add (GtkColumnView *view, CulpritDocument *document);

/* Shows the columns that @times have. */
void tree_columns_show (GtkColumnView *view, CulpritTimes times);

/* Appends what these tell of @row, @depth levels down, as a line with tabs. */
void tree_columns_append_text (GString *text, CulpritTreeRow *row, guint depth, CulpritTimes times);

/* Their titles in such a line. */
void tree_columns_append_titles (GString *text, CulpritTimes times);

/* A button that explains them. */
GtkWidget *tree_columns_explain_button (void);
