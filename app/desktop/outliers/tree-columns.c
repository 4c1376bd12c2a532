/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defines the columns of the call tree; the first shows the levels and highlights the selected function. */
#include "outliers/tree-columns.h"

#include "compat.h"
#include "explain.h"
#include "show.h"
#include "tables/format.h"
#include "tables/tree.h"

#define UNKNOWN "–"

/* Whether @column is one of those with @times. */
static gboolean
is_shown (const CulpritColumn *column, CulpritTimes times)
{
  const CulpritDefinition *calls = times == CULPRIT_TIMES_TRACED ? &culprit_calls_traced : &culprit_calls;
  g_auto (GStrv) keys = g_strsplit (calls->window, " ", -1);

  return g_strv_contains ((const char *const *) keys, column->key);
}

/* The caller owns it. */
static char *
cell_text (CulpritTreeRow *row, const CulpritColumn *column)
{
  const CulpritTreeNode *node = culprit_tree_row_node (row);
  guint64 number = culprit_tree_number (node, column);

  if (column->kind == CULPRIT_KIND_FUNCTION)
    return g_strdup (culprit_tree_row_label (row));
  if (column->kind == CULPRIT_KIND_TEXT)
    return culprit_tree_context (node);
  return number == 0 ? g_strdup (UNKNOWN)
                     : culprit_value_text ((CulpritValue) { CULPRIT_VALUE_INTEGER, .integer = number }, column->kind);
}

/* Cells. */

static CulpritTreeRow *
item_row (GtkListItem *item)
{
  g_autoptr (CulpritTreeRow) row = gtk_tree_list_row_get_item (gtk_list_item_get_item (item));

  return row; /* the list keeps it */
}

static void
light (GtkListItem *item, CulpritDocument *document)
{
  GtkWidget *label = gtk_tree_expander_get_child (GTK_TREE_EXPANDER (gtk_list_item_get_child (item)));
  CulpritTreeRow *row = gtk_list_item_get_item (item) ? item_row (item) : NULL;
  const char *function = row ? culprit_tree_row_function (row) : NULL;

  if (function && g_strcmp0 (function, culprit_document_function (document)) == 0)
    gtk_widget_add_css_class (label, "lit");
  else
    gtk_widget_remove_css_class (label, "lit");
  if (row && culprit_tree_row_together (row) > 0)
    gtk_widget_add_css_class (label, "dim-label");
  else
    gtk_widget_remove_css_class (label, "dim-label");
}

static void
on_function (CulpritDocument *document, GParamSpec *spec, GtkListItem *item)
{
  light (item, document);
}

static void
on_setup_name (GtkSignalListItemFactory *factory, GtkListItem *item, CulpritDocument *document)
{
  GtkWidget *expander = gtk_tree_expander_new ();
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_width_chars (GTK_LABEL (label), culprit_calls.columns[0].width);
  gtk_tree_expander_set_child (GTK_TREE_EXPANDER (expander), label);
  gtk_list_item_set_child (item, expander);
  g_signal_connect_object (document, "notify::function", G_CALLBACK (on_function), item, 0);
}

static void
on_bind_name (GtkSignalListItemFactory *factory, GtkListItem *item, CulpritDocument *document)
{
  GtkTreeExpander *expander = GTK_TREE_EXPANDER (gtk_list_item_get_child (item));
  CulpritTreeRow *row = item_row (item);

  gtk_tree_expander_set_list_row (expander, gtk_list_item_get_item (item));
  show_line (gtk_tree_expander_get_child (expander), culprit_tree_row_label (row));
  show_tooltip (GTK_WIDGET (expander), culprit_tree_row_label (row));
  light (item, document);
}

static void
on_unbind_name (GtkSignalListItemFactory *factory, GtkListItem *item, CulpritDocument *document)
{
  gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (gtk_list_item_get_child (item)), NULL);
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, const CulpritColumn *column)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), column->kind >= CULPRIT_KIND_NUMBER ? 1 : 0);
  gtk_label_set_width_chars (GTK_LABEL (label), column->width);
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, label);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, const CulpritColumn *column)
{
  g_autofree char *text = cell_text (item_row (item), column);

  show_line (gtk_list_item_get_child (item), text);
}

void
tree_columns_show (GtkColumnView *view, CulpritTimes times)
{
  GListModel *all = gtk_column_view_get_columns (view);
  guint place = 0;

  for (guint i = 0; culprit_calls.columns[i].key; i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (all, i);

      gtk_column_view_column_set_visible (column, is_shown (&culprit_calls.columns[i], times));
    }
  for (const CulpritColumn *column = culprit_calls.columns; column->key; column++)
    {
      if (is_shown (column, times) && column->kind >= CULPRIT_KIND_NUMBER)
        compat_align_title (view, place);
      place += is_shown (column, times);
    }
}

void
tree_columns_add (GtkColumnView *view, CulpritDocument *document)
{
  for (const CulpritColumn *column = culprit_calls.columns; column->key; column++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      g_autoptr (GtkColumnViewColumn) made = gtk_column_view_column_new (column->title, factory);

      if (column->kind == CULPRIT_KIND_FUNCTION)
        {
          g_signal_connect (factory, "setup", G_CALLBACK (on_setup_name), document);
          g_signal_connect (factory, "bind", G_CALLBACK (on_bind_name), document);
          g_signal_connect (factory, "unbind", G_CALLBACK (on_unbind_name), document);
        }
      else
        {
          g_signal_connect (factory, "setup", G_CALLBACK (on_setup), (gpointer) column);
          g_signal_connect (factory, "bind", G_CALLBACK (on_bind), (gpointer) column);
        }
      gtk_column_view_column_set_resizable (made, TRUE);
      gtk_column_view_column_set_expand (made, column->expand);
      gtk_column_view_append_column (view, made);
    }
}

/* Text. */

void
tree_columns_append_titles (GString *text, CulpritTimes times)
{
  for (const CulpritColumn *column = culprit_calls.columns; column->key; column++)
    if (is_shown (column, times))
      g_string_append_printf (text, "%s%c", column->title, column[1].key ? '\t' : '\n');
}

void
tree_columns_append_text (GString *text, CulpritTreeRow *row, guint depth, CulpritTimes times)
{
  g_string_append_printf (text, "%*s", depth * 2, "");
  for (const CulpritColumn *column = culprit_calls.columns; column->key; column++)
    if (is_shown (column, times))
      {
        g_autofree char *cell = cell_text (row, column);

        g_string_append_printf (text, "%s%c", cell, column[1].key ? '\t' : '\n');
      }
}

GtkWidget *
tree_columns_explain_button (void)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new ();

  for (const CulpritColumn *column = culprit_calls.columns; column->key; column++)
    {
      g_ptr_array_add (entries, (gpointer) column->title);
      g_ptr_array_add (entries, (gpointer) column->explain);
    }
  g_ptr_array_add (entries, (gpointer) "(7 smaller)");
  g_ptr_array_add (entries, (gpointer) "Parts below 0.5 % of the latency each, together. Expand to see them.");
  g_ptr_array_add (entries, NULL);
  return explain_button_new ((const char *const *) entries->pdata);
}
