/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks of rows. Only rows that have widgets are updated, once the list has settled. */
#include "tables/row-marks.h"

#include "show.h"

#define GROUP_START "group-start"
#define DIMMED "dimmed"
#define HEADING "heading" /* of its group, as data of the row */
#define HEADING_LEFT 8    /* pixels from the edge of the row; the style sheet makes space for it */
#define HEADING_TOP 6

struct _RowMarks
{
  GListModel *model;
  GHashTable *bound;         /* of GtkListItem: the rows that have widgets */
  GtkColumnView *list;       /* not owned */
  const TableGroups *groups; /* NULL: no groups */
  gpointer data;
  TableFilter dimmed;
  gpointer dimmed_data;
  guint waiting; /* the source that updates; 0: none */
};

static gboolean
begins_group (RowMarks *marks, guint place)
{
  g_autoptr (CulpritRow) row = NULL;
  g_autoptr (CulpritRow) before = NULL;

  if (!marks->groups || place == GTK_INVALID_LIST_POSITION)
    return FALSE;
  if (place == 0)
    return TRUE;
  row = g_list_model_get_item (marks->model, place);
  before = g_list_model_get_item (marks->model, place - 1);
  return row && before && marks->groups->compare (before, row, marks->data) != 0;
}

static gboolean
is_dimmed (RowMarks *marks, guint place)
{
  g_autoptr (CulpritRow) row =
      marks->dimmed && place != GTK_INVALID_LIST_POSITION ? g_list_model_get_item (marks->model, place) : NULL;

  return row && marks->dimmed (row, marks->dimmed_data);
}

/* The cell's child, the cell, the row. */
static GtkWidget *
row_widget (GtkListItem *item)
{
  GtkWidget *child = gtk_list_item_get_child (item);
  GtkWidget *cell = child ? gtk_widget_get_parent (child) : NULL;

  return cell ? gtk_widget_get_parent (cell) : NULL;
}

guint
row_marks_place (RowMarks *marks, GtkWidget *widget)
{
  GHashTableIter iter;
  gpointer item;

  g_hash_table_iter_init (&iter, marks->bound);
  while (g_hash_table_iter_next (&iter, &item, NULL))
    {
      GtkWidget *row = row_widget (item);

      if (row && (widget == row || gtk_widget_is_ancestor (widget, row)))
        return gtk_list_item_get_position (item);
    }
  return GTK_INVALID_LIST_POSITION;
}

static void
set_class (GtkWidget *row, const char *class, gboolean on)
{
  if (on)
    gtk_widget_add_css_class (row, class);
  else
    gtk_widget_remove_css_class (row, class);
}

/* @heading: of the group that begins with @row, or NULL; takes it. */
static void
set_heading (GtkWidget *row, char *heading)
{
  set_class (row, GROUP_START, heading != NULL);
  if (heading)
    show_to_reader (row, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, heading);
  else
    gtk_accessible_reset_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
  g_object_set_data_full (G_OBJECT (row), HEADING, heading, g_free);
}

static gboolean
mark (gpointer data)
{
  RowMarks *marks = data;
  GHashTableIter iter;
  gpointer item;

  marks->waiting = 0;
  g_hash_table_iter_init (&iter, marks->bound);
  while (g_hash_table_iter_next (&iter, &item, NULL))
    {
      GtkWidget *row = row_widget (item);
      guint place = gtk_list_item_get_position (item);

      if (!row)
        continue;
      set_heading (row, begins_group (marks, place)
                            ? marks->groups->heading (gtk_list_item_get_item (item), marks->data)
                            : NULL);
      set_class (row, DIMMED, is_dimmed (marks, place));
    }
  gtk_widget_queue_draw (GTK_WIDGET (marks->list));
  return G_SOURCE_REMOVE;
}

static void
mark_soon (RowMarks *marks)
{
  if (marks->waiting == 0)
    marks->waiting = g_idle_add (mark, marks);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, RowMarks *marks)
{
  g_hash_table_add (marks->bound, item);
  mark_soon (marks);
}

static void
on_unbind (GtkSignalListItemFactory *factory, GtkListItem *item, RowMarks *marks)
{
  g_hash_table_remove (marks->bound, item);
}

static void
on_items_changed (GListModel *model, guint place, guint removed, guint added, RowMarks *marks)
{
  mark_soon (marks);
}

static void
marks_free (gpointer data)
{
  RowMarks *marks = data;

  g_clear_handle_id (&marks->waiting, g_source_remove);
  g_signal_handlers_disconnect_by_data (marks->model, marks);
  g_object_unref (marks->model);
  g_hash_table_unref (marks->bound);
  g_free (marks);
}

RowMarks *
row_marks_new (GtkColumnView *list, GListModel *model, GtkListItemFactory *factory)
{
  RowMarks *marks = g_new0 (RowMarks, 1);

  marks->list = list;
  marks->model = g_object_ref (model);
  marks->bound = g_hash_table_new (NULL, NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), marks);
  g_signal_connect (factory, "unbind", G_CALLBACK (on_unbind), marks);
  g_signal_connect (model, "items-changed", G_CALLBACK (on_items_changed), marks);
  g_object_set_data_full (G_OBJECT (list), "row-marks", marks, marks_free);
  return marks;
}

void
row_marks_group (RowMarks *marks, const TableGroups *groups, gpointer data)
{
  marks->groups = groups;
  marks->data = data;
  mark_soon (marks);
}

void
row_marks_dim (RowMarks *marks, TableFilter dimmed, gpointer data)
{
  marks->dimmed = dimmed;
  marks->dimmed_data = data;
  mark_soon (marks);
}

static void
draw_heading (GtkWidget *row, GtkWidget *widget, GtkSnapshot *snapshot)
{
  const char *heading = g_object_get_data (G_OBJECT (row), HEADING);
  g_autofree char *escaped = heading ? shown_escaped (heading) : NULL;
  g_autofree char *markup = g_strdup_printf ("<b>%s</b>", escaped);
  g_autoptr (PangoLayout) layout = NULL;
  graphene_rect_t bounds;
  GdkRGBA colour;

  if (!heading || !gtk_widget_get_mapped (row) || !gtk_widget_compute_bounds (row, widget, &bounds))
    return;
  layout = gtk_widget_create_pango_layout (widget, NULL);
  pango_layout_set_markup (layout, markup, -1);
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &colour);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (HEADING_LEFT, bounds.origin.y + HEADING_TOP));
  gtk_snapshot_append_layout (snapshot, layout, &colour);
  gtk_snapshot_restore (snapshot);
}

void
row_marks_snapshot (RowMarks *marks, GtkWidget *widget, GtkSnapshot *snapshot)
{
  GtkWidget *rows = gtk_widget_get_last_child (GTK_WIDGET (marks->list));
  graphene_rect_t seen;
  GHashTableIter iter;
  gpointer item;

  if (!marks->groups || !gtk_widget_get_mapped (rows) || !gtk_widget_compute_bounds (rows, widget, &seen))
    return;
  gtk_snapshot_push_clip (snapshot, &seen);
  g_hash_table_iter_init (&iter, marks->bound);
  while (g_hash_table_iter_next (&iter, &item, NULL))
    if (row_widget (item))
      draw_heading (row_widget (item), widget, snapshot);
  gtk_snapshot_pop (snapshot);
}
