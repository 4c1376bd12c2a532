/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows a chart. It is drawn once per size, range and theme; what follows the pointer is drawn on top. */
#include "charts/chart-view-private.h"

#include "chart/picture.h"
#include "charts/dark.h"

#include <math.h>

G_DEFINE_FINAL_TYPE (CulpritChartView, culprit_chart_view, GTK_TYPE_WIDGET)

static guint range_selected;

void
chart_view_redraw (CulpritChartView *view)
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

double
chart_view_clip (CulpritChartView *view, double x)
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
  left = chart_view_clip (view, chart_place_of (view->chart, &view->frame, view->low));
  right = chart_view_clip (view, chart_place_of (view->chart, &view->frame, view->high));
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

void
culprit_chart_view_select (CulpritChartView *view, double low, double high)
{
  view->low = MIN (low, high);
  view->high = MAX (low, high);
  gtk_widget_queue_draw (GTK_WIDGET (view));
  g_signal_emit (view, range_selected, 0);
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
  view->pointer = view->cursor = view->mark = NAN;
  chart_view_add_input (view);
  gtk_widget_set_focusable (GTK_WIDGET (view), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (view), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (view), TRUE);
  gtk_widget_set_size_request (GTK_WIDGET (view), 320, 220);
}

void
culprit_chart_view_set_chart (CulpritChartView *view, Chart *chart)
{
  g_autofree char *description = chart ? chart_describe (chart) : g_strdup ("");
  gboolean same_kind = chart && view->chart && g_str_equal (chart_title (chart), chart_title (view->chart));

  g_clear_pointer (&view->chart, chart_free);
  view->chart = chart;
  view->cursor = NAN;
  if (!same_kind)
    culprit_chart_view_select (view, 0, 0);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  chart ? chart_title (chart) : "", GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description,
                                  -1);
  chart_view_redraw (view);
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
                   view->chart ? "the file name must end in .svg or .png" : "there is no chart to export yet");
      return FALSE;
    }
  return picture_write (view->chart, is_dark (GTK_WIDGET (view)) ? CHART_DARK : CHART_LIGHT, path,
                        MAX (gtk_widget_get_width (GTK_WIDGET (view)), 320),
                        MAX (gtk_widget_get_height (GTK_WIDGET (view)), 220), error);
}
