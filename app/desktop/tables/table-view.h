/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table that can be sorted, searched, filtered, copied and exported; every page's tables are of this kind. */
#pragma once

#include "tables/columns.h"
#include "tables/tables.h"

/* Which of two rows comes first, as a GCompareFunc. */
typedef int (*TableCompare) (CulpritRow *left, CulpritRow *right, gpointer data);

typedef gboolean (*TableFilter) (CulpritRow *row, gpointer data);

/* How rows stand together. */
typedef struct
{
  TableCompare compare;                              /* 0: two rows are of one group */
  TableCompare order;                                /* inside a group */
  char *(*heading) (CulpritRow *row, gpointer data); /* of the group of @row; the caller owns it */
} TableGroups;

#define CULPRIT_TYPE_TABLE_VIEW (culprit_table_view_get_type ())

G_DECLARE_FINAL_TYPE (CulpritTableView, culprit_table_view, CULPRIT, TABLE_VIEW, GtkWidget)

/* Shows what @definition shows in a window, once for each view; @cells: what of it is drawn, NULL for nothing. It emits
 * "selected" (CulpritRow *, may be NULL) when another row becomes the current one, "picked" when others are selected,
 * and "activated" (CulpritRow *) on double click and Enter. */
void culprit_table_view_set_columns (CulpritTableView *view,
                                     const CulpritDefinition *definition,
                                     const TableCell *cells);

/* Shows @rows, NULL for none yet. */
void culprit_table_view_set_rows (CulpritTableView *view, CulpritRows *rows);

/* Whether the column @key can be shown; users choose which of those they see. */
void culprit_table_view_show_column (CulpritTableView *view, const char *key, gboolean shown);

/* Sorts by the column @key, what is looked for first at the top, until users choose another. */
void culprit_table_view_sort (CulpritTableView *view, const char *key);

/* Lets chosen columns, their widths and the order be those of the session before, by @name. */
void culprit_table_view_keep (CulpritTableView *view, const char *name);

/* What is told where there are no rows. */
void culprit_table_view_set_empty (CulpritTableView *view, const char *title, const char *text);

/* Shows only rows that @filter lets through; call again when its answer changes, but for rows that were edited. Where
 * the current row is shown no longer, the next one becomes the current one. */
void culprit_table_view_set_filter (CulpritTableView *view, TableFilter filter, gpointer data);

/* Keeps rows of @groups together, in its order of groups, each below its heading; inside them the user's order of
 * columns counts, then that of the groups. NULL: no groups. Sorts anew: call again when values have changed. @data, for
 * its functions, must outlive its use. */
void culprit_table_view_group (CulpritTableView *view, const TableGroups *groups, gpointer data);

/* Scrolls to the first row, with the heading of its group. */
void culprit_table_view_show_top (CulpritTableView *view);

/* Dims the rows for which @dimmed holds. */
void culprit_table_view_dim (CulpritTableView *view, TableFilter dimmed, gpointer data);

/* Makes @row the current and only selected one, where it is shown. */
void culprit_table_view_select (CulpritTableView *view, CulpritRow *row);

/* Goes @steps rows on from the current one. */
void culprit_table_view_step (CulpritTableView *view, int steps);

/* The selected rows, of CulpritRow; the caller owns the array. */
GPtrArray *culprit_table_view_selected (CulpritTableView *view);

/* Looks for @text in all columns that are shown, and in texts that are not; NULL shows or hides the entry. */
void culprit_table_view_search (CulpritTableView *view, const char *text);

/* Puts what is shown of the selected rows into the clipboard, as text with tabs. */
void culprit_table_view_copy (CulpritTableView *view);

/* Writes the shown rows, in the order shown, with all columns of the table: JSON where @path ends so, else CSV. */
gboolean culprit_table_view_export (CulpritTableView *view, const char *path, GError **error);

/* The menu of the rows, whose actions mean those that are selected; once for each view, after the columns. */
void culprit_table_view_set_menu (CulpritTableView *view, GMenuModel *model);

/* A button to choose columns and their order. */
GtkWidget *culprit_table_view_columns_button (CulpritTableView *view);

/* A button that explains the columns. */
GtkWidget *culprit_table_view_explain_button (CulpritTableView *view);
