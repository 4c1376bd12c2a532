/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks rows of a column view, by a class of their widgets: the first of each group, above which its heading is drawn
 * since a column view knows no sections before GTK 4.12, and those that are dimmed. */
#pragma once

#include "tables/table-view.h"

typedef struct _RowMarks RowMarks;

/* Marks for the rows of @list, which owns them: rows are those of @model, and tell of themselves by @factory, that of
 * the first column. */
RowMarks *row_marks_new (GtkColumnView *list, GListModel *model, GtkListItemFactory *factory);

/* The place of the row that has @widget in it; GTK_INVALID_LIST_POSITION: none has. */
guint row_marks_place (RowMarks *marks, GtkWidget *widget);

/* NULL: there are no groups. */
void row_marks_group (RowMarks *marks, const TableGroups *groups, gpointer data);

/* Draws the headings into @snapshot of @widget, which has the list in it. */
void row_marks_snapshot (RowMarks *marks, GtkWidget *widget, GtkSnapshot *snapshot);

/* Dims the rows for which @dimmed holds. */
void row_marks_dim (RowMarks *marks, TableFilter dimmed, gpointer data);
