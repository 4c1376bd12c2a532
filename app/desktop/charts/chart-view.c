/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows a chart. It is drawn once per size, range and theme; what follows the pointer is drawn on top. */
#include "charts/chart-view-private.h"

#include "chart/picture.h"
#include "charts/dark.h"
#include "show.h"

#include <math.h>

#define LEAST_WIDTH 280
#define LEAST_HEIGHT 190

G_DEFINE_FINAL_TYPE (CulpritChartView, culprit_chart_view, GTK_TYPE_WIDGET)

enum
{
  RANGE_SELECTED,
  VIEW_CHANGED,
  SIGNALS,
};

static guint signals[SIGNALS];

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
chart_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  CulpritChartView *view = CULPRIT_CHART_VIEW (widget);

  if (!view->chart)
    return;
  draw_chart (view, snapshot, gtk_widget_get_width (widget), gtk_widget_get_height (widget));
  chart_view_draw_overlay (view, snapshot);
}

/* What it shows, for who cannot see it. */
static void
describe (CulpritChartView *view)
{
  g_autofree char *chart = view->chart ? chart_describe (view->chart) : g_strdup ("");
  GString *text = g_string_new (chart);

  if (view->chart && chart_is_zoomed (view->chart))
    g_string_append (text, " Zoomed in.");
  if (view->low < view->high && view->told)
    g_string_append_printf (text, " Selected: %s.", view->told);
  if (!isnan (view->mark.latency_ns))
    g_string_append_printf (text, " Marked: %s.", view->mark.label);
  for (guint i = 0; i < view->triggers->len; i++)
    g_string_append_printf (text, " Marked: %s.", g_array_index (view->triggers, ChartLine, i).label);
  show_to_reader (view, GTK_ACCESSIBLE_PROPERTY_LABEL, view->chart ? chart_title (view->chart) : "");
  show_to_reader (view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text->str);
  g_string_free (text, TRUE);
}

/* What is drawn above the chart has changed. */
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
culprit_chart_view_tell_selection (CulpritChartView *view, const char *text)
{
  g_free (view->told);
  view->told = g_strdup (text);
  update (view);
}

void
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

void
culprit_chart_view_reset_zoom (CulpritChartView *view)
{
  if (!view->chart)
    return;
  chart_zoom (view->chart, 0, 0);
  chart_view_zoomed (view);
}

/* The widget. */

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
  g_clear_pointer (&view->drawn, gsk_render_node_unref);
  g_array_unref (view->triggers);
  g_free (view->mark.label);
  g_free (view->told);
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
  signals[RANGE_SELECTED] =
      g_signal_new ("range-selected", CULPRIT_TYPE_CHART_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[VIEW_CHANGED] =
      g_signal_new ("view-changed", CULPRIT_TYPE_CHART_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
culprit_chart_view_init (CulpritChartView *view)
{
  view->pointer = view->cursor = view->mark.latency_ns = NAN;
  view->triggers = g_array_new (FALSE, FALSE, sizeof (ChartLine));
  g_array_set_clear_func (view->triggers, clear_line);
  chart_view_add_input (view);
  gtk_widget_set_focusable (GTK_WIDGET (view), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (view), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (view), TRUE);
  gtk_widget_set_size_request (GTK_WIDGET (view), LEAST_WIDTH, LEAST_HEIGHT);
}

void
culprit_chart_view_set_chart (CulpritChartView *view, Chart *chart)
{
  g_autoptr (Chart) before = view->chart;
  gboolean same_kind = chart && before && g_str_equal (chart_title (chart), chart_title (before));
  double low;
  double high;

  view->chart = chart;
  view->cursor = NAN;
  if (same_kind && chart_is_zoomed (before))
    {
      chart_range (before, &low, &high);
      chart_zoom (chart, low, high);
    }
  if (!same_kind)
    culprit_chart_view_select (view, 0, 0);
  chart_view_zoomed (view);
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
  if (!view->chart || !picture_knows (path))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s: %s", path,
                   view->chart ? "the file name must end in .svg or .png" : "there is no chart to export yet");
      return FALSE;
    }
  return picture_write (view->chart, is_dark (GTK_WIDGET (view)) ? CHART_DARK : CHART_LIGHT, heading, path,
                        MAX (gtk_widget_get_width (GTK_WIDGET (view)), LEAST_WIDTH),
                        MAX (gtk_widget_get_height (GTK_WIDGET (view)), LEAST_HEIGHT),
                        MAX (gtk_widget_get_scale_factor (GTK_WIDGET (view)), PICTURE_SCALE), error);
}
