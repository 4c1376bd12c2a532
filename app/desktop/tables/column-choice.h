/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which columns of a list are shown, and by which one it is sorted. A click on a title sorts, in descending order where
 * that is useful; a menu has both choices. */
#pragma once

#include "tables/columns.h"

typedef struct _ColumnChoice ColumnChoice;

/* The choice for @list, which owns it and has a column for each of @columns. @list gets the actions of the menu as the
 * group "columns". */
ColumnChoice *column_choice_new (GtkColumnView *list, TableColumn *columns);

/* The menu of the titles, also for a button. Belongs to the choice. */
GMenuModel *column_choice_menu (ColumnChoice *choice);
GActionGroup *column_choice_actions (ColumnChoice *choice);

/* Restores the choice, with widths of columns, remembered under @name, and remembers changes. */
void column_choice_keep (ColumnChoice *choice, const char *name);

/* Whether the column with index @i is shown. */
gboolean column_choice_shows (ColumnChoice *choice, guint i);

/* Makes the column @key available or not; columns are available at first. */
void column_choice_offer (ColumnChoice *choice, const char *key, gboolean offered);

/* Sorts by the column @key, like a first click on its title. */
void column_choice_sort (ColumnChoice *choice, const char *key);
