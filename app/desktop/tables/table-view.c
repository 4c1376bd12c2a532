/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table widget: rows -> search and filter -> sort -> selection -> column view. Which row is current:
 * table-current.c. */
#include "tables/table-view-private.h"

#include "compat.h"
#include "show.h"
#include "units.h"

#include <string.h>

G_DEFINE_FINAL_TYPE (CulpritTableView, culprit_table_view, GTK_TYPE_WIDGET)

enum
{
  SELECTED,
  PICKED,
  ACTIVATED,
  SIGNALS,
};

static guint signals[SIGNALS];

/* Search and filter. Texts are searched for in columns that are not shown as well. */

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

gboolean
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

guint
culprit_table_view_shown (CulpritTableView *view)
{
  return g_list_model_get_n_items (G_LIST_MODEL (view->filtered));
}

/* The rows. */

void
culprit_table_view_set_rows (CulpritTableView *view, CulpritRows *rows)
{
  if (view->rows)
    g_signal_handlers_disconnect_by_func (view->rows, on_edited, view);
  g_set_object (&view->rows, rows);
  if (rows)
    g_signal_connect_object (rows, "edited", G_CALLBACK (on_edited), view, 0);
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

/* What was chosen before the table was seen comes into view, as soon as its rows have a height. */
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

/* Only a table that is seen has cells: a list view makes some 200 rows of them at once. */
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

/* The columns of the list outlive its disposal. */
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
  gtk_widget_class_bind_template_child (widget, CulpritTableView, stack);
  gtk_widget_class_bind_template_child (widget, CulpritTableView, filter);
  gtk_widget_class_bind_template_child (widget, CulpritTableView, filtered);
  gtk_widget_class_bind_template_child (widget, CulpritTableView, sorted);
  gtk_widget_class_bind_template_child (widget, CulpritTableView, selection);
  gtk_widget_class_bind_template_child (widget, CulpritTableView, list);
  gtk_widget_class_bind_template_child (widget, CulpritTableView, empty_title);
  gtk_widget_class_bind_template_child (widget, CulpritTableView, empty_text);
  gtk_widget_class_bind_template_child (widget, CulpritTableView, search_bar);
  gtk_widget_class_bind_template_child (widget, CulpritTableView, search_entry);
  gtk_widget_class_bind_template_child (widget, CulpritTableView, count);
  gtk_widget_class_bind_template_callback (widget, on_search_changed);
  gtk_widget_class_bind_template_callback_full (widget, "on_selection_changed",
                                                G_CALLBACK (table_current_on_selection));
  gtk_widget_class_bind_template_callback (widget, on_activate);
  signals[SELECTED] = g_signal_new ("selected", CULPRIT_TYPE_TABLE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 1, CULPRIT_TYPE_ROW);
  signals[PICKED] =
      g_signal_new ("picked", CULPRIT_TYPE_TABLE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[ACTIVATED] = g_signal_new ("activated", CULPRIT_TYPE_TABLE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                     G_TYPE_NONE, 1, CULPRIT_TYPE_ROW);
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
