/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws what follows the user above a chart: the selection, marked latencies, and the values at the pointer. Labels of
 * lines stand below each other, that they never overlap. */
#include "charts/chart-view-private.h"

#include "charts/dark.h"
#include "show.h"

#include <math.h>

#define PADDING 5
#define GAP 4

/* Where the next label of a line is drawn. */
typedef struct
{
  CulpritChartView *view;
  GtkSnapshot *snapshot;
  double y;
} Overlay;

/* Text in a box, at @x, @y or, where it would leave the chart, as far left of it. Returns its height. */
static double
draw_box (const Overlay *overlay, const char *text, double x, double y, const GdkRGBA *paper, const GdkRGBA *ink)
{
  const ChartFrame *frame = &overlay->view->frame;
  g_autoptr (PangoLayout) layout = show_layout_new (GTK_WIDGET (overlay->view), text);
  int width;
  int height;

  pango_layout_get_pixel_size (layout, &width, &height);
  width += 2 * PADDING;
  if (x + GAP + width > frame->right)
    x = fmax (x - GAP - width, frame->left);
  else
    x += GAP;
  gtk_snapshot_append_color (overlay->snapshot, paper, &GRAPHENE_RECT_INIT (x, y, width, height + PADDING));
  gtk_snapshot_save (overlay->snapshot);
  gtk_snapshot_translate (overlay->snapshot, &GRAPHENE_POINT_INIT (x + PADDING, y + PADDING / 2.0));
  gtk_snapshot_append_layout (overlay->snapshot, layout, ink);
  gtk_snapshot_restore (overlay->snapshot);
  return height + PADDING;
}

/* A label beside a line, in a lane of its own. */
static void
draw_label (Overlay *overlay, const char *text, double x)
{
  gboolean dark = is_dark (GTK_WIDGET (overlay->view));
  const GdkRGBA paper = dark ? (GdkRGBA) { 0.12f, 0.12f, 0.12f, 0.85f } : (GdkRGBA) { 1, 1, 1, 0.85f };
  const GdkRGBA ink = dark ? (GdkRGBA) { 0.93f, 0.93f, 0.93f, 1 } : (GdkRGBA) { 0.13f, 0.13f, 0.13f, 1 };

  overlay->y += draw_box (overlay, text, x, overlay->y, &paper, &ink) + 1;
}

static void
draw_upright (const Overlay *overlay, double x, const GdkRGBA *colour)
{
  const ChartFrame *frame = &overlay->view->frame;

  gtk_snapshot_append_color (overlay->snapshot, colour,
                             &GRAPHENE_RECT_INIT (x, frame->top, 1, frame->bottom - frame->top));
}

/* Upright where latencies are across. */
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
  const GdkRGBA trigger = { 0.5f, 0.5f, 0.5f, 0.9f };
  const GdkRGBA marked = { 0.93f, 0.22f, 0.18f, 0.9f };
  CulpritChartView *view = overlay->view;

  for (guint i = 0; i < view->triggers->len; i++)
    draw_line (overlay, &g_array_index (view->triggers, ChartLine, i), &trigger);
  if (!isnan (view->mark.latency_ns))
    draw_line (overlay, &view->mark, &marked);
}

static void
draw_selection (Overlay *overlay)
{
  const GdkRGBA tint = { 0.9f, 0.62f, 0.0f, 0.28f };
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
  if (view->told)
    draw_label (overlay, view->told, left);
}

/* The values at the crosshair, in a box beside it. */
static void
draw_values (Overlay *overlay, double x)
{
  const GdkRGBA hair = { 0.5f, 0.5f, 0.5f, 0.9f };
  const GdkRGBA paper = { 0.12f, 0.12f, 0.12f, 0.9f };
  const GdkRGBA ink = { 1, 1, 1, 1 };
  CulpritChartView *view = overlay->view;
  g_autofree char *text = chart_tell (view->chart, chart_value_at (view->chart, &view->frame, x));

  draw_upright (overlay, x, &hair);
  draw_box (overlay, text, x + GAP, overlay->y + GAP, &paper, &ink);
}

void
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
