/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table widget: rows -> search and filter -> sort -> selection -> column view. */
#include "tables/table-view.h"

#include "clean.h"
#include "compat.h"
#include "files.h"
#include "show.h"
#include "tables/column-choice.h"
#include "tables/row-marks.h"
#include "tables/table.h"
#include "units.h"
#include "widgets.h"

#include <adwaita.h>
#include <string.h>

/* The menu of rows. */

typedef struct
{
  GtkWidget *popover;
  GtkColumnView *list;
  RowMarks *marks;
} RowMenu;

/* Selects the row that contains @widget; FALSE: none does. */
static gboolean
select_row_of (RowMenu *menu, GtkWidget *widget)
{
  GtkSelectionModel *rows = gtk_column_view_get_model (menu->list);
  guint place = row_marks_place (menu->marks, widget);

  if (place == GTK_INVALID_LIST_POSITION)
    return FALSE;
  if (!gtk_selection_model_is_selected (rows, place))
    gtk_selection_model_select_item (rows, place, TRUE);
  return TRUE;
}

static void
popup (RowMenu *menu, const graphene_point_t *at)
{
  gtk_popover_set_pointing_to (GTK_POPOVER (menu->popover), &(GdkRectangle) { (int) at->x, (int) at->y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (menu->popover));
}

static void
on_pressed (GtkGestureClick *click, int presses, double x, double y, RowMenu *menu)
{
  GtkWidget *list = GTK_WIDGET (menu->list);
  GtkWidget *picked = gtk_widget_pick (list, x, y, GTK_PICK_DEFAULT);
  graphene_point_t at;

  if (!picked || !select_row_of (menu, picked) ||
      !gtk_widget_compute_point (list, gtk_widget_get_parent (menu->popover),
                                 &GRAPHENE_POINT_INIT ((float) x, (float) y), &at))
    return;
  gtk_gesture_set_state (GTK_GESTURE (click), GTK_EVENT_SEQUENCE_CLAIMED);
  popup (menu, &at);
}

static gboolean
on_key (GtkWidget *list, GVariant *arguments, gpointer data)
{
  RowMenu *menu = data;
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (list));
  graphene_rect_t bounds;

  if (!focus || !select_row_of (menu, focus) ||
      !gtk_widget_compute_bounds (focus, gtk_widget_get_parent (menu->popover), &bounds))
    return FALSE;
  popup (menu, &GRAPHENE_POINT_INIT (bounds.origin.x + bounds.size.height, bounds.origin.y + bounds.size.height));
  return TRUE;
}

/* A menu of @model for the rows of @list, whose marks are @marks. It is a child of @parent, which contains @list and
 * must unparent the menu. */
static GtkWidget *
row_menu_new (GtkWidget *parent, GtkColumnView *list, RowMarks *marks, GMenuModel *model)
{
  RowMenu *menu = g_new (RowMenu, 1);
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_shortcut_controller_new ();

  *menu = (RowMenu) { gtk_popover_menu_new_from_model (model), list, marks };
  gtk_popover_set_has_arrow (GTK_POPOVER (menu->popover), FALSE);
  gtk_widget_set_halign (menu->popover, GTK_ALIGN_START);
  gtk_widget_set_parent (menu->popover, parent);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), menu);
  gtk_widget_add_controller (GTK_WIDGET (list), GTK_EVENT_CONTROLLER (click));
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_shortcut_trigger_parse_string ("Menu|<Shift>F10"),
                                                          gtk_callback_action_new (on_key, menu, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (list), keys);
  g_object_set_data_full (G_OBJECT (list), "row-menu", menu, g_free);
  return menu->popover;
}

struct _CulpritTableView
{
  GtkWidget parent;
  TableColumn *columns; /* NULL: not set yet */
  const char *row;      /* what a row is called */
  char *needle;         /* the search text, case-folded; NULL: none */
  TableFilter shows;
  gpointer shows_data;
  CulpritRows *rows;
  CulpritRow *current;
  CulpritRow *lost;  /* the row that was current until a filter hid all; NULL: none */
  guint refiltering; /* the source that filters again; 0: none */
  GtkFilterListModel *filtered;
  GtkCustomFilter *filter;
  GtkSortListModel *sorted;
  RowMarks *marks;
  ColumnChoice *choice;
  GtkWidget *menu; /* of rows, or NULL */
  GtkMultiSelection *selection;
  GtkColumnView *list;
  GtkWidget *stack;
  GtkScrolledWindow *scrolled;
  AdwStatusPage *empty;
  GtkWidget *search_bar;
  GtkWidget *search_entry;
  GtkWidget *count;
};

static gboolean table_view_shows (CulpritTableView *view, CulpritRow *row);
static guint culprit_table_view_shown (CulpritTableView *view);
static guint table_current_place (CulpritTableView *view);

/* The current row. It is always visible: if a filter hides it, the next row becomes current. */

static void
set_current (CulpritTableView *view, CulpritRow *row)
{
  if (g_set_object (&view->current, row))
    g_signal_emit_by_name (view, "selected", row);
}

/* One of the rows that were selected last becomes current, unless others were selected beside the current one. */
static void
table_current_on_selection (GtkSelectionModel *selection, guint place, guint n, CulpritTableView *view)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (selection);
  gboolean several = gtk_bitset_get_size (selected) > 1;
  guint found = several ? table_current_place (view) : GTK_INVALID_LIST_POSITION;

  if (found != GTK_INVALID_LIST_POSITION && !gtk_bitset_contains (selected, found))
    found = GTK_INVALID_LIST_POSITION;
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

/* The position of the current row, or GTK_INVALID_LIST_POSITION. */
static guint
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

/* The visible rows in their order. The caller owns the array. */
static GPtrArray *
table_current_list (CulpritTableView *view)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (view->selection)); i++)
    g_ptr_array_add (rows, g_list_model_get_item (G_LIST_MODEL (view->selection), i));
  return rows;
}

/* The first visible row after the current one in @rows, else the last before it, else NULL. */
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

/* If no row is visible, none is current, until that row is visible again. */
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

/* Finds another current row among @before if it is no longer visible; or restores the lost one. */
static void
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

#define MOST_FITTED 200 /* pixels, from which on rows scroll */

void
culprit_table_view_fit_rows (CulpritTableView *view)
{
  gtk_scrolled_window_set_propagate_natural_height (view->scrolled, TRUE);
  gtk_scrolled_window_set_max_content_height (view->scrolled, MOST_FITTED);
  gtk_stack_set_vhomogeneous (GTK_STACK (view->stack), FALSE);
  gtk_widget_set_vexpand (view->stack, FALSE);
  gtk_widget_set_vexpand (GTK_WIDGET (view), FALSE);
  gtk_widget_hide (view->count);
}

/* Columns and their order, groups, search, menus, copies. */

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
  g_autofree char *shown_title = shown_escaped (title);
  g_autofree char *shown_text = shown_escaped (text);

  adw_status_page_set_title (view->empty, shown_title);
  adw_status_page_set_description (view->empty, shown_text);
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
  if (!all && gtk_sort_list_model_get_sorter (view->sorted) == columns)
    gtk_sorter_changed (columns, GTK_SORTER_CHANGE_DIFFERENT); /* The rows may hold other values. */
  else
    gtk_sort_list_model_set_sorter (view->sorted, all ? GTK_SORTER (all) : columns);
}

void
culprit_table_view_show_top (CulpritTableView *view)
{
  /* Rows that are still being sorted would move the position with them. */
  gtk_sort_list_model_set_incremental (view->sorted, FALSE);
  gtk_sort_list_model_set_incremental (view->sorted, TRUE);
  compat_scroll_to (view->list, 0);
}

void
culprit_table_view_select_first (CulpritTableView *view)
{
  culprit_table_view_show_top (view);
  if (culprit_table_view_shown (view) > 0)
    select_place (view, 0);
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
            const CulpritColumn *column = &view->columns[k].is;
            g_autofree char *cell = culprit_row_cell (g_ptr_array_index (rows, i), column);
            g_autofree char *pasted = column->kind < CULPRIT_KIND_NUMBER ? culprit_pasted_text (cell) : NULL;

            g_string_append_printf (text, "%s%s", before, pasted ? pasted : cell);
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
  const char *ending = strrchr (path, '.');
  gboolean is_json = ending && g_ascii_strcasecmp (ending, ".json") == 0;
  g_autofree guint *places = g_new (guint, n + 1);
  g_autofree char *text = NULL;
  g_autofree char *plain = NULL;

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
  text = is_json ? culprit_table_to_json (culprit_rows_table (view->rows), places, n)
                 : culprit_table_to_csv (culprit_rows_table (view->rows), places, n);
  plain = is_json ? culprit_clean_json (text) : culprit_clean_text (text);
  return culprit_write_file (path, plain, -1, error);
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

G_DEFINE_FINAL_TYPE (CulpritTableView, culprit_table_view, GTK_TYPE_WIDGET)

enum
{
  SELECTED,
  PICKED,
  ACTIVATED,
  SIGNALS,
};

static guint signals[SIGNALS];

/* Search and filter. Texts in hidden columns are searched, too. */

static gboolean
row_matches (CulpritTableView *view, CulpritRow *row)
{
  for (guint i = 0; view->columns[i].is.key; i++)
    {
      const CulpritColumn *column = &view->columns[i].is;
      g_autofree char *text = culprit_row_cell (row, column);
      g_autofree char *folded = g_utf8_casefold (text, -1);
      gboolean searched = column->kind < CULPRIT_KIND_NUMBER || column_choice_shows (view->choice, i);

      if (searched && strstr (folded, view->needle))
        return TRUE;
    }
  return FALSE;
}

/* Whether @row passes filter and search. */
static gboolean
table_view_shows (CulpritTableView *view, CulpritRow *row)
{
  return (!view->shows || view->shows (row, view->shows_data)) && (!view->needle || row_matches (view, row));
}

static gboolean
is_shown (gpointer item, gpointer data)
{
  return table_view_shows (data, item);
}

static void
update_count (CulpritTableView *view)
{
  guint all = view->rows ? g_list_model_get_n_items (G_LIST_MODEL (view->rows)) : 0;
  guint shown = culprit_table_view_shown (view);
  g_autofree char *text = shown == all ? g_strdup_printf ("%u %s%s", all, view->row, culprit_plural (all))
                                       : g_strdup_printf ("%u of %u %s%s", shown, all, view->row, culprit_plural (all));

  show_line (view->count, text);
  gtk_stack_set_visible_child_name (GTK_STACK (view->stack), all == 0 ? "empty" : shown == 0 ? "unmatched" : "rows");
}

static void
on_activate (GtkColumnView *list, guint place, CulpritTableView *view)
{
  g_autoptr (CulpritRow) row = g_list_model_get_item (G_LIST_MODEL (view->selection), place);

  if (row)
    g_signal_emit (view, signals[ACTIVATED], 0, row);
}

static void
refilter (CulpritTableView *view)
{
  g_autoptr (GPtrArray) before = table_current_list (view);

  g_clear_handle_id (&view->refiltering, g_source_remove);
  gtk_filter_changed (GTK_FILTER (view->filter), GTK_FILTER_CHANGE_DIFFERENT);
  update_count (view);
  table_current_keep (view, before);
}

static gboolean
refilter_now (gpointer data)
{
  CulpritTableView *view = data;

  view->refiltering = 0;
  refilter (view);
  return G_SOURCE_REMOVE;
}

/* Many rows may be edited at once. */
static void
on_edited (CulpritRows *rows, CulpritTableView *view)
{
  if (view->shows && view->refiltering == 0)
    view->refiltering = g_idle_add (refilter_now, view);
}

static void
on_search_changed (GtkSearchEntry *entry, CulpritTableView *view)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (entry));

  g_clear_pointer (&view->needle, g_free);
  if (*text)
    view->needle = g_utf8_casefold (text, -1);
  refilter (view);
}

/* The number of visible rows. */
static guint
culprit_table_view_shown (CulpritTableView *view)
{
  return g_list_model_get_n_items (G_LIST_MODEL (view->filtered));
}

/* The rows. */

#define SORTED_AT_ONCE 10000 /* rows take some 10 ms */

/* The list follows its first row to its place: of rows that are sorted behind their back it shows the end. */
void
culprit_table_view_set_rows (CulpritTableView *view, CulpritRows *rows)
{
  const guint n = rows ? g_list_model_get_n_items (G_LIST_MODEL (rows)) : 0;

  if (view->rows)
    g_signal_handlers_disconnect_by_func (view->rows, on_edited, view);
  g_set_object (&view->rows, rows);
  if (rows)
    g_signal_connect_object (rows, "edited", G_CALLBACK (on_edited), view, 0);
  gtk_sort_list_model_set_incremental (view->sorted, n > SORTED_AT_ONCE);
  gtk_filter_list_model_set_model (view->filtered, G_LIST_MODEL (rows));
  g_clear_object (&view->current);
  g_clear_object (&view->lost);
  update_count (view);
}

void
culprit_table_view_set_filter (CulpritTableView *view, TableFilter filter, gpointer data)
{
  view->shows = filter;
  view->shows_data = data;
  refilter (view);
}

/* The widget. */

static void
table_view_dispose (GObject *object)
{
  CulpritTableView *view = CULPRIT_TABLE_VIEW (object);

  g_clear_pointer (&view->menu, gtk_widget_unparent);
  gtk_widget_dispose_template (GTK_WIDGET (object), CULPRIT_TYPE_TABLE_VIEW);
  g_clear_object (&view->rows);
  g_clear_object (&view->current);
  g_clear_object (&view->lost);
  g_clear_handle_id (&view->refiltering, g_source_remove);
  g_clear_pointer (&view->needle, g_free);
  G_OBJECT_CLASS (culprit_table_view_parent_class)->dispose (object);
}

/* Scrolls to the row that was chosen before the table was visible, as soon as rows have a height. */
static gboolean
show_current (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  CulpritTableView *view = CULPRIT_TABLE_VIEW (widget);
  GtkWidget *first = gtk_widget_get_first_child (gtk_widget_get_last_child (GTK_WIDGET (view->list)));
  guint place = table_current_place (view);

  if (place == GTK_INVALID_LIST_POSITION)
    return G_SOURCE_REMOVE;
  if (!first || gtk_widget_get_height (first) == 0)
    return G_SOURCE_CONTINUE;
  compat_scroll_to (view->list, place);
  return G_SOURCE_REMOVE;
}

/* Only visible tables have cells, as a list view creates about 200 rows at once. */
static void
table_view_map (GtkWidget *widget)
{
  CulpritTableView *view = CULPRIT_TABLE_VIEW (widget);

  if (!gtk_column_view_get_model (view->list))
    {
      gtk_column_view_set_model (view->list, GTK_SELECTION_MODEL (view->selection));
      gtk_widget_add_tick_callback (widget, show_current, NULL, NULL);
    }
  GTK_WIDGET_CLASS (culprit_table_view_parent_class)->map (widget);
}

static void
table_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GTK_WIDGET_CLASS (culprit_table_view_parent_class)->snapshot (widget, snapshot);
  if (CULPRIT_TABLE_VIEW (widget)->marks)
    row_marks_snapshot (CULPRIT_TABLE_VIEW (widget)->marks, widget, snapshot);
}

/* The columns of the list are still used when it is disposed of. */
static void
table_view_finalize (GObject *object)
{
  g_free (CULPRIT_TABLE_VIEW (object)->columns);
  G_OBJECT_CLASS (culprit_table_view_parent_class)->finalize (object);
}

static void
culprit_table_view_class_init (CulpritTableViewClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = table_view_dispose;
  G_OBJECT_CLASS (class)->finalize = table_view_finalize;
  widget->map = table_view_map;
  widget->snapshot = table_view_snapshot;
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget, "/io/github/culprit/desktop/tables/table-view.ui");
  widget_class_bind_children (class, CulpritTableView, stack, scrolled, filter, filtered, sorted, selection, list,
                              empty, search_bar, search_entry, count);
  widget_class_bind_callbacks (class, on_search_changed, on_activate);
  gtk_widget_class_bind_template_callback_full (widget, "on_selection_changed",
                                                G_CALLBACK (table_current_on_selection));
  signals[SELECTED] = signal_new (CULPRIT_TYPE_TABLE_VIEW, "selected", 1, CULPRIT_TYPE_ROW);
  signals[PICKED] = signal_new (CULPRIT_TYPE_TABLE_VIEW, "picked", 0);
  signals[ACTIVATED] = signal_new (CULPRIT_TYPE_TABLE_VIEW, "activated", 1, CULPRIT_TYPE_ROW);
}

static void
culprit_table_view_init (CulpritTableView *view)
{
  gtk_widget_init_template (GTK_WIDGET (view));
  gtk_custom_filter_set_filter_func (view->filter, is_shown, view, NULL);
  gtk_widget_set_vexpand (GTK_WIDGET (view), TRUE);
  g_signal_connect_object (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (view->list)), "value-changed",
                           G_CALLBACK (gtk_widget_queue_draw), view, G_CONNECT_SWAPPED);
  gtk_search_bar_connect_entry (GTK_SEARCH_BAR (view->search_bar), GTK_EDITABLE (view->search_entry));
}

void
culprit_table_view_set_columns (CulpritTableView *view, const CulpritDefinition *definition, const TableCell *cells)
{
  g_autofree char *rows = NULL;

  view->columns = table_columns_new (definition, cells);
  view->row = definition->row;
  for (const TableColumn *column = view->columns; column->is.key; column++)
    {
      g_autoptr (GtkColumnViewColumn) made = table_column_make (column);

      gtk_column_view_append_column (view->list, made);
      if (column == view->columns)
        view->marks =
            row_marks_new (view->list, G_LIST_MODEL (view->selection), gtk_column_view_column_get_factory (made));
    }
  view->choice = column_choice_new (view->list, view->columns);
  rows = g_strconcat (view->row, culprit_plural (0), NULL);
  show_to_reader (view->list, GTK_ACCESSIBLE_PROPERTY_LABEL, rows);
  update_count (view);
}
