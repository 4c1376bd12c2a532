/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Little room for the details of a capture: what was chosen to be seen of it comes into view, and the timeline may have
 * the room of everything else. */
#include "outliers/capture-details-private.h"

#define LEAST_ROOM 300 /* pixels of height, for the details with a timeline that is worth looking at */

void
details_room_set_full (CulpritCaptureDetails *details, gboolean full)
{
  if (details->full == full)
    return;
  details->full = full;
  g_object_notify (G_OBJECT (details), "full");
  if (!full)
    return;
  gtk_widget_activate_action (GTK_WIDGET (details), "win.page", "s", "outliers");
  culprit_capture_details_show (details, "timeline");
  culprit_capture_timeline_focus (details->timeline);
}

static gboolean
is_timeline_chosen (CulpritCaptureDetails *details)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (GTK_STACK (details->pages)), "timeline") == 0;
}

/* Where the details are in a scrolled window; NULL: they are not. */
static GtkScrolledWindow *
find_room (CulpritCaptureDetails *details)
{
  return (GtkScrolledWindow *) gtk_widget_get_ancestor (GTK_WIDGET (details), GTK_TYPE_SCROLLED_WINDOW);
}

/* Whether what was chosen to be seen would have too little room; as long as it has none yet, that is not known. */
static gboolean
is_low (GtkScrolledWindow *room)
{
  const int height = gtk_widget_get_height (GTK_WIDGET (room));

  return height > 0 && height < LEAST_ROOM;
}

/* The last of the details is what was chosen to be seen: the timeline where not all of them fit, the rest where next to
 * nothing does. The way to the other details stays in view. */
static gboolean
show_end (gpointer data)
{
  CulpritCaptureDetails *details = data;
  GtkScrolledWindow *room = find_room (details);
  GtkAdjustment *down = room ? gtk_scrolled_window_get_vadjustment (room) : NULL;
  graphene_rect_t way;

  if (down && !details->full && (is_timeline_chosen (details) || (details->page_chosen && is_low (room))) &&
      gtk_widget_compute_bounds (details->switcher, GTK_WIDGET (details), &way))
    gtk_adjustment_set_value (
        down, MIN (gtk_adjustment_get_upper (down) - gtk_adjustment_get_page_size (down), way.origin.y));
  return G_SOURCE_REMOVE;
}

/* While it is being laid out, it cannot be scrolled. */
static void
show_end_soon (CulpritCaptureDetails *details)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, show_end, g_object_ref (details), g_object_unref);
}

/* What else is to be seen has its room back. In little room the timeline comes at full size at once. */
void
details_room_on_page (GtkStack *pages, GParamSpec *spec, CulpritCaptureDetails *details)
{
  GtkScrolledWindow *room = find_room (details);

  if (!is_timeline_chosen (details))
    details_room_set_full (details, FALSE);
  else if (room && gtk_widget_get_mapped (GTK_WIDGET (details)) && is_low (room))
    details_room_set_full (details, TRUE);
  details->page_chosen = gtk_widget_get_mapped (GTK_WIDGET (details));
  show_end_soon (details);
}

static void
on_room (GtkAdjustment *adjustment, CulpritCaptureDetails *details)
{
  show_end_soon (details);
}

void
details_room_follow (CulpritCaptureDetails *details)
{
  GtkScrolledWindow *room = find_room (details);

  if (room)
    g_signal_connect_object (gtk_scrolled_window_get_vadjustment (room), "changed", G_CALLBACK (on_room), details, 0);
}

static gboolean
on_escape (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  CulpritCaptureDetails *details = CULPRIT_CAPTURE_DETAILS (widget);
  gboolean seen = details->full && gtk_widget_get_mapped (widget);

  if (seen)
    details_room_set_full (details, FALSE);
  return seen;
}

/* Wherever the focus is: what had it may not be seen any more. */
void
details_room_add_escape (CulpritCaptureDetails *details)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_set_scope (GTK_SHORTCUT_CONTROLLER (keys), GTK_SHORTCUT_SCOPE_GLOBAL);
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys),
      gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0), gtk_callback_action_new (on_escape, NULL, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (details), keys);
}
