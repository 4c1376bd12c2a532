/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The timeline widget: folding, highlights, drawing, descriptions for screen readers, pointer and keyboard, export. */
#include "charts/timeline/view.h"

#include "capture/capture.h"
#include "chart/picture.h"
#include "names.h"
#include "show.h"
#include "units.h"
#include "widgets.h"

#include <math.h>

struct _CulpritTimelineView
{
  GtkWidget parent_instance;
  CulpritTimeline *timeline;
  Scene scene;
  Labels *labels;
  Highlights *highlights;
  GByteArray *folded; /* by CPU number, for all timelines shown so far */
  GArray *above;      /* of guint: see Scene */
  gboolean tracing;
  gboolean showing_function; /* as soon as there is a size */
  gboolean dark;             /* as of the last "highlights-changed" */
  GskRenderNode *node;       /* everything but the overlay; NULL: must be drawn again */
  Overlay overlay;
  double pointer_y;
  Scene drag_start; /* The scene when dragging began. */
  gboolean drag_selects;
  gboolean dragged; /* The pointer has moved since the press. */
  double drag_x;
  guint describe_source;
};

/* Where Shift and an arrow move the focus: to the neighbours in the row, the caller, the first callee. */
typedef enum
{
  STEP_BEFORE,
  STEP_AFTER,
  STEP_CALLER,
  STEP_CALLEE,
} ViewStep;

#define DESCRIBE_AFTER_MS 300 /* so that a screen reader does not announce every step of a zoom */
#define MIN_WIDTH 320
#define MIN_HEIGHT 260 /* ten rows or so, with axis and legend */

enum
{
  SIGNAL_CALL_ACTIVATED,
  SIGNAL_RANGE_CHANGED,
  SIGNAL_RANGE_SELECTED,
  SIGNAL_CALL_CHOSEN,
  SIGNAL_HIGHLIGHTS_CHANGED,
  SIGNAL_SILENCE_MISSED,
  SIGNAL_WRAPPED,
  SIGNALS,
};

static guint signals[SIGNALS];

G_DEFINE_TYPE (CulpritTimelineView, culprit_timeline_view, GTK_TYPE_WIDGET)

static const CulpritTimelinePlace nowhere = { 0, CULPRIT_TIMELINE_NONE, 0 };

static void view_set_scroll (CulpritTimelineView *view, double scroll);
static void view_highlights_changed (CulpritTimelineView *view);
static void view_focus (CulpritTimelineView *view, CulpritTimelinePlace place);
static void view_add_input (CulpritTimelineView *view);

/* Folding a CPU to its row of tasks. Folded CPUs are remembered by number, for all captures. */

static const CulpritTimelineCpu *
cpu_at (CulpritTimelineView *view, guint cpu)
{
  return &g_array_index (view->timeline->cpus, CulpritTimelineCpu, cpu);
}

static void
view_count_above (CulpritTimelineView *view)
{
  view->scene.folded = view->folded->data;
  scene_count_above (&view->scene, view->above);
  view->scene.above = (const guint *) (gpointer) view->above->data;
}

/* Makes room in @folded for the CPUs of a new timeline, unfolded. */
static void
view_extend_folded (CulpritTimelineView *view)
{
  guint known = view->folded->len;

  for (guint i = 0; view->timeline && i < view->timeline->cpus->len; i++)
    if (cpu_at (view, i)->cpu >= view->folded->len)
      g_byte_array_set_size (view->folded, cpu_at (view, i)->cpu + 1);
  for (guint i = known; i < view->folded->len; i++)
    view->folded->data[i] = FALSE;
  view_count_above (view);
}

/* Folds or unfolds @cpu, an index into the timeline's CPUs. */
static void
view_fold (CulpritTimelineView *view, guint cpu)
{
  guint8 *folded = &view->folded->data[cpu_at (view, cpu)->cpu];

  *folded = !*folded;
  view_count_above (view);
  view_set_scroll (view, view->scene.scroll);
}

/* The CPU of the chosen call, else the one below the pointer, else the first visible one. */
static guint
view_find_cpu (CulpritTimelineView *view)
{
  guint lane = 0;

  if (view->overlay.focused.span != CULPRIT_TIMELINE_NONE)
    lane = view->overlay.focused.lane;
  else if (!scene_find_lane (&view->scene, view->pointer_y, &lane))
    scene_find_lane (&view->scene, scene_top (&view->scene), &lane);
  return culprit_timeline_lane_cpu (view->timeline, lane);
}

/* Highlights, and moving from match to match. */

void
culprit_timeline_view_set_function (CulpritTimelineView *view, const char *key)
{
  g_return_if_fail (CULPRIT_IS_TIMELINE_VIEW (view));
  highlights_set (view->highlights, HIGHLIGHT_FUNCTION, key, view->timeline);
  view_highlights_changed (view);
}

guint64
culprit_timeline_view_set_search (CulpritTimelineView *view, const char *text)
{
  int place;

  g_return_val_if_fail (CULPRIT_IS_TIMELINE_VIEW (view), 0);
  highlights_set (view->highlights, HIGHLIGHT_SEARCH, text, view->timeline);
  view_highlights_changed (view);
  place = highlights_find (view->highlights, HIGHLIGHT_SEARCH);
  if (place < 0 || !view->timeline)
    return 0;
  return culprit_timeline_matches_calls (highlights_at (view->highlights, place)->matches);
}

gboolean
culprit_timeline_view_can_keep_search (CulpritTimelineView *view)
{
  g_return_val_if_fail (CULPRIT_IS_TIMELINE_VIEW (view), FALSE);
  return highlights_can_keep (view->highlights);
}

void
culprit_timeline_view_keep_search (CulpritTimelineView *view)
{
  g_return_if_fail (CULPRIT_IS_TIMELINE_VIEW (view));
  if (!highlights_can_keep (view->highlights))
    return;
  highlights_at (view->highlights, highlights_find (view->highlights, HIGHLIGHT_SEARCH))->role = HIGHLIGHT_KEPT;
  view_highlights_changed (view);
}

guint
culprit_timeline_view_count_highlights (CulpritTimelineView *view)
{
  g_return_val_if_fail (CULPRIT_IS_TIMELINE_VIEW (view), 0);
  return view->highlights->all->len;
}

CulpritTimelineHighlight
culprit_timeline_view_get_highlight (CulpritTimelineView *view, guint index)
{
  const Highlight *highlight = highlights_at (view->highlights, index);
  const TimelinePalette *palette = timeline_palette_get (is_dark (GTK_WIDGET (view)));

  return (CulpritTimelineHighlight) { .text = highlight->text,
                                      .is_function = highlight->role == HIGHLIGHT_FUNCTION,
                                      .is_search = highlight->role == HIGHLIGHT_SEARCH,
                                      .is_current = index == view->highlights->current,
                                      .colour = palette->highlights[highlight->colour] };
}

void
culprit_timeline_view_remove_highlight (CulpritTimelineView *view, guint index)
{
  g_return_if_fail (CULPRIT_IS_TIMELINE_VIEW (view) && index < view->highlights->all->len);
  highlights_remove (view->highlights, index);
  view_highlights_changed (view);
}

void
culprit_timeline_view_set_current_highlight (CulpritTimelineView *view, guint index)
{
  g_return_if_fail (CULPRIT_IS_TIMELINE_VIEW (view) && index < view->highlights->all->len);
  view->highlights->current = index;
  view_highlights_changed (view);
}

gboolean
culprit_timeline_view_get_match (CulpritTimelineView *view, guint64 *rank, guint64 *calls)
{
  const Highlight *current;

  g_return_val_if_fail (CULPRIT_IS_TIMELINE_VIEW (view), FALSE);
  current = highlights_current (view->highlights);
  if (!current || !current->matches)
    return FALSE;
  *rank = culprit_timeline_matches_rank (current->matches, view->overlay.focused);
  *calls = culprit_timeline_matches_calls (current->matches);
  return TRUE;
}

typedef CulpritTimelinePlace (*Step) (const CulpritTimelineMatches *, CulpritTimelinePlace);

/* Moves one @step from the focused call or the middle of the view; past the end, starts over from @far. */
static gboolean
go (CulpritTimelineView *view, Step step, CulpritTimelinePlace far)
{
  const Highlight *current = highlights_current (view->highlights);
  CulpritTimelinePlace place = view->overlay.focused;
  gboolean wraps;

  if (!current || !current->matches)
    return FALSE;
  if (place.span == CULPRIT_TIMELINE_NONE)
    place.start_ns = view->timeline->first_ns + view->scene.start_ns + view->scene.length_ns / 2;
  place = step (current->matches, place);
  wraps = place.span == CULPRIT_TIMELINE_NONE;
  if (wraps)
    place = step (current->matches, far);
  if (place.span == CULPRIT_TIMELINE_NONE)
    return FALSE;
  view_focus (view, place);
  if (wraps)
    g_signal_emit (view, signals[SIGNAL_WRAPPED], 0, far.start_ns == 0);
  return TRUE;
}

gboolean
culprit_timeline_view_next_match (CulpritTimelineView *view)
{
  g_return_val_if_fail (CULPRIT_IS_TIMELINE_VIEW (view), FALSE);
  return go (view, culprit_timeline_matches_next, nowhere);
}

gboolean
culprit_timeline_view_previous_match (CulpritTimelineView *view)
{
  g_return_val_if_fail (CULPRIT_IS_TIMELINE_VIEW (view), FALSE);
  return go (view, culprit_timeline_matches_previous,
             (CulpritTimelinePlace) { G_MAXUINT, CULPRIT_TIMELINE_NONE, G_MAXUINT64 });
}

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

/* Redraws everything, not only the overlay. */
static void
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

static void
view_update_hover (CulpritTimelineView *view)
{
  CulpritTimelinePlace place = nowhere;

  if (!view->timeline || view->overlay.pointer_x < 0 ||
      !scene_hit (&view->scene, view->overlay.pointer_x, view->pointer_y, &place))
    place = nowhere;
  view->overlay.hovered = place;
}

/* Shows @length_ns from @start_ns after the first event. */
static void
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

static void
view_set_scroll (CulpritTimelineView *view, double scroll)
{
  scene_set_scroll (&view->scene, scroll);
  view_update_hover (view);
  view_invalidate (view);
}

/* Makes the visible range @factor times as long, leaving the time at @x where it is. */
static void
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

/* Unfolds and scrolls until the row of @lane is visible. */
static void
show_lane (CulpritTimelineView *view, guint lane)
{
  double y;

  if (scene_is_hidden (&view->scene, lane))
    view_fold (view, culprit_timeline_lane_cpu (view->timeline, lane));
  y = scene_lane_y (&view->scene, lane);
  if (y < scene_top (&view->scene))
    view_set_scroll (view, view->scene.scroll - (scene_top (&view->scene) - y) - SCENE_ROW);
  else if (y + SCENE_ROW > scene_bottom (&view->scene))
    view_set_scroll (view, view->scene.scroll + y + 2 * SCENE_ROW - scene_bottom (&view->scene));
}

/* Chooses the span at @place, or none, without scrolling to it. */
static void
view_choose (CulpritTimelineView *view, CulpritTimelinePlace place)
{
  view->overlay.focused = place;
  gtk_widget_queue_draw (GTK_WIDGET (view));
  describe_soon (view);
  g_signal_emit (view, signals[SIGNAL_CALL_CHOSEN], 0);
}

static void
view_highlights_changed (CulpritTimelineView *view)
{
  view_invalidate (view);
  g_signal_emit (view, signals[SIGNAL_HIGHLIGHTS_CHANGED], 0);
}

/* Chooses the span at @place and brings it into view. */
static void
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

/* Zooms to the span at @place and announces its function. */
static void
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
  if (view->showing_function)
    culprit_timeline_view_show_function (view);
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

/* The focus changes no GTK style, so GTK would not redraw. */
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
  const CulpritTimelineStay *stay = by_keyboard ? NULL : scene_find_stay (&view->scene, x, y);
  g_autofree char *text = NULL;
  guint cpu;

  if (!view->timeline)
    return FALSE;
  if (stay)
    {
      text = view_describe_stay (view, stay);
      show_tip (tooltip, text);
      return TRUE;
    }
  if (!by_keyboard && scene_find_name (&view->scene, x, y, &cpu))
    {
      show_tip (tooltip, scene_is_folded (&view->scene, cpu) ? "Show all rows (F)" : "Show one row (F)");
      return TRUE;
    }
  if ((!by_keyboard && !scene_hit (&view->scene, x, y, &place)) || place.span == CULPRIT_TIMELINE_NONE)
    return FALSE;
  text = view_describe_place (view, &place);
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
  g_array_unref (CULPRIT_TIMELINE_VIEW (object)->above);
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
  signals[SIGNAL_SILENCE_MISSED] =
      g_signal_new ("silence-missed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
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
  view->above = g_array_new (FALSE, FALSE, sizeof (guint));
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

const Scene *
view_scene (const CulpritTimelineView *view)
{
  return &view->scene;
}

/* What is shown. */

void
culprit_timeline_view_set_timeline (CulpritTimelineView *view, CulpritTimeline *timeline)
{
  g_return_if_fail (CULPRIT_IS_TIMELINE_VIEW (view));
  if (timeline)
    culprit_timeline_ref (timeline);
  highlights_match (view->highlights, timeline);
  g_clear_pointer (&view->timeline, culprit_timeline_unref);
  view->timeline = timeline;
  view->scene.timeline = timeline;
  view_extend_folded (view);
  fit_legend (view);
  view->scene.start_ns = view->scene.length_ns = view->scene.scroll = 0;
  view->overlay.focused.span = view->overlay.hovered.span = CULPRIT_TIMELINE_NONE;
  view->overlay.markers_ns[0] = view->overlay.markers_ns[1] = 0;
  view_select (view, 0, 0);
  view_choose (view, view->overlay.focused);
  view_highlights_changed (view);
  if (timeline && !culprit_timeline_view_zoom_to_window (view))
    culprit_timeline_view_zoom_to_all (view);
}

CulpritTimeline *
culprit_timeline_view_get_timeline (CulpritTimelineView *view)
{
  g_return_val_if_fail (CULPRIT_IS_TIMELINE_VIEW (view), NULL);
  return view->timeline;
}

void
culprit_timeline_view_zoom_to (CulpritTimelineView *view, guint64 start_ns, guint64 end_ns)
{
  double from_first_ns;

  g_return_if_fail (CULPRIT_IS_TIMELINE_VIEW (view));
  if (!view->timeline || end_ns <= start_ns)
    return;
  from_first_ns = (double) (gint64) (start_ns - view->timeline->first_ns);
  view_set_range (view, from_first_ns, end_ns - start_ns);
}

void
culprit_timeline_view_zoom_to_silence (CulpritTimelineView *view)
{
  const CulpritTimelineSilence *longest;
  CulpritTimelinePlace place = nowhere;
  double length_ns;

  g_return_if_fail (CULPRIT_IS_TIMELINE_VIEW (view));
  longest = view->timeline ? culprit_timeline_longest_silence (view->timeline) : NULL;
  if (!longest)
    {
      g_signal_emit (view, signals[SIGNAL_SILENCE_MISSED], 0);
      return;
    }
  length_ns = longest->end_ns - longest->start_ns;
  view_set_range (view, (double) (longest->start_ns - view->timeline->first_ns) - length_ns / 4, length_ns * 1.5);
  place = (CulpritTimelinePlace) { longest->lane,
                                   culprit_timeline_hit (view->timeline, longest->lane, longest->start_ns, 0),
                                   longest->start_ns };
  view_focus (view, place);
}

gboolean
culprit_timeline_view_zoom_to_window (CulpritTimelineView *view)
{
  const CulpritWindow *outlier;
  double length_ns;

  g_return_val_if_fail (CULPRIT_IS_TIMELINE_VIEW (view), FALSE);
  outlier = view->timeline ? culprit_capture_outlier (view->timeline->capture) : NULL;
  if (!outlier)
    return FALSE;
  length_ns = culprit_window_latency_ns (outlier);
  view_set_range (view, (double) (outlier->start_ns - view->timeline->first_ns) - length_ns, 3 * length_ns);
  return TRUE;
}

void
culprit_timeline_view_show_function (CulpritTimelineView *view)
{
  const CulpritWindow *outlier = view->timeline ? culprit_capture_outlier (view->timeline->capture) : NULL;
  int index = highlights_find (view->highlights, HIGHLIGHT_FUNCTION);
  const CulpritTimelineMatches *matches = index >= 0 ? highlights_at (view->highlights, index)->matches : NULL;
  CulpritTimelinePlace place;

  view->showing_function = view->scene.height == 0;
  if (view->showing_function || !outlier || !matches)
    return;
  place = culprit_timeline_matches_next (matches, (CulpritTimelinePlace) { .start_ns = outlier->start_ns });
  if (place.span == CULPRIT_TIMELINE_NONE || place.start_ns >= outlier->end_ns)
    place = culprit_timeline_matches_previous (matches, (CulpritTimelinePlace) { .start_ns = outlier->start_ns });
  if (place.span != CULPRIT_TIMELINE_NONE)
    show_lane (view, place.lane);
}

void
culprit_timeline_view_zoom_to_all (CulpritTimelineView *view)
{
  g_return_if_fail (CULPRIT_IS_TIMELINE_VIEW (view));
  view_set_range (view, 0, (double) G_MAXINT64);
}

gboolean
culprit_timeline_view_get_range (CulpritTimelineView *view, guint64 *start_ns, guint64 *end_ns)
{
  g_return_val_if_fail (CULPRIT_IS_TIMELINE_VIEW (view), FALSE);
  if (!view->timeline)
    return FALSE;
  *start_ns = view->timeline->first_ns + (guint64) view->scene.start_ns;
  *end_ns = view->timeline->first_ns + (guint64) (view->scene.start_ns + view->scene.length_ns);
  return TRUE;
}

gboolean
culprit_timeline_view_get_selection (CulpritTimelineView *view, guint64 *start_ns, guint64 *end_ns)
{
  g_return_val_if_fail (CULPRIT_IS_TIMELINE_VIEW (view), FALSE);
  *start_ns = view->overlay.select_start_ns;
  *end_ns = view->overlay.select_end_ns;
  return *start_ns < *end_ns;
}

void
culprit_timeline_view_set_tracing (CulpritTimelineView *view, gboolean shown)
{
  g_return_if_fail (CULPRIT_IS_TIMELINE_VIEW (view));
  view->tracing = shown;
  view_invalidate (view);
}

gboolean
culprit_timeline_view_get_chosen (CulpritTimelineView *view, CulpritTimelinePlace *place)
{
  g_return_val_if_fail (CULPRIT_IS_TIMELINE_VIEW (view), FALSE);
  *place = view->overlay.focused;
  return view->timeline && place->span != CULPRIT_TIMELINE_NONE;
}

void
culprit_timeline_view_choose (CulpritTimelineView *view, CulpritTimelinePlace place)
{
  g_return_if_fail (CULPRIT_IS_TIMELINE_VIEW (view));
  view_focus (view, place);
}

/* The view in words. */

static void
add_time (GString *text, const char *before, gint64 time_ns, const char *after)
{
  g_autofree char *time = culprit_time_format (time_ns);

  g_string_append_printf (text, "%s%s%s", before, time, after);
}

/* Adds @at_ns relative to the zero of the axis. */
static void
add_instant (GString *text, const CulpritTimeline *timeline, guint64 at_ns)
{
  gint64 from_zero_ns = at_ns - scene_zero_ns (timeline);

  add_time (text, "", ABS (from_zero_ns), from_zero_ns < 0 ? " before" : " after");
  g_string_append (text, !culprit_capture_outlier (timeline->capture)              ? " the first event"
                         : culprit_windows_end_awake (timeline->capture->measured) ? " the expected wake-up"
                                                                                   : " the late window begins");
}

char *
culprit_timeline_view_describe_markers (CulpritTimelineView *view)
{
  const guint64 *markers_ns = view->overlay.markers_ns;
  GString *text;

  if (!view->timeline || (!markers_ns[0] && !markers_ns[1]))
    return NULL;
  text = g_string_new (markers_ns[0] ? "Marker 1" : "Marker 2");
  if (markers_ns[0] && markers_ns[1])
    {
      gboolean forward = markers_ns[1] >= markers_ns[0];

      g_string_assign (text, "Marker 2");
      add_time (text, " ", forward ? markers_ns[1] - markers_ns[0] : markers_ns[0] - markers_ns[1],
                forward ? " after marker 1" : " before marker 1");
      return g_string_free (text, FALSE);
    }
  g_string_append (text, " ");
  add_instant (text, view->timeline, markers_ns[0] ? markers_ns[0] : markers_ns[1]);
  return g_string_free (text, FALSE);
}

char *
culprit_timeline_view_describe_selection (CulpritTimelineView *view)
{
  GString *text;
  guint64 start_ns;
  guint64 end_ns;
  guint64 calls;

  if (!culprit_timeline_view_get_selection (view, &start_ns, &end_ns))
    return NULL;
  text = g_string_new ("Measured ");
  calls = culprit_timeline_count (view->timeline, start_ns, end_ns);
  add_time (text, "", end_ns - start_ns, " from ");
  add_instant (text, view->timeline, start_ns);
  g_string_append_printf (text, ", %" G_GUINT64_FORMAT " call%s", calls, culprit_plural (calls));
  return g_string_free (text, FALSE);
}

static void
add_durations (GString *text, const CulpritTimelineCall *call)
{
  add_time (text, "\n", call->end_ns - call->start_ns, "");
  add_time (text, call->depth < 0 ? " on the CPU, " : ", own time ", call->self_ns,
            call->depth < 0 ? " outside any call" : "");
  if (call->tracing_ns > 0)
    add_time (text, ", of which ", call->tracing_ns, " is the tracer\xe2\x80\x99s");
  if (call->off_cpu_ns > 0)
    add_time (text, "\noff the CPU for ", call->off_cpu_ns, "");
  if (call->spans > 1)
    g_string_append_printf (text, "\nin %u parts, this one", call->spans);
  if (call->spans > 1)
    add_time (text, " ", call->span_end_ns - call->span_start_ns, "");
}

static void
add_marks (GString *text, guint marks)
{
  if (marks & CULPRIT_SPAN_HEAD)
    g_string_append (text, "\nentry not captured");
  if (marks & CULPRIT_SPAN_CUT)
    g_string_append (text, "\nexit not captured");
}

static void
add_caller (GString *text, const CulpritTimeline *timeline, const CulpritTimelinePlace *place)
{
  guint32 caller = culprit_timeline_caller (timeline, place->lane, place->span);
  CulpritTimelineCall call;
  g_autofree char *name = NULL;

  if (caller == CULPRIT_TIMELINE_NONE)
    return;
  culprit_timeline_describe (timeline, place->lane - 1, caller, &call);
  if (call.depth < 0)
    return;
  name = shown_escaped (call.name);
  g_string_append_printf (text, "\ncalled from %s", name);
}

char *
view_describe_place (CulpritTimelineView *view, const CulpritTimelinePlace *place)
{
  GString *text = g_string_new (NULL);
  CulpritTimelineCall call;
  g_autofree char *name = NULL;
  g_autofree char *module = NULL;
  g_autofree char *comm = NULL;

  culprit_timeline_describe (view->timeline, place->lane, place->span, &call);
  name = shown_escaped (call.depth < 0 && !*call.name ? "task" : call.name);
  module = shown_escaped (call.module);
  comm = shown_escaped (call.comm);
  g_string_append_printf (text, "<b>%s</b>", name);
  if (*module)
    g_string_append_printf (text, " [%s]", module);
  add_durations (text, &call);
  g_string_append_printf (text, "\n%s, CPU %u", culprit_context_words[call.context].title, call.cpu);
  if (call.pid != 0)
    g_string_append_printf (text, ", %s-%d", *comm ? comm : "task", call.pid);
  add_caller (text, view->timeline, place);
  add_marks (text, call.marks);
  g_string_append (text, "\nfrom ");
  add_instant (text, view->timeline, call.start_ns);
  return g_string_free (text, FALSE);
}

char *
view_describe_stay (CulpritTimelineView *view, const CulpritTimelineStay *stay)
{
  g_autofree char *words = culprit_timeline_stay_in_words (stay);
  GString *text = g_string_new (view->timeline->measured);

  g_string_append_printf (text, "\n%s", words);
  add_time (text, " for ", stay->end_ns - stay->start_ns, "\nfrom ");
  add_instant (text, view->timeline, stay->start_ns);
  return g_string_free (text, FALSE);
}

char *
culprit_timeline_view_describe_chosen (CulpritTimelineView *view)
{
  CulpritTimelinePlace place;
  CulpritTimelineCall call;
  GString *text;

  if (!culprit_timeline_view_get_chosen (view, &place))
    return NULL;
  text = g_string_new (NULL);
  culprit_timeline_describe (view->timeline, place.lane, place.span, &call);
  g_string_append_printf (text, "%s, %s, CPU %u", call.name, culprit_context_words[call.context].title, call.cpu);
  add_time (text, ", ", call.end_ns - call.start_ns, "");
  add_time (text, ", own time ", call.self_ns, "");
  return g_string_free (text, FALSE);
}

static void
add_folded (GString *text, CulpritTimelineView *view)
{
  for (guint i = 0; i < view->timeline->cpus->len; i++)
    if (scene_is_folded (&view->scene, i))
      g_string_append_printf (text, " CPU %u is folded.",
                              g_array_index (view->timeline->cpus, CulpritTimelineCpu, i).cpu);
}

static void
add_highlights (GString *text, CulpritTimelineView *view)
{
  guint64 rank;
  guint64 calls;

  for (guint i = 0; i < view->highlights->all->len; i++)
    {
      const Highlight *highlight = highlights_at (view->highlights, i);
      gboolean is_function = highlight->role == HIGHLIGHT_FUNCTION;

      calls = culprit_timeline_matches_calls (highlight->matches);
      if (is_function)
        g_string_append_printf (text, " Highlighted: %s, %" G_GUINT64_FORMAT " call%s.", highlight->text, calls,
                                culprit_plural (calls));
      else
        g_string_append_printf (text, " %" G_GUINT64_FORMAT " call%s \xe2\x80\x9c%s\xe2\x80\x9d.", calls,
                                calls == 1 ? " matches" : "s match", highlight->text);
    }
  if (culprit_timeline_view_get_match (view, &rank, &calls) && rank > 0)
    g_string_append_printf (text, " Match %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT ".", rank, calls);
}

static void
add_silence (GString *text, const CulpritTimeline *timeline)
{
  const CulpritTimelineSilence *longest = culprit_timeline_longest_silence (timeline);

  if (!longest)
    return;
  add_time (text, " Nothing was traced for ", longest->end_ns - longest->start_ns, "");
  g_string_append_printf (text, " on CPU %u, from ",
                          g_array_index (timeline->cpus, CulpritTimelineCpu, longest->cpu).cpu);
  add_instant (text, timeline, longest->start_ns);
  g_string_append (text, ".");
}

char *
culprit_timeline_view_describe (CulpritTimelineView *view)
{
  g_autofree char *selection = NULL;
  g_autofree char *markers = NULL;
  g_autofree char *chosen = NULL;
  g_autofree char *stays = NULL;
  const CulpritTimeline *timeline;
  const CulpritWindow *outlier;
  GString *text = g_string_new (NULL);
  guint64 start_ns;
  guint64 end_ns;
  guint64 count;

  g_return_val_if_fail (CULPRIT_IS_TIMELINE_VIEW (view), g_string_free (text, FALSE));
  timeline = view->timeline;
  if (!timeline || !culprit_timeline_view_get_range (view, &start_ns, &end_ns))
    return g_string_append (text, "No capture is open."), g_string_free (text, FALSE);
  outlier = culprit_capture_outlier (timeline->capture);
  selection = culprit_timeline_view_describe_selection (view);
  markers = culprit_timeline_view_describe_markers (view);
  chosen = culprit_timeline_view_describe_chosen (view);
  count = culprit_timeline_count (timeline, start_ns, end_ns);
  g_string_append_printf (text, "%u CPU%s, ", timeline->cpus->len, culprit_plural (timeline->cpus->len));
  g_string_append (text, "from ");
  add_instant (text, timeline, start_ns);
  g_string_append (text, " to ");
  add_instant (text, timeline, end_ns);
  g_string_append_printf (text, ": %" G_GUINT64_FORMAT " call%s of %" G_GUINT64_FORMAT ".", count,
                          culprit_plural (count), timeline->calls);
  if (outlier)
    {
      add_time (text, " The outlier: ", culprit_window_latency_ns (outlier), " ");
      g_string_append_printf (text, "%s on CPU %u.", culprit_late_or_long (timeline->capture->measured), outlier->cpu);
    }
  stays = culprit_timeline_stays_in_words (timeline);
  if (stays)
    g_string_append_printf (text, " %s.", stays);
  if (selection)
    g_string_append_printf (text, " %s.", selection);
  if (markers)
    g_string_append_printf (text, " %s.", markers);
  add_silence (text, timeline);
  add_highlights (text, view);
  add_folded (text, view);
  if (chosen)
    g_string_append_printf (text, " Chosen: %s.", chosen);
  return g_string_free (text, FALSE);
}

/* Pointer and keyboard. */

#define WHEEL_ZOOM 1.25 /* per click of the wheel */
#define KEY_ZOOM 1.5
#define KEY_PAN 0.15 /* of the visible range */
#define WHEEL_ROWS 3
#define CLICK_SLACK 4 /* pixels a click may move before it is a drag */

/* The span in the middle of the view, in the first row that has one there. */
static CulpritTimelinePlace
find_middle (CulpritTimelineView *view)
{
  CulpritTimelinePlace place = nowhere;
  double x = (SCENE_GUTTER + view->scene.width) / 2.0;

  for (double y = scene_top (&view->scene) + SCENE_ROW / 2.0; y < scene_bottom (&view->scene); y += SCENE_ROW)
    if (scene_hit (&view->scene, x, y, &place))
      return place;
  place.span = CULPRIT_TIMELINE_NONE;
  return place;
}

static void
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

/* The point that zooming with keys leaves in place: the pointer, else the middle. */
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
  CulpritTimelinePlace place = nowhere;

  gtk_widget_grab_focus (GTK_WIDGET (view));
  if (!view->timeline || has_shift (GTK_EVENT_CONTROLLER (gesture)))
    return;
  if (n_press == 2 && scene_hit (&view->scene, x, y, &place))
    view_activate (view, place);
}

/* A click chooses; a drag leaves the choice alone. */
static void
on_released (GtkGestureClick *gesture, int n_press, double x, double y, CulpritTimelineView *view)
{
  CulpritTimelinePlace place = nowhere;
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

/* Puts a marker at the pointer, else at the start of the chosen call, else in the middle. */
static void
set_marker (CulpritTimelineView *view, guint marker)
{
  CulpritTimelinePlace place = view->overlay.focused;

  if (view->overlay.pointer_x < SCENE_GUTTER && place.span != CULPRIT_TIMELINE_NONE)
    view->overlay.markers_ns[marker] = place.start_ns;
  else
    view->overlay.markers_ns[marker] = scene_time (&view->scene, anchor_x (view));
  view_select (view, view->overlay.select_start_ns, view->overlay.select_end_ns);
}

static void
clear (CulpritTimelineView *view)
{
  for (guint i = 0; i < MARKERS; i++)
    view->overlay.markers_ns[i] = 0;
  view_choose (view, (CulpritTimelinePlace) { 0, CULPRIT_TIMELINE_NONE, 0 });
  view_select (view, 0, 0);
}

static void
activate_focus (CulpritTimelineView *view)
{
  gboolean focused = view->overlay.focused.span != CULPRIT_TIMELINE_NONE;

  view_activate (view, focused ? view->overlay.focused : view->overlay.hovered);
}

/* With Shift, arrows move from call to call. */
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
    case GDK_KEY_a:
      pan (view, -KEY_PAN);
      break;
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
    case GDK_KEY_d:
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
    case GDK_KEY_w:
      view_zoom (view, anchor_x (view), 1 / KEY_ZOOM);
      break;
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
    case GDK_KEY_s:
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
    case GDK_KEY_l:
    case GDK_KEY_L:
      culprit_timeline_view_zoom_to_window (view);
      break;
    case GDK_KEY_g:
    case GDK_KEY_G:
      culprit_timeline_view_zoom_to_silence (view);
      break;
    case GDK_KEY_1:
    case GDK_KEY_KP_1:
      set_marker (view, 0);
      break;
    case GDK_KEY_2:
    case GDK_KEY_KP_2:
      set_marker (view, 1);
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
      if (view->overlay.focused.span == CULPRIT_TIMELINE_NONE && view->overlay.select_end_ns == 0 &&
          view->overlay.markers_ns[0] == 0 && view->overlay.markers_ns[1] == 0)
        return FALSE;
      clear (view);
      break;
    default:
      return FALSE;
    }
  return TRUE;
}

static void
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

/* Export: the visible range, but all rows, even those scrolled out of sight. */

#define LEAST_WIDTH 960
#define MAX_HEIGHT 4000 /* of rows; nobody would look at more */

static void
draw (cairo_t *cr, double width, double height, gconstpointer drawing)
{
  const Brush brush = { .cr = cr };

  draw_timeline (drawing, &brush);
}

/* Makes @scene high enough for all rows and the whole legend. */
static void
make_room (Scene *scene, const Drawing *drawing)
{
  int rows =
      MAX ((int) MIN (scene_rows_height (scene), MAX_HEIGHT) + SCENE_CPU_GAP, scene_bottom (scene) - scene_top (scene));

  scene->width = MAX (scene->width, LEAST_WIDTH);
  scene->foot = frame_legend_height (drawing);
  scene->scroll = 0;
  scene->height = scene_top (scene) + rows + scene->foot;
}

gboolean
culprit_timeline_view_export (
    CulpritTimelineView *view, const char *heading, guint scale, const char *path, GError **error)
{
  Drawing drawing = view_drawing (view);
  Scene scene = view->scene;
  g_autofree char *description = culprit_timeline_view_describe (view);
  Picture picture = { .draw = draw,
                      .data = &drawing,
                      .heading = heading,
                      .title = "Timeline",
                      .description = description,
                      .palette = drawing.palette == timeline_palette_get (TRUE) ? CHART_DARK : CHART_LIGHT };

  g_return_val_if_fail (CULPRIT_IS_TIMELINE_VIEW (view), FALSE);
  if (!picture_knows (path))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s: the file name must end in .svg or .png", path);
      return FALSE;
    }
  drawing.scene = &scene;
  drawing.names_highlights = TRUE;
  make_room (&scene, &drawing);
  picture.width = scene.width;
  picture.height = scene.height;
  picture.scale = scale;
  return picture_save (&picture, path, error);
}
