/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table that can be sorted, searched, filtered, copied and exported; every page's tables are of this kind. */
#pragma once

#include "tables/columns.h"
#include "tables/tables.h"

/* Compares two rows like a GCompareFunc. */
typedef int (*TableCompare) (CulpritRow *left, CulpritRow *right, gpointer data);

typedef gboolean (*TableFilter) (CulpritRow *row, gpointer data);

/* Groups of rows. */
typedef struct
{
  TableCompare compare;                              /* orders groups; 0: both are in the same group */
  TableCompare order;                                /* orders rows in a group */
  char *(*heading) (CulpritRow *row, gpointer data); /* of the group of @row; the caller owns the text */
} TableGroups;

#define CULPRIT_TYPE_TABLE_VIEW (culprit_table_view_get_type ())

G_DECLARE_FINAL_TYPE (CulpritTableView, culprit_table_view, CULPRIT, TABLE_VIEW, GtkWidget)

/* Sets the columns, once for each view, to those that @definition shows in a window; @cells: columns that are drawn, or
 * NULL. The view emits "selected" (CulpritRow *, may be NULL) when another row becomes current, "picked" when the
 * selection changes, and "activated" (CulpritRow *) on double click and Enter. */
void culprit_table_view_set_columns (CulpritTableView *view,
                                     const CulpritDefinition *definition,
                                     const TableCell *cells);

/* Shows @rows; NULL: none yet. */
void culprit_table_view_set_rows (CulpritTableView *view, CulpritRows *rows);

/* Makes the view as high as its rows, which are few, without their count; else it takes what room there is. */
void culprit_table_view_fit_rows (CulpritTableView *view);

/* Makes the column @key available or not; users choose among the available ones. */
void culprit_table_view_show_column (CulpritTableView *view, const char *key, gboolean shown);

/* Sorts by the column @key, in its usual order, until users choose another. */
void culprit_table_view_sort (CulpritTableView *view, const char *key);

/* Restores columns, widths and order from the last session, remembered under @name. */
void culprit_table_view_keep (CulpritTableView *view, const char *name);

/* What to show if there are no rows. */
void culprit_table_view_set_empty (CulpritTableView *view, const char *title, const char *text);

/* Shows only rows that pass @filter; call again when its result changes, except for rows that were edited. */
void culprit_table_view_set_filter (CulpritTableView *view, TableFilter filter, gpointer data);

/* Groups rows, each group below its heading; within a group, the user's order of columns comes first, then the group's
 * own. NULL: no groups. Call again when values have changed. @data is passed to the functions and must live as long as
 * @groups is used. */
void culprit_table_view_group (CulpritTableView *view, const TableGroups *groups, gpointer data);

/* Scrolls to the first row and the heading of its group. */
void culprit_table_view_show_top (CulpritTableView *view);

/* Selects the first row, and only that. */
void culprit_table_view_select_first (CulpritTableView *view);

/* Dims the rows for which @dimmed holds. */
void culprit_table_view_dim (CulpritTableView *view, TableFilter dimmed, gpointer data);

/* Makes @row current and the only selected one, if it is visible. */
void culprit_table_view_select (CulpritTableView *view, CulpritRow *row);

/* Moves @steps rows on from the current one. */
void culprit_table_view_step (CulpritTableView *view, int steps);

/* The selected rows (of CulpritRow); the caller owns the array. */
GPtrArray *culprit_table_view_selected (CulpritTableView *view);

/* Searches for @text in visible columns, and texts in hidden ones; NULL: shows or hides the entry. */
void culprit_table_view_search (CulpritTableView *view, const char *text);

/* Copies the visible columns of the selected rows to the clipboard, as text with tabs. */
void culprit_table_view_copy (CulpritTableView *view);

/* Writes the visible rows in their order, with all columns of the table: JSON if @path ends in .json, else CSV. */
gboolean culprit_table_view_export (CulpritTableView *view, const char *path, GError **error);

/* Sets the menu of rows, whose actions apply to the selected ones; once for each view, after the columns. */
void culprit_table_view_set_menu (CulpritTableView *view, GMenuModel *model);

/* A button to choose columns and their order. */
GtkWidget *culprit_table_view_columns_button (CulpritTableView *view);

/* A button that explains the columns. */
GtkWidget *culprit_table_view_explain_button (CulpritTableView *view);
