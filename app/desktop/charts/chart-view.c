/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chart is drawn once for each size, range and theme; what follows the pointer is drawn over it. */
#include "charts/chart-view.h"

#include "chart/picture.h"

#include <math.h>

#define ZOOM_STEP 1.25
#define PAN_STEP 0.1 /* of what is shown */

struct _CulpritChartView
{
  GtkWidget parent;
  Chart *chart;
  ChartFrame frame; /* as it was drawn last */
  GskRenderNode *drawn;
  int drawn_width;
  int drawn_height;
  gboolean drawn_dark;
  double pointer; /* where it is, in pixels; NaN: not here */
  double cursor;  /* the value where keys are; NaN: not yet */
  double anchor;  /* the value where a selection began */
  double low;     /* the selection; none where it is not below high */
  double high;
  double mark;
  gboolean panning;
  double pan_low; /* what was shown when panning began */
  double pan_high;
};

G_DEFINE_FINAL_TYPE (CulpritChartView, culprit_chart_view, GTK_TYPE_WIDGET)

static guint range_selected;

static gboolean
is_dark (GtkWidget *widget)
{
  GdkRGBA colour;

  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &colour);
  return colour.red + colour.green + colour.blue > 1.5;
}

static void
redraw (CulpritChartView *view)
{
  g_clear_pointer (&view->drawn, gsk_render_node_unref);
  gtk_widget_queue_draw (GTK_WIDGET (view));
}

/* Drawing. */

static void
draw_chart (CulpritChartView *view, GtkSnapshot *snapshot, int width, int height)
{
  gboolean dark = is_dark (GTK_WIDGET (view));

  if (!view->drawn || view->drawn_width != width || view->drawn_height != height || view->drawn_dark != dark)
    {
      GskRenderNode *node = gsk_cairo_node_new (&GRAPHENE_RECT_INIT (0, 0, width, height));
      cairo_t *cr = gsk_cairo_node_get_draw_context (node);

      view->frame = chart_draw (view->chart, dark ? CHART_DARK : CHART_LIGHT, cr, width, height);
      cairo_destroy (cr);
      g_clear_pointer (&view->drawn, gsk_render_node_unref);
      view->drawn = node;
      view->drawn_width = width;
      view->drawn_height = height;
      view->drawn_dark = dark;
    }
  gtk_snapshot_append_node (snapshot, view->drawn);
}

static double
clip (CulpritChartView *view, double x)
{
  return CLAMP (x, view->frame.left, view->frame.right);
}

static void
draw_line (CulpritChartView *view, GtkSnapshot *snapshot, double x, const GdkRGBA *colour)
{
  if (x >= view->frame.left && x <= view->frame.right)
    gtk_snapshot_append_color (snapshot, colour,
                               &GRAPHENE_RECT_INIT (x, view->frame.top, 1, view->frame.bottom - view->frame.top));
}

static void
draw_selection (CulpritChartView *view, GtkSnapshot *snapshot)
{
  const GdkRGBA tint = { 0.9f, 0.62f, 0.0f, 0.28f };
  double left;
  double right;

  if (!(view->low < view->high))
    return;
  left = clip (view, chart_place_of (view->chart, &view->frame, view->low));
  right = clip (view, chart_place_of (view->chart, &view->frame, view->high));
  gtk_snapshot_append_color (
      snapshot, &tint,
      &GRAPHENE_RECT_INIT (left, view->frame.top, MAX (right - left, 1), view->frame.bottom - view->frame.top));
}

/* The values at the crosshair, in a box beside it. */
static void
draw_values (CulpritChartView *view, GtkSnapshot *snapshot, double x)
{
  const GdkRGBA paper = { 0.12f, 0.12f, 0.12f, 0.9f };
  const GdkRGBA ink = { 1, 1, 1, 1 };
  g_autofree char *text = chart_tell (view->chart, chart_value_at (view->chart, &view->frame, x));
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (view), text);
  int width;
  int height;
  double left;

  pango_layout_get_pixel_size (layout, &width, &height);
  left = x + 10 + width + 12 > view->frame.right ? x - width - 22 : x + 10;
  gtk_snapshot_append_color (snapshot, &paper, &GRAPHENE_RECT_INIT (left, view->frame.top + 8, width + 12, height + 8));
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (left + 6, view->frame.top + 12));
  gtk_snapshot_append_layout (snapshot, layout, &ink);
  gtk_snapshot_restore (snapshot);
}

static void
chart_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  CulpritChartView *view = CULPRIT_CHART_VIEW (widget);
  const GdkRGBA hair = { 0.5f, 0.5f, 0.5f, 0.9f };
  const GdkRGBA marked = { 0.93f, 0.22f, 0.18f, 0.9f };
  double x = view->pointer;

  if (!view->chart)
    return;
  draw_chart (view, snapshot, gtk_widget_get_width (widget), gtk_widget_get_height (widget));
  draw_selection (view, snapshot);
  if (!isnan (view->mark))
    draw_line (view, snapshot, chart_place_of (view->chart, &view->frame, view->mark), &marked);
  if (isnan (x) && gtk_widget_has_focus (widget) && !isnan (view->cursor))
    x = chart_place_of (view->chart, &view->frame, view->cursor);
  if (isnan (x) || x < view->frame.left || x > view->frame.right)
    return;
  draw_line (view, snapshot, x, &hair);
  draw_values (view, snapshot, x);
}

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
  redraw (view);
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
  redraw (view);
}

static void
fit (CulpritChartView *view)
{
  chart_zoom (view->chart, 0, 0);
  redraw (view);
}

void
culprit_chart_view_select (CulpritChartView *view, double low, double high)
{
  view->low = MIN (low, high);
  view->high = MAX (low, high);
  gtk_widget_queue_draw (GTK_WIDGET (view));
  g_signal_emit (view, range_selected, 0);
}

/* The pointer. */

static gboolean
on_scroll (GtkEventControllerScroll *scroll, double dx, double dy, CulpritChartView *view)
{
  if (view->chart && dy != 0)
    zoom (view, dy > 0 ? ZOOM_STEP : 1 / ZOOM_STEP,
          isnan (view->pointer) ? NAN : chart_value_at (view->chart, &view->frame, clip (view, view->pointer)));
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
  view->anchor = chart_value_at (view->chart, &view->frame, clip (view, x));
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
      redraw (view);
    }
  else if (fabs (dx) > 3)
    culprit_chart_view_select (view, view->anchor, chart_value_at (view->chart, &view->frame, clip (view, x + dx)));
}

static void
on_click (GtkGestureClick *click, int times, double x, double y, CulpritChartView *view)
{
  if (view->chart && times == 2 && view->low < view->high)
    {
      chart_zoom (view->chart, view->low, view->high);
      redraw (view);
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
      redraw (view);
      return TRUE;
    case GDK_KEY_Escape:
      culprit_chart_view_select (view, 0, 0);
      fit (view);
      return TRUE;
    default:
      return FALSE;
    }
}

/* The widget. */

static void
chart_view_finalize (GObject *object)
{
  CulpritChartView *view = CULPRIT_CHART_VIEW (object);

  g_clear_pointer (&view->chart, chart_free);
  g_clear_pointer (&view->drawn, gsk_render_node_unref);
  G_OBJECT_CLASS (culprit_chart_view_parent_class)->finalize (object);
}

static void
culprit_chart_view_class_init (CulpritChartViewClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = chart_view_finalize;
  widget->snapshot = chart_view_snapshot;
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_css_name (widget, "chart");
  range_selected =
      g_signal_new ("range-selected", CULPRIT_TYPE_CHART_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
culprit_chart_view_init (CulpritChartView *view)
{
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *key = gtk_event_controller_key_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  view->pointer = view->cursor = view->mark = NAN;
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
  gtk_widget_set_focusable (GTK_WIDGET (view), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (view), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (view), TRUE);
  gtk_widget_set_size_request (GTK_WIDGET (view), 320, 220);
}

GtkWidget *
culprit_chart_view_new (void)
{
  return g_object_new (CULPRIT_TYPE_CHART_VIEW, NULL);
}

void
culprit_chart_view_set_chart (CulpritChartView *view, Chart *chart)
{
  g_autofree char *description = chart ? chart_describe (chart) : g_strdup ("");

  g_clear_pointer (&view->chart, chart_free);
  view->chart = chart;
  view->cursor = NAN;
  view->low = view->high = 0;
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  chart ? chart_title (chart) : "", GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description,
                                  -1);
  redraw (view);
}

gboolean
culprit_chart_view_selection (CulpritChartView *view, double *low, double *high)
{
  *low = view->low;
  *high = view->high;
  return view->chart && view->low < view->high;
}

void
culprit_chart_view_mark (CulpritChartView *view, double value)
{
  view->mark = value;
  gtk_widget_queue_draw (GTK_WIDGET (view));
}

gboolean
culprit_chart_view_export (CulpritChartView *view, const char *path, GError **error)
{
  if (!view->chart || !picture_knows (path))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s: %s", path,
                   view->chart ? "a picture is .svg or .png" : "there is no chart yet");
      return FALSE;
    }
  return picture_write (view->chart, is_dark (GTK_WIDGET (view)) ? CHART_DARK : CHART_LIGHT, path,
                        MAX (gtk_widget_get_width (GTK_WIDGET (view)), 320),
                        MAX (gtk_widget_get_height (GTK_WIDGET (view)), 220), error);
}
