/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pointer and keyboard of the timeline view; going from call to call by keys. */
#include "charts/timeline/view-private.h"

#include <math.h>

#define WHEEL_ZOOM 1.25 /* for each click of the wheel */
#define KEY_ZOOM 1.5
#define KEY_PAN 0.15 /* of what is shown */
#define WHEEL_ROWS 3
#define CLICK_SLACK 4 /* pixels that a click may move */

/* The span in the middle of what is shown, in the first row that has one. */
static CulpritTimelinePlace
find_middle (CulpritTimelineView *view)
{
  CulpritTimelinePlace place = { 0, CULPRIT_TIMELINE_NONE, 0 };
  double x = (SCENE_GUTTER + view->scene.width) / 2.0;

  for (double y = SCENE_AXIS + SCENE_ROW / 2.0; y < scene_bottom (&view->scene); y += SCENE_ROW)
    if (scene_hit (&view->scene, x, y, &place))
      return place;
  place.span = CULPRIT_TIMELINE_NONE;
  return place;
}

void
view_step (CulpritTimelineView *view, ViewStep step)
{
  CulpritTimelinePlace place = view->overlay.focused;
  CulpritTimelineCall call;

  if (place.span == CULPRIT_TIMELINE_NONE)
    {
      view_focus (view, find_middle (view));
      return;
    }
  switch (step)
    {
    case STEP_BEFORE:
      place.span = place.span > 0 ? place.span - 1 : CULPRIT_TIMELINE_NONE;
      break;
    case STEP_AFTER:
      place.span++;
      if (place.span == culprit_timeline_lane_spans (view->timeline, place.lane))
        place.span = CULPRIT_TIMELINE_NONE;
      break;
    case STEP_CALLER:
      place.span = culprit_timeline_caller (view->timeline, place.lane, place.span);
      place.lane--;
      break;
    case STEP_CALLEE:
      place.span = culprit_timeline_callee (view->timeline, place.lane, place.span);
      place.lane++;
      break;
    }
  if (place.span == CULPRIT_TIMELINE_NONE)
    return;
  culprit_timeline_describe (view->timeline, place.lane, place.span, &call);
  place.start_ns = call.span_start_ns;
  view_focus (view, place);
}

static gboolean
has_shift (GtkEventController *controller)
{
  return (gtk_event_controller_get_current_event_state (controller) & GDK_SHIFT_MASK) != 0;
}

static void
pan (CulpritTimelineView *view, double part)
{
  view_set_range (view, view->scene.start_ns + part * view->scene.length_ns, view->scene.length_ns);
}

/* Where zooming by keys holds on: the pointer, else the middle. */
static double
anchor_x (const CulpritTimelineView *view)
{
  return view->overlay.pointer_x >= SCENE_GUTTER ? view->overlay.pointer_x : (SCENE_GUTTER + view->scene.width) / 2.0;
}

static gboolean
on_scroll (GtkEventControllerScroll *controller, double dx, double dy, CulpritTimelineView *view)
{
  if (!view->timeline)
    return FALSE;
  if (dx != 0)
    pan (view, dx * KEY_PAN / 2);
  if (dy != 0 && has_shift (GTK_EVENT_CONTROLLER (controller)))
    view_set_scroll (view, view->scene.scroll + dy * WHEEL_ROWS * SCENE_ROW);
  else if (dy != 0)
    view_zoom (view, anchor_x (view), pow (WHEEL_ZOOM, dy));
  return TRUE;
}

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, CulpritTimelineView *view)
{
  view->overlay.pointer_x = x;
  view->pointer_y = y;
  view_update_hover (view);
  gtk_widget_queue_draw (GTK_WIDGET (view));
}

static void
on_motion_leave (GtkEventControllerMotion *controller, CulpritTimelineView *view)
{
  on_motion (controller, -1, -1, view);
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, CulpritTimelineView *view)
{
  CulpritTimelinePlace place = { 0, CULPRIT_TIMELINE_NONE, 0 };

  gtk_widget_grab_focus (GTK_WIDGET (view));
  if (!view->timeline || has_shift (GTK_EVENT_CONTROLLER (gesture)))
    return;
  if (n_press == 2 && scene_hit (&view->scene, x, y, &place))
    view_activate (view, place);
}

/* What was dragged stays chosen. */
static void
on_released (GtkGestureClick *gesture, int n_press, double x, double y, CulpritTimelineView *view)
{
  CulpritTimelinePlace place = { 0, CULPRIT_TIMELINE_NONE, 0 };
  guint cpu;

  if (!view->timeline || view->dragged || n_press != 1 || has_shift (GTK_EVENT_CONTROLLER (gesture)))
    return;
  if (scene_find_name (&view->scene, x, y, &cpu))
    {
      view_fold (view, cpu);
      return;
    }
  if (!scene_hit (&view->scene, x, y, &place))
    place.span = CULPRIT_TIMELINE_NONE;
  view_choose (view, place);
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, CulpritTimelineView *view)
{
  view->drag_start = view->scene;
  view->drag_x = x;
  view->dragged = FALSE;
  view->drag_selects = has_shift (GTK_EVENT_CONTROLLER (gesture));
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, CulpritTimelineView *view)
{
  const Scene *before = &view->drag_start;

  if (!view->timeline || before->timeline != view->timeline)
    return;
  view->dragged = view->dragged || fabs (dx) + fabs (dy) > CLICK_SLACK;
  if (view->drag_selects)
    {
      guint64 from_ns = scene_time (&view->scene, MAX (view->drag_x, SCENE_GUTTER));
      guint64 to_ns = scene_time (&view->scene, CLAMP (view->drag_x + dx, SCENE_GUTTER, view->scene.width));

      view_select (view, MIN (from_ns, to_ns), MAX (from_ns, to_ns));
      return;
    }
  view_set_range (view, before->start_ns - dx * before->length_ns / scene_plot_width (before), before->length_ns);
  if (before->scroll - dy != view->scene.scroll)
    view_set_scroll (view, before->scroll - dy);
}

static void
clear (CulpritTimelineView *view)
{
  view_choose (view, (CulpritTimelinePlace) { 0, CULPRIT_TIMELINE_NONE, 0 });
  view_select (view, 0, 0);
}

static void
activate_focus (CulpritTimelineView *view)
{
  gboolean focused = view->overlay.focused.span != CULPRIT_TIMELINE_NONE;

  view_activate (view, focused ? view->overlay.focused : view->overlay.hovered);
}

/* With Shift the arrows go from call to call. */
static gboolean
on_shift_key (CulpritTimelineView *view, guint key)
{
  switch (key)
    {
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
      view_step (view, STEP_BEFORE);
      return TRUE;
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
      view_step (view, STEP_AFTER);
      return TRUE;
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
      view_step (view, STEP_CALLER);
      return TRUE;
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
      view_step (view, STEP_CALLEE);
      return TRUE;
    default:
      return FALSE;
    }
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, CulpritTimelineView *view)
{
  if (!view->timeline || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)))
    return FALSE;
  if ((state & GDK_SHIFT_MASK) && on_shift_key (view, key))
    return TRUE;
  switch (key)
    {
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
      pan (view, -KEY_PAN);
      break;
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
      pan (view, KEY_PAN);
      break;
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
      view_set_scroll (view, view->scene.scroll - WHEEL_ROWS * SCENE_ROW);
      break;
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
      view_set_scroll (view, view->scene.scroll + WHEEL_ROWS * SCENE_ROW);
      break;
    case GDK_KEY_plus:
    case GDK_KEY_equal:
    case GDK_KEY_KP_Add:
      view_zoom (view, anchor_x (view), 1 / KEY_ZOOM);
      break;
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
      view_zoom (view, anchor_x (view), KEY_ZOOM);
      break;
    case GDK_KEY_0:
    case GDK_KEY_KP_0:
      culprit_timeline_view_zoom_to_all (view);
      break;
    case GDK_KEY_Home:
      view_set_range (view, 0, view->scene.length_ns);
      break;
    case GDK_KEY_End:
      view_set_range (view, (double) G_MAXINT64, view->scene.length_ns);
      break;
    case GDK_KEY_w:
    case GDK_KEY_W:
      culprit_timeline_view_zoom_to_window (view);
      break;
    case GDK_KEY_f:
    case GDK_KEY_F:
      view_fold (view, view_find_cpu (view));
      break;
    case GDK_KEY_n:
      culprit_timeline_view_next_match (view);
      break;
    case GDK_KEY_N:
      culprit_timeline_view_previous_match (view);
      break;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
      activate_focus (view);
      break;
    case GDK_KEY_Escape:
      if (view->overlay.focused.span == CULPRIT_TIMELINE_NONE && view->overlay.select_end_ns == 0)
        return FALSE;
      clear (view);
      break;
    default:
      return FALSE;
    }
  return TRUE;
}

void
view_add_input (CulpritTimelineView *view)
{
  GtkWidget *widget = GTK_WIDGET (view);
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *key = gtk_event_controller_key_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();

  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), view);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), view);
  g_signal_connect (motion, "enter", G_CALLBACK (on_motion), view);
  g_signal_connect (motion, "leave", G_CALLBACK (on_motion_leave), view);
  g_signal_connect (key, "key-pressed", G_CALLBACK (on_key), view);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), view);
  g_signal_connect (click, "released", G_CALLBACK (on_released), view);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), view);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), view);
  gtk_widget_add_controller (widget, scroll);
  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, key);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
}
