/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The timeline widget: its contents, its render node, its description for screen readers. */
#include "charts/timeline/view-private.h"

#include "charts/dark.h"
#include "names.h"
#include "show.h"

#define DESCRIBE_AFTER_MS 300 /* A screen reader shall not be told of every step of a zoom. */
#define MIN_WIDTH 320
#define MIN_HEIGHT 260 /* ten rows or so, with axis and legend */

enum
{
  SIGNAL_CALL_ACTIVATED,
  SIGNAL_RANGE_CHANGED,
  SIGNAL_RANGE_SELECTED,
  SIGNAL_CALL_CHOSEN,
  SIGNAL_HIGHLIGHTS_CHANGED,
  SIGNAL_WRAPPED,
  SIGNALS,
};

static guint signals[SIGNALS];

G_DEFINE_TYPE (CulpritTimelineView, culprit_timeline_view, GTK_TYPE_WIDGET)

static const CulpritTimelinePlace nowhere = { 0, CULPRIT_TIMELINE_NONE, 0 };

static gboolean
describe_now (gpointer data)
{
  CulpritTimelineView *view = data;
  g_autofree char *text = culprit_timeline_view_describe (view);

  view->describe_source = 0;
  show_to_reader (view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text);
  return G_SOURCE_REMOVE;
}

static void
describe_soon (CulpritTimelineView *view)
{
  if (view->describe_source == 0)
    view->describe_source = g_timeout_add (DESCRIBE_AFTER_MS, describe_now, view);
}

void
view_invalidate (CulpritTimelineView *view)
{
  g_clear_pointer (&view->node, gsk_render_node_unref);
  gtk_widget_queue_draw (GTK_WIDGET (view));
  describe_soon (view);
}

Drawing
view_drawing (CulpritTimelineView *view)
{
  if (!view->labels)
    view->labels = labels_new (GTK_WIDGET (view));
  return (Drawing) { .scene = &view->scene,
                     .palette = timeline_palette_get (is_dark (GTK_WIDGET (view))),
                     .labels = view->labels,
                     .highlights = view->highlights,
                     .tracing = view->tracing,
                     .scale = gtk_widget_get_scale_factor (GTK_WIDGET (view)) };
}

void
view_update_hover (CulpritTimelineView *view)
{
  CulpritTimelinePlace place = nowhere;

  if (!view->timeline || view->overlay.pointer_x < 0 ||
      !scene_hit (&view->scene, view->overlay.pointer_x, view->pointer_y, &place))
    place = nowhere;
  view->overlay.hovered = place;
}

void
view_set_range (CulpritTimelineView *view, double start_ns, double length_ns)
{
  Scene before = view->scene;
  guint64 from_ns;
  guint64 to_ns;

  if (!view->timeline)
    return;
  scene_set_range (&view->scene, start_ns, length_ns);
  if (view->scene.start_ns == before.start_ns && view->scene.length_ns == before.length_ns)
    return;
  view_update_hover (view);
  view_invalidate (view);
  culprit_timeline_view_get_range (view, &from_ns, &to_ns);
  g_signal_emit (view, signals[SIGNAL_RANGE_CHANGED], 0, from_ns, to_ns);
}

void
view_set_scroll (CulpritTimelineView *view, double scroll)
{
  scene_set_scroll (&view->scene, scroll);
  view_update_hover (view);
  view_invalidate (view);
}

void
view_zoom (CulpritTimelineView *view, double x, double factor)
{
  double part = (x - SCENE_GUTTER) / scene_plot_width (&view->scene);
  double at_ns;
  double length_ns;

  if (!view->timeline)
    return;
  part = CLAMP (part, 0, 1);
  at_ns = view->scene.start_ns + part * view->scene.length_ns;
  length_ns = MAX (view->scene.length_ns * factor, SCENE_MIN_LENGTH_NS);
  view_set_range (view, at_ns - part * length_ns, length_ns);
}

/* Unfolds and scrolls so far that the row of @lane is seen. */
static void
show_lane (CulpritTimelineView *view, guint lane)
{
  double y;

  if (scene_is_hidden (&view->scene, lane))
    view_fold (view, culprit_timeline_lane_cpu (view->timeline, lane));
  y = scene_lane_y (&view->scene, lane);
  if (y < SCENE_AXIS)
    view_set_scroll (view, view->scene.scroll - (SCENE_AXIS - y) - SCENE_ROW);
  else if (y + SCENE_ROW > scene_bottom (&view->scene))
    view_set_scroll (view, view->scene.scroll + y + 2 * SCENE_ROW - scene_bottom (&view->scene));
}

void
view_choose (CulpritTimelineView *view, CulpritTimelinePlace place)
{
  view->overlay.focused = place;
  gtk_widget_queue_draw (GTK_WIDGET (view));
  describe_soon (view);
  g_signal_emit (view, signals[SIGNAL_CALL_CHOSEN], 0);
}

void
view_tell_wrapped (CulpritTimelineView *view, gboolean forward)
{
  g_signal_emit (view, signals[SIGNAL_WRAPPED], 0, forward);
}

void
view_highlights_changed (CulpritTimelineView *view)
{
  view_invalidate (view);
  g_signal_emit (view, signals[SIGNAL_HIGHLIGHTS_CHANGED], 0);
}

void
view_focus (CulpritTimelineView *view, CulpritTimelinePlace place)
{
  double from_first_ns;

  view_choose (view, place);
  if (place.span == CULPRIT_TIMELINE_NONE)
    return;
  from_first_ns = place.start_ns - view->timeline->first_ns;
  if (from_first_ns < view->scene.start_ns || from_first_ns > view->scene.start_ns + view->scene.length_ns)
    view_set_range (view, from_first_ns - view->scene.length_ns / 2, view->scene.length_ns);
  show_lane (view, place.lane);
}

void
view_activate (CulpritTimelineView *view, CulpritTimelinePlace place)
{
  CulpritTimelineCall call;
  g_autofree char *key = NULL;
  double length_ns;

  if (place.span == CULPRIT_TIMELINE_NONE)
    return;
  culprit_timeline_describe (view->timeline, place.lane, place.span, &call);
  length_ns = MAX (call.span_end_ns - call.span_start_ns, 1);
  view_choose (view, place);
  view_set_range (view, (double) (call.span_start_ns - view->timeline->first_ns) - length_ns / 10, length_ns * 1.2);
  show_lane (view, place.lane);
  if (call.depth < 0)
    return;
  key = culprit_function_key (call.name, call.module, call.ordinal);
  g_signal_emit (view, signals[SIGNAL_CALL_ACTIVATED], 0, key);
}

void
view_select (CulpritTimelineView *view, guint64 start_ns, guint64 end_ns)
{
  view->overlay.select_start_ns = start_ns;
  view->overlay.select_end_ns = end_ns;
  gtk_widget_queue_draw (GTK_WIDGET (view));
  describe_soon (view);
  g_signal_emit (view, signals[SIGNAL_RANGE_SELECTED], 0, start_ns < end_ns ? start_ns : 0,
                 start_ns < end_ns ? end_ns : 0);
}

static void
snapshot (GtkWidget *widget, GtkSnapshot *into)
{
  CulpritTimelineView *view = CULPRIT_TIMELINE_VIEW (widget);
  Drawing drawing = view_drawing (view);
  Brush over = { .snapshot = into };

  if (!view->node)
    {
      Brush brush = { .snapshot = gtk_snapshot_new () };

      draw_timeline (&drawing, &brush);
      view->node = gtk_snapshot_free_to_node (brush.snapshot);
    }
  if (view->node)
    gtk_snapshot_append_node (into, view->node);
  view->overlay.is_focus_shown = gtk_widget_has_visible_focus (widget);
  draw_overlay (&drawing, &view->overlay, &over);
}

static void
fit_legend (CulpritTimelineView *view)
{
  Drawing drawing = view_drawing (view);

  view->scene.foot = frame_legend_height (&drawing);
  view_set_scroll (view, view->scene.scroll);
}

static void
size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  CulpritTimelineView *view = CULPRIT_TIMELINE_VIEW (widget);

  view->scene.width = width;
  view->scene.height = height;
  fit_legend (view);
}

static void
measure (GtkWidget *widget,
         GtkOrientation orientation,
         int for_size,
         int *minimum,
         int *natural,
         int *minimum_baseline,
         int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? MIN_WIDTH : MIN_HEIGHT;
  *natural = 2 * *minimum;
}

static void
css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  CulpritTimelineView *view = CULPRIT_TIMELINE_VIEW (widget);

  GTK_WIDGET_CLASS (culprit_timeline_view_parent_class)->css_changed (widget, change);
  g_clear_pointer (&view->labels, labels_free);
  fit_legend (view);
  if (view->dark == is_dark (widget))
    return;
  view->dark = !view->dark;
  view_highlights_changed (view);
}

/* No style of GTK's changes with the focus, so GTK draws nothing anew. */
static void
state_flags_changed (GtkWidget *widget, GtkStateFlags before)
{
  gtk_widget_queue_draw (widget);
}

static gboolean
query_tooltip (GtkWidget *widget, int x, int y, gboolean by_keyboard, GtkTooltip *tooltip)
{
  CulpritTimelineView *view = CULPRIT_TIMELINE_VIEW (widget);
  CulpritTimelinePlace place = view->overlay.focused;
  g_autofree char *text = NULL;
  guint cpu;

  if (!view->timeline)
    return FALSE;
  if (!by_keyboard && scene_find_name (&view->scene, x, y, &cpu))
    {
      show_tip (tooltip, scene_is_folded (&view->scene, cpu) ? "Show all rows (F)" : "Show one row (F)");
      return TRUE;
    }
  if ((!by_keyboard && !scene_hit (&view->scene, x, y, &place)) || place.span == CULPRIT_TIMELINE_NONE)
    return FALSE;
  text = view_tell_place (view, &place);
  gtk_tooltip_set_markup (tooltip, text);
  return TRUE;
}

static void
dispose (GObject *object)
{
  CulpritTimelineView *view = CULPRIT_TIMELINE_VIEW (object);

  g_clear_handle_id (&view->describe_source, g_source_remove);
  g_clear_pointer (&view->node, gsk_render_node_unref);
  g_clear_pointer (&view->labels, labels_free);
  g_clear_pointer (&view->timeline, culprit_timeline_unref);
  view->scene.timeline = NULL;
  G_OBJECT_CLASS (culprit_timeline_view_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  highlights_free (CULPRIT_TIMELINE_VIEW (object)->highlights);
  g_byte_array_unref (CULPRIT_TIMELINE_VIEW (object)->folded);
  G_OBJECT_CLASS (culprit_timeline_view_parent_class)->finalize (object);
}

static void
culprit_timeline_view_class_init (CulpritTimelineViewClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);
  GType type = G_TYPE_FROM_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = dispose;
  G_OBJECT_CLASS (class)->finalize = finalize;
  widget->snapshot = snapshot;
  widget->size_allocate = size_allocate;
  widget->measure = measure;
  widget->css_changed = css_changed;
  widget->state_flags_changed = state_flags_changed;
  widget->query_tooltip = query_tooltip;
  gtk_widget_class_set_css_name (widget, "timeline");
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
  signals[SIGNAL_CALL_ACTIVATED] =
      g_signal_new ("call-activated", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[SIGNAL_RANGE_CHANGED] = g_signal_new ("range-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                                G_TYPE_NONE, 2, G_TYPE_UINT64, G_TYPE_UINT64);
  signals[SIGNAL_RANGE_SELECTED] = g_signal_new ("range-selected", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                                 G_TYPE_NONE, 2, G_TYPE_UINT64, G_TYPE_UINT64);
  signals[SIGNAL_CALL_CHOSEN] =
      g_signal_new ("call-chosen", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_HIGHLIGHTS_CHANGED] =
      g_signal_new ("highlights-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_WRAPPED] =
      g_signal_new ("wrapped", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
}

static void
culprit_timeline_view_init (CulpritTimelineView *view)
{
  GtkWidget *widget = GTK_WIDGET (view);

  view->tracing = TRUE;
  view->highlights = highlights_new ();
  view->folded = g_byte_array_new ();
  view->overlay = (Overlay) { .pointer_x = -1, .hovered = nowhere, .focused = nowhere };
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_has_tooltip (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, "Timeline", -1);
  g_signal_connect (view, "notify::scale-factor", G_CALLBACK (view_invalidate), NULL);
  view_add_input (view);
}

GtkWidget *
culprit_timeline_view_new (void)
{
  return g_object_new (CULPRIT_TYPE_TIMELINE_VIEW, NULL);
}
