/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Handles the scroll wheel, dragging and keys on a chart. */
#include "charts/chart-view-private.h"

#include <math.h>

#define ZOOM_STEP 1.25
#define PAN_STEP 0.1 /* of what is shown */

/* Looking closer. */

static void
zoom (CulpritChartView *view, double factor, double centre)
{
  if (!view->chart)
    return;
  chart_zoom_around (view->chart, factor, centre);
  chart_view_zoomed (view);
}

static void
pan (CulpritChartView *view, double part)
{
  chart_pan (view->chart, part);
  chart_view_zoomed (view);
}

/* Where a step of keys begins: the cursor, or the middle. */
static double
find_cursor (CulpritChartView *view)
{
  double low;
  double high;

  chart_range (view->chart, &low, &high);
  return isnan (view->cursor) ? chart_step (view->chart, low, 0.5) : CLAMP (view->cursor, low, high);
}

/* The pointer. */

static gboolean
on_scroll (GtkEventControllerScroll *scroll, double dx, double dy, CulpritChartView *view)
{
  if (view->chart && dy != 0)
    zoom (view, dy > 0 ? ZOOM_STEP : 1 / ZOOM_STEP,
          isnan (view->pointer) ? find_cursor (view)
                                : chart_value_at (view->chart, &view->frame, chart_view_clip (view, view->pointer)));
  else if (view->chart)
    pan (view, dx > 0 ? PAN_STEP : -PAN_STEP);
  return TRUE;
}

static void
on_motion (GtkEventControllerMotion *motion, double x, double y, CulpritChartView *view)
{
  view->pointer = x;
  gtk_widget_queue_draw (GTK_WIDGET (view));
}

static void
on_leave (GtkEventControllerMotion *motion, CulpritChartView *view)
{
  view->pointer = NAN;
  gtk_widget_queue_draw (GTK_WIDGET (view));
}

/* Dragging selects; with the middle button or Control it pans. */
static void
on_drag_begin (GtkGestureDrag *drag, double x, double y, CulpritChartView *view)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (drag));

  gtk_widget_grab_focus (GTK_WIDGET (view));
  if (!view->chart)
    return;
  view->panning = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (drag)) == GDK_BUTTON_MIDDLE ||
                  (state & GDK_CONTROL_MASK) != 0;
  view->anchor = chart_value_at (view->chart, &view->frame, chart_view_clip (view, x));
  chart_range (view->chart, &view->pan_low, &view->pan_high);
}

static void
on_drag_update (GtkGestureDrag *drag, double dx, double dy, CulpritChartView *view)
{
  double x;
  double y;

  if (!view->chart)
    return;
  gtk_gesture_drag_get_start_point (drag, &x, &y);
  view->pointer = x + dx;
  if (view->panning)
    {
      chart_zoom (view->chart, view->pan_low, view->pan_high);
      pan (view, -dx / MAX (view->frame.right - view->frame.left, 1));
    }
  else if (fabs (dx) > 3)
    culprit_chart_view_select (view, view->anchor,
                               chart_value_at (view->chart, &view->frame, chart_view_clip (view, x + dx)));
}

static void
on_click (GtkGestureClick *click, int times, double x, double y, CulpritChartView *view)
{
  if (times == 2)
    culprit_chart_view_zoom_to_selection (view);
}

/* Keys. */

static void
move_cursor (CulpritChartView *view, int steps, gboolean selecting)
{
  double before = find_cursor (view);

  view->cursor = chart_step (view->chart, before, steps / 100.0);
  if (selecting)
    {
      if (!(view->low < view->high))
        view->anchor = before;
      culprit_chart_view_select (view, view->anchor, view->cursor);
    }
  gtk_widget_queue_draw (GTK_WIDGET (view));
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, CulpritChartView *view)
{
  gboolean selecting = (state & GDK_SHIFT_MASK) != 0;

  if (!view->chart || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)))
    return FALSE;
  switch (key)
    {
    case GDK_KEY_Left:
    case GDK_KEY_Right:
      move_cursor (view, key == GDK_KEY_Left ? -1 : 1, selecting);
      return TRUE;
    case GDK_KEY_plus:
    case GDK_KEY_equal:
    case GDK_KEY_KP_Add:
      zoom (view, 1 / ZOOM_STEP, find_cursor (view));
      return TRUE;
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
      zoom (view, ZOOM_STEP, find_cursor (view));
      return TRUE;
    case GDK_KEY_0:
    case GDK_KEY_KP_0:
      culprit_chart_view_reset_zoom (view);
      return TRUE;
    case GDK_KEY_Home:
    case GDK_KEY_End:
      move_cursor (view, key == GDK_KEY_Home ? -100 : 100, selecting);
      return TRUE;
    case GDK_KEY_Return:
      culprit_chart_view_zoom_to_selection (view);
      return TRUE;
    case GDK_KEY_Escape:
      culprit_chart_view_select (view, 0, 0);
      culprit_chart_view_reset_zoom (view);
      return TRUE;
    default:
      return FALSE;
    }
}

void
chart_view_add_input (CulpritChartView *view)
{
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *key = gtk_event_controller_key_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), 0);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), view);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), view);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), view);
  g_signal_connect (key, "key-pressed", G_CALLBACK (on_key), view);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), view);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), view);
  g_signal_connect (click, "pressed", G_CALLBACK (on_click), view);
  gtk_widget_add_controller (GTK_WIDGET (view), scroll);
  gtk_widget_add_controller (GTK_WIDGET (view), motion);
  gtk_widget_add_controller (GTK_WIDGET (view), key);
  gtk_widget_add_controller (GTK_WIDGET (view), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (GTK_WIDGET (view), GTK_EVENT_CONTROLLER (click));
}
