/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chart is drawn once per size, range and theme; an overlay follows the pointer. */
#include "charts/chart-view.h"

#include "background.h"
#include "chart/picture.h"
#include "charts/swatch.h"
#include "show.h"
#include "state.h"
#include "widgets.h"

#include <math.h>

static void culprit_chart_view_reset_zoom (CulpritChartView *view);

/* A marked latency. */
typedef struct
{
  double latency_ns; /* NaN: none */
  char *label;
} ChartLine;

struct _CulpritChartView
{
  GtkWidget parent;
  Chart *chart;
  GCancellable *making; /* NULL: no chart is being made */
  ChartFrame frame;     /* as last drawn */
  GArray *labels;       /* of ChartFrame: where the chart has labels, likewise */
  GskRenderNode *drawn;
  int drawn_width;
  int drawn_height;
  gboolean drawn_dark;
  double pointer; /* in pixels; NaN: not over the view */
  double cursor;  /* the value that keys have moved to; NaN: none yet */
  double anchor;  /* the value at which the selection began */
  double low;     /* the selection; none unless it is below high */
  double high;
  char *selection_label; /* what the selection contains; NULL: no label */
  ChartLine mark;
  GArray *triggers; /* of ChartLine */
  gboolean panning;
  double pan_low; /* the visible range when panning began */
  double pan_high;
};

enum
{
  RANGE_SELECTED,
  VIEW_CHANGED,
  PICKED,
  SIGNALS,
};

static guint signals[SIGNALS];

static double chart_view_clip (CulpritChartView *view, double x);
static void chart_view_zoomed (CulpritChartView *view);

/* The overlay: selection, marked latencies, values at the pointer. Labels of lines are stacked so that they never
 * overlap. */

#define PADDING 5
#define GAP 4

/* The state of drawing it; @y is that of the next label. */
typedef struct
{
  CulpritChartView *view;
  GtkSnapshot *snapshot;
  double y;
} Overlay;

/* The place from @y down where a box from @x on, @width by @height, covers no label of the chart; @y if there is none.
 */
static double
find_room (const Overlay *overlay, double x, double y, double width, double height)
{
  const GArray *labels = overlay->view->labels;
  double found = y;

  for (guint i = 0; i < labels->len && found + height <= overlay->view->frame.bottom; i++)
    {
      const ChartFrame *label = &g_array_index (labels, ChartFrame, i);

      if (x < label->right && x + width > label->left && found < label->bottom && found + height > label->top)
        {
          found = label->bottom + 1;
          i = G_MAXUINT; /* Those before may be there. */
        }
    }
  return found + height <= overlay->view->frame.bottom ? found : y;
}

/* Draws text, in which names are clean, in a box at @x, from @y down, or to the left of that if it would leave the
 * chart; if it must @avoid the chart's labels, below these. Returns where it ends. */
static double
draw_box (const Overlay *overlay,
          const char *text,
          double x,
          double y,
          gboolean avoid,
          const GdkRGBA *paper,
          const GdkRGBA *ink)
{
  const ChartFrame *frame = &overlay->view->frame;
  g_autoptr (PangoLayout) layout = show_layout_new_lines (GTK_WIDGET (overlay->view), text);
  int width;
  int height;

  pango_layout_get_pixel_size (layout, &width, &height);
  width += 2 * PADDING;
  if (x + GAP + width > frame->right)
    x = fmax (x - GAP - width, frame->left);
  else
    x += GAP;
  if (avoid)
    y = find_room (overlay, x, y, width, height + PADDING);
  gtk_snapshot_append_color (overlay->snapshot, paper, &GRAPHENE_RECT_INIT (x, y, width, height + PADDING));
  gtk_snapshot_save (overlay->snapshot);
  gtk_snapshot_translate (overlay->snapshot, &GRAPHENE_POINT_INIT (x + PADDING, y + PADDING / 2.0));
  gtk_snapshot_append_layout (overlay->snapshot, layout, ink);
  gtk_snapshot_restore (overlay->snapshot);
  return y + height + PADDING;
}

static ChartPalette
palette_of (const Overlay *overlay)
{
  return is_dark (GTK_WIDGET (overlay->view)) ? CHART_DARK : CHART_LIGHT;
}

static void
draw_label (Overlay *overlay, const char *text, double x)
{
  const GdkRGBA paper = rgba_of (chart_paper (palette_of (overlay)), 0.85);
  const GdkRGBA ink = rgba_of (chart_ink (palette_of (overlay)), 1);

  overlay->y = draw_box (overlay, text, x, overlay->y, TRUE, &paper, &ink) + 1;
}

static void
draw_upright (const Overlay *overlay, double x, const GdkRGBA *colour)
{
  const ChartFrame *frame = &overlay->view->frame;

  gtk_snapshot_append_color (overlay->snapshot, colour,
                             &GRAPHENE_RECT_INIT (x, frame->top, 1, frame->bottom - frame->top));
}

/* Draws a vertical line if latencies are on the horizontal axis, else a horizontal one. */
static void
draw_line (Overlay *overlay, const ChartLine *line, const GdkRGBA *colour)
{
  const ChartFrame *frame = &overlay->view->frame;
  gboolean across = chart_has_latencies_across (overlay->view->chart);
  double place = chart_place_of_latency (overlay->view->chart, frame, line->latency_ns);

  if (across && place >= frame->left && place <= frame->right)
    {
      draw_upright (overlay, place, colour);
      draw_label (overlay, line->label, place);
    }
  else if (!across && place >= frame->top && place <= frame->bottom)
    {
      Overlay above = { overlay->view, overlay->snapshot, place + 2 };

      gtk_snapshot_append_color (overlay->snapshot, colour,
                                 &GRAPHENE_RECT_INIT (frame->left, place, frame->right - frame->left, 1));
      draw_label (&above, line->label, frame->left);
    }
}

static void
draw_lines (Overlay *overlay)
{
  const GdkRGBA trigger = rgba_of (chart_rule (palette_of (overlay)), 0.9);
  const GdkRGBA marked = rgba_of (chart_culprit (palette_of (overlay)), 0.9);
  CulpritChartView *view = overlay->view;

  for (guint i = 0; i < view->triggers->len; i++)
    draw_line (overlay, &g_array_index (view->triggers, ChartLine, i), &trigger);
  if (!isnan (view->mark.latency_ns))
    draw_line (overlay, &view->mark, &marked);
}

static void
draw_selection (Overlay *overlay)
{
  const GdkRGBA tint = rgba_of (chart_selection (palette_of (overlay)), 0.28);
  CulpritChartView *view = overlay->view;
  double left;
  double right;

  if (!(view->low < view->high))
    return;
  left = chart_view_clip (view, chart_place_of (view->chart, &view->frame, view->low));
  right = chart_view_clip (view, chart_place_of (view->chart, &view->frame, view->high));
  gtk_snapshot_append_color (
      overlay->snapshot, &tint,
      &GRAPHENE_RECT_INIT (left, view->frame.top, MAX (right - left, 1), view->frame.bottom - view->frame.top));
  if (view->selection_label)
    draw_label (overlay, view->selection_label, left);
}

static void
draw_values (Overlay *overlay, double x)
{
  const GdkRGBA hair = rgba_of (chart_rule (palette_of (overlay)), 0.9);
  const GdkRGBA paper = rgba_of (chart_paper (CHART_DARK), 0.9);
  const GdkRGBA ink = rgba_of (chart_ink (CHART_DARK), 1);
  CulpritChartView *view = overlay->view;
  g_autofree char *text = chart_values_in_words (view->chart, chart_value_at (view->chart, &view->frame, x));

  draw_upright (overlay, x, &hair);
  draw_box (overlay, text, x + GAP, overlay->y + GAP, FALSE, &paper, &ink);
}

static void
chart_view_draw_overlay (CulpritChartView *view, GtkSnapshot *snapshot)
{
  Overlay overlay = { view, snapshot, view->frame.top + GAP };
  double x = view->pointer;

  draw_selection (&overlay);
  draw_lines (&overlay);
  if (isnan (x) && gtk_widget_has_focus (GTK_WIDGET (view)) && !isnan (view->cursor))
    x = chart_place_of (view->chart, &view->frame, view->cursor);
  if (!isnan (x) && x >= view->frame.left && x <= view->frame.right)
    draw_values (&overlay, x);
}

/* Input. */

#define ZOOM_STEP 1.25
#define PAN_STEP 0.1 /* of the visible range */
#define LEAST_DRAG 3 /* pixels; less is a click */

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

/* The value that keys start from: the cursor, or the middle. */
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

/* The peak, or the group of late wake-ups, at @x, @y. */
static gboolean
pick (CulpritChartView *view, double x, double y, ChartBand *band)
{
  return view->chart && chart_pick (view->chart, &view->frame, x, y, band);
}

static void
on_motion (GtkEventControllerMotion *motion, double x, double y, CulpritChartView *view)
{
  ChartBand band;

  view->pointer = x;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (view), pick (view, x, y, &band) ? "pointer" : NULL);
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
  else if (fabs (dx) > LEAST_DRAG)
    culprit_chart_view_select (view, view->anchor,
                               chart_value_at (view->chart, &view->frame, chart_view_clip (view, x + dx)));
}

/* A click, which is a drag that goes nowhere, picks what is there. */
static void
on_drag_end (GtkGestureDrag *drag, double dx, double dy, CulpritChartView *view)
{
  ChartBand band;
  double x;
  double y;

  gtk_gesture_drag_get_start_point (drag, &x, &y);
  if (!view->panning && fabs (dx) <= LEAST_DRAG && fabs (dy) <= LEAST_DRAG &&
      gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (drag)) == GDK_BUTTON_PRIMARY &&
      pick (view, x, y, &band))
    {
      culprit_chart_view_select (view, band.low_ns, band.high_ns);
      g_signal_emit (view, signals[PICKED], 0, band.series);
    }
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

static void
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
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), view);
  g_signal_connect (click, "pressed", G_CALLBACK (on_click), view);
  gtk_widget_add_controller (GTK_WIDGET (view), scroll);
  gtk_widget_add_controller (GTK_WIDGET (view), motion);
  gtk_widget_add_controller (GTK_WIDGET (view), key);
  gtk_widget_add_controller (GTK_WIDGET (view), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (GTK_WIDGET (view), GTK_EVENT_CONTROLLER (click));
}

#define LEAST_WIDTH 280
#define LEAST_HEIGHT 190

G_DEFINE_FINAL_TYPE (CulpritChartView, culprit_chart_view, GTK_TYPE_WIDGET)

/* Drawing. */

static void
draw_chart (CulpritChartView *view, GtkSnapshot *snapshot, int width, int height)
{
  gboolean dark = is_dark (GTK_WIDGET (view));

  if (!view->drawn || view->drawn_width != width || view->drawn_height != height || view->drawn_dark != dark)
    {
      GskRenderNode *node = gsk_cairo_node_new (&GRAPHENE_RECT_INIT (0, 0, width, height));
      cairo_t *cr = gsk_cairo_node_get_draw_context (node);

      view->frame = chart_draw (view->chart, dark ? CHART_DARK : CHART_LIGHT, cr, width, height, view->labels);
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
chart_view_clip (CulpritChartView *view, double x)
{
  return CLAMP (x, view->frame.left, view->frame.right);
}

static void
chart_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  CulpritChartView *view = CULPRIT_CHART_VIEW (widget);

  if (!view->chart)
    return;
  draw_chart (view, snapshot, gtk_widget_get_width (widget), gtk_widget_get_height (widget));
  chart_view_draw_overlay (view, snapshot);
}

/* Describes the chart for screen readers. */
static void
describe (CulpritChartView *view)
{
  g_autofree char *chart = view->chart ? chart_describe (view->chart) : g_strdup ("");
  GString *text = g_string_new (chart);

  if (view->chart && chart_is_zoomed (view->chart))
    g_string_append (text, " Zoomed in.");
  if (view->low < view->high && view->selection_label)
    g_string_append_printf (text, " Selected: %s.", view->selection_label);
  if (!isnan (view->mark.latency_ns))
    g_string_append_printf (text, " Marked: %s.", view->mark.label);
  for (guint i = 0; i < view->triggers->len; i++)
    g_string_append_printf (text, " Marked: %s.", g_array_index (view->triggers, ChartLine, i).label);
  show_to_reader (view, GTK_ACCESSIBLE_PROPERTY_LABEL, view->chart ? chart_title (view->chart) : "");
  show_to_reader (view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text->str);
  g_string_free (text, TRUE);
}

/* The overlay has changed. */
static void
update (CulpritChartView *view)
{
  describe (view);
  gtk_widget_queue_draw (GTK_WIDGET (view));
}

void
culprit_chart_view_select (CulpritChartView *view, double low, double high)
{
  view->low = MIN (low, high);
  view->high = MAX (low, high);
  g_signal_emit (view, signals[RANGE_SELECTED], 0);
  update (view);
}

void
culprit_chart_view_label_selection (CulpritChartView *view, const char *text)
{
  g_free (view->selection_label);
  view->selection_label = g_strdup (text);
  update (view);
}

/* The visible range has changed. */
static void
chart_view_zoomed (CulpritChartView *view)
{
  g_clear_pointer (&view->drawn, gsk_render_node_unref);
  g_signal_emit (view, signals[VIEW_CHANGED], 0);
  update (view);
}

void
culprit_chart_view_zoom_to_selection (CulpritChartView *view)
{
  if (!view->chart || !(view->low < view->high))
    return;
  chart_zoom (view->chart, view->low, view->high);
  chart_view_zoomed (view);
}

static void
culprit_chart_view_reset_zoom (CulpritChartView *view)
{
  if (!view->chart)
    return;
  chart_zoom (view->chart, 0, 0);
  chart_view_zoomed (view);
}

/* The widget. */

static void
chart_view_unroot (GtkWidget *widget)
{
  g_cancellable_cancel (CULPRIT_CHART_VIEW (widget)->making);
  GTK_WIDGET_CLASS (culprit_chart_view_parent_class)->unroot (widget);
}

static void
clear_line (gpointer data)
{
  g_free (((ChartLine *) data)->label);
}

static void
chart_view_finalize (GObject *object)
{
  CulpritChartView *view = CULPRIT_CHART_VIEW (object);

  g_clear_pointer (&view->chart, chart_free);
  g_clear_object (&view->making);
  g_clear_pointer (&view->drawn, gsk_render_node_unref);
  g_array_unref (view->triggers);
  g_array_unref (view->labels);
  g_free (view->mark.label);
  g_free (view->selection_label);
  G_OBJECT_CLASS (culprit_chart_view_parent_class)->finalize (object);
}

static void
culprit_chart_view_class_init (CulpritChartViewClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = chart_view_finalize;
  widget->snapshot = chart_view_snapshot;
  widget->unroot = chart_view_unroot;
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_css_name (widget, "chart");
  signals[RANGE_SELECTED] = signal_new (CULPRIT_TYPE_CHART_VIEW, "range-selected", 0);
  signals[PICKED] = signal_new (CULPRIT_TYPE_CHART_VIEW, "picked", 1, G_TYPE_UINT);
  signals[VIEW_CHANGED] = signal_new (CULPRIT_TYPE_CHART_VIEW, "view-changed", 0);
}

static void
culprit_chart_view_init (CulpritChartView *view)
{
  view->pointer = view->cursor = view->mark.latency_ns = NAN;
  view->triggers = g_array_new (FALSE, FALSE, sizeof (ChartLine));
  view->labels = g_array_new (FALSE, FALSE, sizeof (ChartFrame));
  g_array_set_clear_func (view->triggers, clear_line);
  chart_view_add_input (view);
  gtk_widget_set_focusable (GTK_WIDGET (view), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (view), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (view), TRUE);
  gtk_widget_set_size_request (GTK_WIDGET (view), LEAST_WIDTH, LEAST_HEIGHT);
}

static void
cancel_making (CulpritChartView *view)
{
  g_cancellable_cancel (view->making);
  g_clear_object (&view->making);
}

void
culprit_chart_view_set_chart (CulpritChartView *view, Chart *chart)
{
  g_autoptr (Chart) before = view->chart;
  gboolean same_kind = chart && before && g_str_equal (chart_title (chart), chart_title (before));
  double low;
  double high;

  cancel_making (view);
  view->chart = chart;
  view->cursor = NAN;
  if (same_kind && chart_is_zoomed (before))
    {
      chart_range (before, &low, &high);
      chart_zoom (chart, low, high);
    }
  if (!chart)
    culprit_chart_view_select (view, 0, 0);
  chart_view_zoomed (view);
}

/* Making charts in threads: finding the peaks of large profiles takes a while. */

typedef struct
{
  ChartKind kind;
  GArray *series;
  ChartScale scale;
  gpointer owner;
  GDestroyNotify release;
} Order;

static void
order_free (gpointer data)
{
  Order *order = data;

  g_array_unref (order->series);
  order->release (order->owner);
  g_free (order);
}

static void
make_chart (GTask *task, gpointer view, gpointer data, GCancellable *cancellable)
{
  const Order *order = data;

  g_task_return_pointer (task,
                         chart_new (order->kind, (const ChartSeries *) (gpointer) order->series->data,
                                    order->series->len, CULPRIT_FITS, order->scale),
                         (GDestroyNotify) chart_free);
}

static void
on_made (GObject *view, GAsyncResult *result, gpointer data)
{
  Chart *chart = g_task_propagate_pointer (G_TASK (result), NULL);

  if (chart) /* else cancelled */
    culprit_chart_view_set_chart (CULPRIT_CHART_VIEW (view), chart);
}

void
culprit_chart_view_make (CulpritChartView *view,
                         ChartKind kind,
                         const GArray *series,
                         ChartScale scale,
                         gpointer owner,
                         GDestroyNotify release)
{
  Order *order = g_new (Order, 1);
  g_autoptr (GTask) task = NULL;

  *order = (Order) { kind, g_array_copy ((GArray *) series), scale, owner, release };
  cancel_making (view);
  if (series->len == 0)
    {
      order_free (order);
      culprit_chart_view_set_chart (view, NULL);
      return;
    }
  view->making = g_cancellable_new ();
  task = g_task_new (view, view->making, on_made, NULL);
  g_task_set_task_data (task, order, order_free);
  background_run (task, make_chart);
}

const Chart *
culprit_chart_view_chart (CulpritChartView *view)
{
  return view->chart;
}

gboolean
culprit_chart_view_selection (CulpritChartView *view, double *low, double *high)
{
  *low = view->low;
  *high = view->high;
  return view->chart && view->low < view->high;
}

void
culprit_chart_view_mark (CulpritChartView *view, double latency_ns, const char *label)
{
  g_free (view->mark.label);
  view->mark = (ChartLine) { latency_ns, g_strdup (label) };
  update (view);
}

void
culprit_chart_view_clear_triggers (CulpritChartView *view)
{
  g_array_set_size (view->triggers, 0);
  update (view);
}

void
culprit_chart_view_add_trigger (CulpritChartView *view, double latency_ns, const char *label)
{
  const ChartLine line = { latency_ns, g_strdup (label) };

  g_array_append_val (view->triggers, line);
  update (view);
}

gboolean
culprit_chart_view_export (CulpritChartView *view, const char *heading, const char *path, GError **error)
{
  const char *problem = view->making            ? "the chart is still being made; nothing was exported"
                        : !view->chart          ? "there is no chart to export yet"
                        : !picture_knows (path) ? "the file name must end in .svg or .png"
                                                : NULL;

  if (problem)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s: %s", path, problem);
      return FALSE;
    }
  return picture_write (view->chart, is_dark (GTK_WIDGET (view)) ? CHART_DARK : CHART_LIGHT, heading, path,
                        MAX (gtk_widget_get_width (GTK_WIDGET (view)), LEAST_WIDTH),
                        MAX (gtk_widget_get_height (GTK_WIDGET (view)), LEAST_HEIGHT),
                        MAX (gtk_widget_get_scale_factor (GTK_WIDGET (view)), PICTURE_SCALE), error);
}

/* The tools. Buttons that would change nothing are insensitive. The chosen axis is remembered. */

#define GROUP "charts"
#define KEY "latency-axis"

struct _CulpritChartTools
{
  AdwBin parent;
  CulpritChartView *view;
  ChartScale scale;
  gboolean following; /* The toggle is not changed by the user. */
  GtkWidget *content;
  GtkWidget *logarithmic;
  GtkWidget *zoom_in;
  GtkWidget *reset;
};

G_DEFINE_FINAL_TYPE (CulpritChartTools, culprit_chart_tools, ADW_TYPE_BIN)

static guint scale_chosen;

static void
follow (CulpritChartTools *tools)
{
  const Chart *chart = culprit_chart_view_chart (tools->view);
  double low;
  double high;

  tools->following = TRUE;
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (tools->logarithmic), chart && chart_is_logarithmic (chart));
  tools->following = FALSE;
  gtk_widget_set_sensitive (tools->logarithmic, chart != NULL);
  gtk_widget_set_sensitive (tools->zoom_in, culprit_chart_view_selection (tools->view, &low, &high));
  gtk_widget_set_sensitive (tools->reset, chart && chart_is_zoomed (chart));
}

static void
on_logarithmic (GtkToggleButton *toggle, CulpritChartTools *tools)
{
  if (tools->following)
    return;
  tools->scale = gtk_toggle_button_get_active (toggle) ? CHART_SCALE_LOGARITHMIC : CHART_SCALE_LINEAR;
  state_set_integer (GROUP, KEY, tools->scale);
  g_signal_emit (tools, scale_chosen, 0);
}

static void
on_zoom_in (GtkButton *button, CulpritChartTools *tools)
{
  culprit_chart_view_zoom_to_selection (tools->view);
}

static void
on_reset (GtkButton *button, CulpritChartTools *tools)
{
  culprit_chart_view_reset_zoom (tools->view);
}

ChartScale
culprit_chart_tools_scale (CulpritChartTools *tools)
{
  return tools->scale;
}

/* The widget. */

static void
tools_set_property (GObject *object, guint property, const GValue *value, GParamSpec *spec)
{
  CulpritChartTools *tools = CULPRIT_CHART_TOOLS (object);

  tools->view = g_value_get_object (value);
  g_signal_connect_object (tools->view, "view-changed", G_CALLBACK (follow), tools, G_CONNECT_SWAPPED);
  g_signal_connect_object (tools->view, "range-selected", G_CALLBACK (follow), tools, G_CONNECT_SWAPPED);
  follow (tools);
}

static void
culprit_chart_tools_class_init (CulpritChartToolsClass *class)
{
  G_OBJECT_CLASS (class)->set_property = tools_set_property;
  g_object_class_install_property (
      G_OBJECT_CLASS (class), 1,
      g_param_spec_object ("view", NULL, NULL, CULPRIT_TYPE_CHART_VIEW, G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
  widget_class_set_template (class, "charts/chart-tools.ui");
  widget_class_bind_children (class, CulpritChartTools, logarithmic, zoom_in, reset);
  widget_class_bind_callbacks (class, on_logarithmic, on_zoom_in, on_reset);
  scale_chosen = signal_new (CULPRIT_TYPE_CHART_TOOLS, "scale-chosen", 0);
}

static void
culprit_chart_tools_init (CulpritChartTools *tools)
{
  tools->scale =
      CLAMP (state_integer (GROUP, KEY, CHART_SCALE_AUTOMATIC), CHART_SCALE_AUTOMATIC, CHART_SCALE_LOGARITHMIC);
  gtk_widget_init_template (GTK_WIDGET (tools));
}
