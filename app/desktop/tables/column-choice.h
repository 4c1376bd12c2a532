/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which columns of a list are shown, and by which one it is sorted: a click on a title sorts what is greatest first
 * where that is looked for, and a menu has both choices. */
#pragma once

#include "tables/columns.h"

typedef struct _ColumnChoice ColumnChoice;

/* The choice for @list, which owns it and has a column for each of @columns. Its actions are those that its menu
 * names, "columns" being their group; @list has them. */
ColumnChoice *column_choice_new (GtkColumnView *list, TableColumn *columns);

/* The menu of columns, for a button; it is that of the titles as well. Belongs to the choice. */
GMenuModel *column_choice_menu (ColumnChoice *choice);
GActionGroup *column_choice_actions (ColumnChoice *choice);

/* Whether the column at place @i is shown. */
gboolean column_choice_shows (ColumnChoice *choice, guint i);

/* Whether the column @key can be shown at all; it is at first. */
void column_choice_offer (ColumnChoice *choice, const char *key, gboolean offered);

/* Sorts by the column @key as if its title had been clicked for the first time. */
void column_choice_sort (ColumnChoice *choice, const char *key);
