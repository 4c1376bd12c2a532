/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Buttons that follow the chart: what would change nothing cannot be pressed. Which axis was chosen is kept. */
#include "charts/chart-tools.h"

#include "state.h"
#include "widgets.h"

#define GROUP "charts"
#define KEY "latency-axis"

struct _CulpritChartTools
{
  GtkWidget parent;
  CulpritChartView *view;
  ChartScale scale;
  gboolean following; /* The toggle changes by itself. */
  GtkWidget *content;
  GtkWidget *logarithmic;
  GtkWidget *zoom_in;
  GtkWidget *reset;
};

G_DEFINE_FINAL_TYPE (CulpritChartTools, culprit_chart_tools, GTK_TYPE_WIDGET)

enum
{
  PROPERTY_VIEW = 1,
  PROPERTIES,
};

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
tools_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), CULPRIT_TYPE_CHART_TOOLS);
  G_OBJECT_CLASS (culprit_chart_tools_parent_class)->dispose (object);
}

static void
culprit_chart_tools_class_init (CulpritChartToolsClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->set_property = tools_set_property;
  G_OBJECT_CLASS (class)->dispose = tools_dispose;
  g_object_class_install_property (
      G_OBJECT_CLASS (class), PROPERTY_VIEW,
      g_param_spec_object ("view", NULL, NULL, CULPRIT_TYPE_CHART_VIEW, G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  widget_class_set_template (class, "charts/chart-tools.ui", 0);
  gtk_widget_class_bind_template_child (widget, CulpritChartTools, logarithmic);
  gtk_widget_class_bind_template_child (widget, CulpritChartTools, zoom_in);
  gtk_widget_class_bind_template_child (widget, CulpritChartTools, reset);
  gtk_widget_class_bind_template_callback (widget, on_logarithmic);
  gtk_widget_class_bind_template_callback (widget, on_zoom_in);
  gtk_widget_class_bind_template_callback (widget, on_reset);
  scale_chosen =
      g_signal_new ("scale-chosen", CULPRIT_TYPE_CHART_TOOLS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
culprit_chart_tools_init (CulpritChartTools *tools)
{
  tools->scale =
      CLAMP (state_integer (GROUP, KEY, CHART_SCALE_AUTOMATIC), CHART_SCALE_AUTOMATIC, CHART_SCALE_LOGARITHMIC);
  gtk_widget_init_template (GTK_WIDGET (tools));
}
