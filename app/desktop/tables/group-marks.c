/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Only rows that have widgets are looked at, when the list has come to rest. */
#include "tables/group-marks.h"

#define MARK "group-start"

struct _GroupMarks
{
  GListModel *model;
  GHashTable *bound; /* of GtkListItem: the rows that have widgets */
  TableCompare compare;
  gpointer data;
  guint waiting; /* the source that will mark; 0: none */
};

static gboolean
begins_group (GroupMarks *marks, guint place)
{
  g_autoptr (CulpritRow) row = NULL;
  g_autoptr (CulpritRow) before = NULL;

  if (!marks->compare || place == 0 || place == GTK_INVALID_LIST_POSITION)
    return FALSE;
  row = g_list_model_get_item (marks->model, place);
  before = g_list_model_get_item (marks->model, place - 1);
  return row && before && marks->compare (before, row, marks->data) != 0;
}

/* The cell's child, the cell, the row. */
static GtkWidget *
row_widget (GtkListItem *item)
{
  GtkWidget *child = gtk_list_item_get_child (item);
  GtkWidget *cell = child ? gtk_widget_get_parent (child) : NULL;

  return cell ? gtk_widget_get_parent (cell) : NULL;
}

static gboolean
mark (gpointer data)
{
  GroupMarks *marks = data;
  GHashTableIter iter;
  gpointer item;

  marks->waiting = 0;
  g_hash_table_iter_init (&iter, marks->bound);
  while (g_hash_table_iter_next (&iter, &item, NULL))
    {
      GtkWidget *row = row_widget (item);

      if (row && begins_group (marks, gtk_list_item_get_position (item)))
        gtk_widget_add_css_class (row, MARK);
      else if (row)
        gtk_widget_remove_css_class (row, MARK);
    }
  return G_SOURCE_REMOVE;
}

static void
mark_soon (GroupMarks *marks)
{
  if (marks->waiting == 0)
    marks->waiting = g_idle_add (mark, marks);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, GroupMarks *marks)
{
  g_hash_table_add (marks->bound, item);
  mark_soon (marks);
}

static void
on_unbind (GtkSignalListItemFactory *factory, GtkListItem *item, GroupMarks *marks)
{
  g_hash_table_remove (marks->bound, item);
}

static void
on_items_changed (GListModel *model, guint place, guint removed, guint added, GroupMarks *marks)
{
  mark_soon (marks);
}

static void
marks_free (gpointer data)
{
  GroupMarks *marks = data;

  g_clear_handle_id (&marks->waiting, g_source_remove);
  g_signal_handlers_disconnect_by_data (marks->model, marks);
  g_object_unref (marks->model);
  g_hash_table_unref (marks->bound);
  g_free (marks);
}

GroupMarks *
group_marks_new (GtkColumnView *list, GListModel *model, GtkListItemFactory *factory)
{
  GroupMarks *marks = g_new0 (GroupMarks, 1);

  marks->model = g_object_ref (model);
  marks->bound = g_hash_table_new (NULL, NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), marks);
  g_signal_connect (factory, "unbind", G_CALLBACK (on_unbind), marks);
  g_signal_connect (model, "items-changed", G_CALLBACK (on_items_changed), marks);
  g_object_set_data_full (G_OBJECT (list), "group-marks", marks, marks_free);
  return marks;
}

void
group_marks_set (GroupMarks *marks, TableCompare compare, gpointer data)
{
  marks->compare = compare;
  marks->data = data;
  mark_soon (marks);
}
