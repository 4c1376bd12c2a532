/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the row that is meant and points the menu at it. */
#include "tables/row-menu.h"

typedef struct
{
  GtkWidget *popover;
  GtkColumnView *list;
  RowMarks *marks;
} RowMenu;

/* FALSE: @widget is in no row. */
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

GtkWidget *
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
