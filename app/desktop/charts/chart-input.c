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
  double low;
  double high;

  if (!view->chart)
    return;
  chart_range (view->chart, &low, &high);
  if (isnan (centre))
    centre = (low + high) / 2;
  chart_zoom (view->chart, centre - (centre - low) * factor, centre + (high - centre) * factor);
  chart_view_redraw (view);
}

static void
pan (CulpritChartView *view, double part)
{
  double low;
  double high;
  double way;

  chart_range (view->chart, &low, &high);
  way = (high - low) * part;
  chart_zoom (view->chart, low + way, high + way);
  chart_view_redraw (view);
}

static void
fit (CulpritChartView *view)
{
  chart_zoom (view->chart, 0, 0);
  chart_view_redraw (view);
}

/* The pointer. */

static gboolean
on_scroll (GtkEventControllerScroll *scroll, double dx, double dy, CulpritChartView *view)
{
  if (view->chart && dy != 0)
    zoom (view, dy > 0 ? ZOOM_STEP : 1 / ZOOM_STEP,
          isnan (view->pointer) ? NAN
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
      double way = dx / MAX (view->frame.right - view->frame.left, 1) * (view->pan_high - view->pan_low);

      chart_zoom (view->chart, view->pan_low - way, view->pan_high - way);
      chart_view_redraw (view);
    }
  else if (fabs (dx) > 3)
    culprit_chart_view_select (view, view->anchor,
                               chart_value_at (view->chart, &view->frame, chart_view_clip (view, x + dx)));
}

static void
on_click (GtkGestureClick *click, int times, double x, double y, CulpritChartView *view)
{
  if (view->chart && times == 2 && view->low < view->high)
    {
      chart_zoom (view->chart, view->low, view->high);
      chart_view_redraw (view);
    }
}

/* Keys. */

static void
move_cursor (CulpritChartView *view, int steps, gboolean selecting)
{
  double low;
  double high;
  double before = view->cursor;

  chart_range (view->chart, &low, &high);
  if (isnan (before))
    before = view->cursor = (low + high) / 2;
  view->cursor = CLAMP (before + steps * (high - low) / 100, low, high);
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
      zoom (view, 1 / ZOOM_STEP, view->cursor);
      return TRUE;
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
      zoom (view, ZOOM_STEP, view->cursor);
      return TRUE;
    case GDK_KEY_0:
    case GDK_KEY_KP_0:
      fit (view);
      return TRUE;
    case GDK_KEY_Home:
    case GDK_KEY_End:
      move_cursor (view, key == GDK_KEY_Home ? -100 : 100, selecting);
      return TRUE;
    case GDK_KEY_Return:
      if (view->low < view->high)
        chart_zoom (view->chart, view->low, view->high);
      chart_view_redraw (view);
      return TRUE;
    case GDK_KEY_Escape:
      culprit_chart_view_select (view, 0, 0);
      fit (view);
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
