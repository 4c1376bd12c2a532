/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The menu of a list's rows, by the secondary button, the Menu key and Shift+F10. A row that is not selected is
 * selected first, since the menu's actions mean what is. */
#pragma once

#include "tables/row-marks.h"

/* The menu of @model for the rows of @list that @marks knows. It is a child of @parent, which has @list in it and
 * unparents it. */
GtkWidget *row_menu_new (GtkWidget *parent, GtkColumnView *list, RowMarks *marks, GMenuModel *model);
