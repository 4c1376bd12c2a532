/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks rows of a column view by style classes: dimmed rows, and the first row of each group, above which a heading is
 * drawn, as column views have no sections before GTK 4.12. */
#pragma once

#include "tables/table-view.h"

typedef struct _RowMarks RowMarks;

/* Marks for the rows of @list, which owns them; its rows are those of @model, and @factory, of the first column,
 * announces their widgets. */
RowMarks *row_marks_new (GtkColumnView *list, GListModel *model, GtkListItemFactory *factory);

/* The place of the row that contains @widget, or GTK_INVALID_LIST_POSITION. */
guint row_marks_place (RowMarks *marks, GtkWidget *widget);

/* Groups the rows; NULL: no groups. */
void row_marks_group (RowMarks *marks, const TableGroups *groups, gpointer data);

/* Draws the headings into @snapshot of @widget, which contains the list. */
void row_marks_snapshot (RowMarks *marks, GtkWidget *widget, GtkSnapshot *snapshot);

/* Dims the rows for which @dimmed holds. */
void row_marks_dim (RowMarks *marks, TableFilter dimmed, gpointer data);
