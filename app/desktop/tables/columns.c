/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells are labels unless a column makes its own. Tooltips are made on demand: set beforehand, they took 0.4 s for a
 * table of 1,000 rows, of which a list view makes 200 at once. */
#include "tables/columns.h"

#include "show.h"
#include "tables/column.h"

static void
add_columns (
    GArray *columns, const CulpritDefinition *definition, const char *keys, gboolean more, const TableCell *cells)
{
  g_autofree CulpritColumn *picked = culprit_definition_pick (definition, keys);

  for (const CulpritColumn *one = picked; one->key; one++)
    {
      TableColumn column = { .is = *one, .more = more };

      for (const TableCell *cell = cells; cell && cell->key; cell++)
        if (g_str_equal (cell->key, one->key))
          column.cell = cell;
      g_array_append_val (columns, column);
    }
}

TableColumn *
table_columns_new (const CulpritDefinition *definition, const TableCell *cells)
{
  GArray *columns = g_array_new (TRUE, FALSE, sizeof (TableColumn));

  add_columns (columns, definition, definition->window, FALSE, cells);
  if (definition->more)
    add_columns (columns, definition, definition->more, TRUE, cells);
  return (TableColumn *) (gpointer) g_array_free (columns, FALSE);
}

static void
show_cell (GtkWidget *cell, CulpritRow *row, const TableColumn *column)
{
  if (column->cell)
    column->cell->show (cell, row);
  else
    {
      g_autofree char *text = culprit_row_cell (row, &column->is);

      show_line (cell, text);
    }
}

static const TableColumn *
column_of (GtkListItem *item)
{
  return g_object_get_data (G_OBJECT (item), "column");
}

static void
on_row_changed (CulpritRow *row, GtkListItem *item)
{
  show_cell (gtk_list_item_get_child (item), row, column_of (item));
}

/* The tooltip: a text may be ellipsized, a number may need an explanation. */
static gboolean
on_tooltip (GtkWidget *cell, int x, int y, gboolean keyboard, GtkTooltip *tooltip, GtkListItem *item)
{
  const TableColumn *column = column_of (item);
  CulpritRow *row = gtk_list_item_get_item (item);
  g_autofree char *answer = row && column->is.kind == CULPRIT_KIND_ANSWER ? culprit_row_cell (row, &column->is) : NULL;
  const char *text = !row                                    ? NULL
                     : answer                                ? answer
                     : column->is.kind < CULPRIT_KIND_NUMBER ? culprit_row_text (row, column->is.key)
                                                             : column->is.explain;

  show_tip (tooltip, text);
  return text && *text;
}

static GtkWidget *
make_label (const TableColumn *column, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);
  gboolean number = column->is.kind >= CULPRIT_KIND_NUMBER;

  gtk_label_set_xalign (GTK_LABEL (label), number ? 1 : 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), number ? PANGO_ELLIPSIZE_NONE : PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (label), column->is.width);
  if (number)
    gtk_widget_add_css_class (label, "numeric");
  gtk_widget_set_has_tooltip (label, TRUE);
  g_signal_connect_object (label, "query-tooltip", G_CALLBACK (on_tooltip), item, 0);
  return label;
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  const TableColumn *column = data;

  g_object_set_data (G_OBJECT (item), "column", (gpointer) column);
  gtk_list_item_set_child (item,
                           column->cell && column->cell->make ? column->cell->make () : make_label (column, item));
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  CulpritRow *row = gtk_list_item_get_item (item);

  show_cell (gtk_list_item_get_child (item), row, data);
  g_signal_connect (row, "changed", G_CALLBACK (on_row_changed), item);
}

static void
on_unbind (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (item), on_row_changed, item);
}

/* Unknown values come last either way; GTK reverses the result for descending order, so that is reversed here first. */
static int
compare_rows (gconstpointer left, gconstpointer right, gpointer data)
{
  const TableColumn *column = data;
  const char *key = column->is.of ? column->is.of : column->is.key;
  CulpritValue one = culprit_row_value (CULPRIT_ROW ((gpointer) left), key);
  CulpritValue other = culprit_row_value (CULPRIT_ROW ((gpointer) right), key);
  gboolean unknown = one.type == CULPRIT_VALUE_NULL || other.type == CULPRIT_VALUE_NULL;
  int order = culprit_value_compare (one, other);

  return unknown && column->descending ? -order : order;
}

GtkColumnViewColumn *
table_column_make (const TableColumn *column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkColumnViewColumn *made = gtk_column_view_column_new (column->is.title, factory);
  g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (compare_rows, (gpointer) column, NULL));

  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), (gpointer) column);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), (gpointer) column);
  g_signal_connect (factory, "unbind", G_CALLBACK (on_unbind), (gpointer) column);
  gtk_column_view_column_set_sorter (made, sorter);
  gtk_column_view_column_set_resizable (made, TRUE);
  gtk_column_view_column_set_expand (made, column->is.expand);
  return made;
}
