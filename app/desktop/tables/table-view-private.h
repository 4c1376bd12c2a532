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
