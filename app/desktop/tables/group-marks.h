/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks the first row of each group in a column view, which knows no sections before GTK 4.12. */
#pragma once

#include "tables/table-view.h"

typedef struct _GroupMarks GroupMarks;

/* Marks for the rows of @list, which owns them: rows are those of @model, and tell of themselves by @factory, that of
 * the first column. */
GroupMarks *group_marks_new (GtkColumnView *list, GListModel *model, GtkListItemFactory *factory);

/* Rows for which @compare gives 0 are of one group; NULL: there are no groups. */
void group_marks_set (GroupMarks *marks, TableCompare compare, gpointer data);
