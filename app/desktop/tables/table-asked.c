/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a page asks of its table: columns and their order, groups, a search, its menus, and copies of what it shows. */
#include "compat.h"

#include "explain.h"
#include "show.h"
#include "tables/row-menu.h"
#include "tables/table-text.h"
#include "tables/table-view-private.h"
#include "write-file.h"

void
culprit_table_view_show_column (CulpritTableView *view, const char *key, gboolean shown)
{
  column_choice_offer (view->choice, key, shown);
}

void
culprit_table_view_sort (CulpritTableView *view, const char *key)
{
  column_choice_sort (view->choice, key);
}

void
culprit_table_view_keep (CulpritTableView *view, const char *name)
{
  column_choice_keep (view->choice, name);
}

void
culprit_table_view_set_empty (CulpritTableView *view, const char *title, const char *text)
{
  show_line (view->empty_title, title);
  show_line (view->empty_text, text);
}

static void
append_order (GtkMultiSorter *all, TableCompare order, gpointer data)
{
  gtk_multi_sorter_append (all, GTK_SORTER (gtk_custom_sorter_new ((GCompareDataFunc) order, data, NULL)));
}

void
culprit_table_view_group (CulpritTableView *view, const TableGroups *groups, gpointer data)
{
  GtkSorter *columns = gtk_column_view_get_sorter (view->list);
  g_autoptr (GtkMultiSorter) all = groups ? gtk_multi_sorter_new () : NULL;

  row_marks_group (view->marks, groups, data);
  if (all)
    {
      append_order (all, groups->compare, data);
      gtk_multi_sorter_append (all, g_object_ref (columns));
      append_order (all, groups->order, data);
    }
  gtk_sort_list_model_set_sorter (view->sorted, all ? GTK_SORTER (all) : columns);
}

void
culprit_table_view_show_top (CulpritTableView *view)
{
  /* Rows that are still being sorted would take the place with them. */
  gtk_sort_list_model_set_incremental (view->sorted, FALSE);
  gtk_sort_list_model_set_incremental (view->sorted, TRUE);
  compat_scroll_to (view->list, 0);
}

void
culprit_table_view_dim (CulpritTableView *view, TableFilter dimmed, gpointer data)
{
  row_marks_dim (view->marks, dimmed, data);
}

void
culprit_table_view_search (CulpritTableView *view, const char *text)
{
  gboolean on = text ? *text != '\0' : !gtk_search_bar_get_search_mode (GTK_SEARCH_BAR (view->search_bar));

  gtk_search_bar_set_search_mode (GTK_SEARCH_BAR (view->search_bar), on);
  show_in_field (view->search_entry, text ? text : "");
  if (on)
    gtk_widget_grab_focus (view->search_entry);
}

GPtrArray *
culprit_table_view_selected (CulpritTableView *view)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (view->selection));
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_object_unref);
  GtkBitsetIter iter;
  guint place;

  for (gboolean more = gtk_bitset_iter_init_first (&iter, selected, &place); more;
       more = gtk_bitset_iter_next (&iter, &place))
    g_ptr_array_add (rows, g_list_model_get_item (G_LIST_MODEL (view->selection), place));
  return rows;
}

void
culprit_table_view_copy (CulpritTableView *view)
{
  g_autoptr (GPtrArray) rows = culprit_table_view_selected (view);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < rows->len; i++)
    {
      const char *before = "";

      for (guint k = 0; view->columns[k].is.key; k++)
        if (column_choice_shows (view->choice, k))
          {
            g_autofree char *cell = culprit_row_cell (g_ptr_array_index (rows, i), &view->columns[k].is);

            g_string_append_printf (text, "%s%s", before, cell);
            before = "\t";
          }
      g_string_append_c (text, '\n');
    }
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (view)), text->str);
}

gboolean
culprit_table_view_export (CulpritTableView *view, const char *path, GError **error)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (view->selection));
  g_autofree guint *places = g_new (guint, n + 1);
  g_autofree char *text = NULL;

  if (!view->rows)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_INITIALIZED,
                   "%s: the table is still loading; nothing was exported", path);
      return FALSE;
    }
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (CulpritRow) row = g_list_model_get_item (G_LIST_MODEL (view->selection), i);

      places[i] = culprit_row_place (row);
    }
  text = g_str_has_suffix (path, ".json") ? culprit_table_to_json (culprit_rows_table (view->rows), places, n)
                                          : culprit_table_to_csv (culprit_rows_table (view->rows), places, n);
  return culprit_write_file (path, text, -1, error);
}

GtkWidget *
culprit_table_view_explain_button (CulpritTableView *view)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new ();

  for (const TableColumn *column = view->columns; column->is.key; column++)
    {
      g_ptr_array_add (entries, (gpointer) column->is.title);
      g_ptr_array_add (entries, (gpointer) column->is.explain);
    }
  g_ptr_array_add (entries, NULL);
  return explain_button_new ((const char *const *) entries->pdata);
}

void
culprit_table_view_set_menu (CulpritTableView *view, GMenuModel *model)
{
  view->menu = row_menu_new (GTK_WIDGET (view), view->list, view->marks, model);
}

GtkWidget *
culprit_table_view_columns_button (CulpritTableView *view)
{
  GtkWidget *button = gtk_menu_button_new ();

  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), column_choice_menu (view->choice));
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "view-list-symbolic");
  gtk_widget_insert_action_group (button, "columns", column_choice_actions (view->choice));
  gtk_widget_set_tooltip_text (button, "Columns and their order");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, "Columns", -1);
  gtk_widget_add_css_class (button, "flat");
  return button;
}
