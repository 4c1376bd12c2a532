/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of a table. */
#pragma once

#include "tables/column-choice.h"
#include "tables/row-marks.h"
#include "tables/table-view.h"

struct _CulpritTableView
{
  GtkWidget parent;
  TableColumn *columns; /* NULL: not set yet */
  const char *row;      /* what a row is called */
  char *needle;         /* what is searched for, folded; NULL: nothing */
  TableFilter shows;
  gpointer shows_data;
  CulpritRows *rows;
  CulpritRow *current;
  CulpritRow *lost;  /* the one that was current until no row was shown; NULL: none */
  guint refiltering; /* the source that will; 0: none */
  GtkFilterListModel *filtered;
  GtkCustomFilter *filter;
  GtkSortListModel *sorted;
  RowMarks *marks;
  ColumnChoice *choice;
  GtkWidget *menu; /* of rows; NULL: there is none */
  GtkMultiSelection *selection;
  GtkColumnView *list;
  GtkWidget *stack;
  GtkWidget *empty_title;
  GtkWidget *empty_text;
  GtkWidget *search_bar;
  GtkWidget *search_entry;
  GtkWidget *count;
};

/* Whether the filter and the search let @row through. */
gboolean table_view_shows (CulpritTableView *view, CulpritRow *row);

/* Handler for changes of the selection: the current row is one of those selected last. */
void table_current_on_selection (GtkSelectionModel *selection, guint place, guint n, CulpritTableView *view);

/* Where the current row is; GTK_INVALID_LIST_POSITION: nowhere. */
guint table_current_place (CulpritTableView *view);

/* The rows that are listed, in their order. The caller owns the array. */
GPtrArray *table_current_list (CulpritTableView *view);

/* Finds another current row if it is not shown any more, among those listed @before; or the one that was lost. */
void table_current_keep (CulpritTableView *view, const GPtrArray *before);
