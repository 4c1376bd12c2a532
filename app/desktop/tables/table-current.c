/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which row of a table is current. It is one that is shown: when a filter hides it, the next one is. */
#include "tables/table-view-private.h"

#include "compat.h"

static void
set_current (CulpritTableView *view, CulpritRow *row)
{
  if (g_set_object (&view->current, row))
    g_signal_emit_by_name (view, "selected", row);
}

void
table_current_on_selection (GtkSelectionModel *selection, guint place, guint n, CulpritTableView *view)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (selection);
  guint found = GTK_INVALID_LIST_POSITION;

  for (guint i = place; i < place + n && found == GTK_INVALID_LIST_POSITION; i++)
    if (gtk_bitset_contains (selected, i))
      found = i;
  if (found == GTK_INVALID_LIST_POSITION && !gtk_bitset_is_empty (selected))
    found = gtk_bitset_get_minimum (selected);
  if (found != GTK_INVALID_LIST_POSITION)
    {
      g_autoptr (CulpritRow) row = g_list_model_get_item (G_LIST_MODEL (selection), found);

      set_current (view, row);
    }
  g_signal_emit_by_name (view, "picked");
}

static guint
place_of (CulpritTableView *view, CulpritRow *row)
{
  for (guint i = 0; row && i < g_list_model_get_n_items (G_LIST_MODEL (view->selection)); i++)
    {
      g_autoptr (CulpritRow) here = g_list_model_get_item (G_LIST_MODEL (view->selection), i);

      if (here == row)
        return i;
    }
  return GTK_INVALID_LIST_POSITION;
}

guint
table_current_place (CulpritTableView *view)
{
  return place_of (view, view->current);
}

static void
select_place (CulpritTableView *view, guint place)
{
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (view->selection), place, TRUE);
  compat_scroll_to (view->list, place);
}

void
culprit_table_view_select (CulpritTableView *view, CulpritRow *row)
{
  guint place = place_of (view, row);

  if (row == view->current)
    return;
  if (place != GTK_INVALID_LIST_POSITION)
    select_place (view, place);
  else
    {
      gtk_selection_model_unselect_all (GTK_SELECTION_MODEL (view->selection));
      g_clear_object (&view->current);
    }
}

GPtrArray *
table_current_list (CulpritTableView *view)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (view->selection)); i++)
    g_ptr_array_add (rows, g_list_model_get_item (G_LIST_MODEL (view->selection), i));
  return rows;
}

/* The first row behind the current one of @rows, else the last before it, that is shown; NULL: none is. */
static CulpritRow *
find_next (CulpritTableView *view, const GPtrArray *rows)
{
  CulpritRow *before = NULL;
  gboolean behind = FALSE;

  for (guint i = 0; i < rows->len; i++)
    {
      CulpritRow *row = g_ptr_array_index (rows, i);

      behind = behind || row == view->current;
      if (!table_view_shows (view, row))
        continue;
      if (behind)
        return row;
      before = row;
    }
  return before;
}

/* Where nothing is shown, nothing is current; it comes back with the row. */
static void
leave_current (CulpritTableView *view, const GPtrArray *rows)
{
  CulpritRow *next = find_next (view, rows);

  if (next)
    {
      culprit_table_view_select (view, next);
      return;
    }
  g_set_object (&view->lost, view->current);
  gtk_selection_model_unselect_all (GTK_SELECTION_MODEL (view->selection));
  set_current (view, NULL);
}

static void
find_lost (CulpritTableView *view)
{
  g_autoptr (CulpritRow) lost = g_steal_pointer (&view->lost);

  if (table_view_shows (view, lost))
    culprit_table_view_select (view, lost);
  else
    culprit_table_view_step (view, 0);
}

void
table_current_keep (CulpritTableView *view, const GPtrArray *before)
{
  if (view->current && !table_view_shows (view, view->current))
    leave_current (view, before);
  else if (view->lost && culprit_table_view_shown (view) > 0)
    find_lost (view);
}

void
culprit_table_view_step (CulpritTableView *view, int steps)
{
  guint place = table_current_place (view);
  int n = g_list_model_get_n_items (G_LIST_MODEL (view->selection));

  if (n > 0)
    select_place (view, place == GTK_INVALID_LIST_POSITION ? 0 : CLAMP ((int) place + steps, 0, n - 1));
}
