/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws the split of an excess: orange for more calls, blue for more expensive ones; its length is relative to the
 * largest excess. */
#include "functions/split-bar.h"

#include "show.h"
#include "units.h"

#include <math.h>

#define WIDTH 84
#define HEIGHT 12

#define SPLIT_TYPE_BAR (split_bar_get_type ())
G_DECLARE_FINAL_TYPE (SplitBar, split_bar, SPLIT, BAR, GtkWidget)

struct _SplitBar
{
  GtkWidget parent;
  double count; /* parts of the width */
  double cost;
};

G_DEFINE_FINAL_TYPE (SplitBar, split_bar, GTK_TYPE_WIDGET)

static void
split_bar_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  SplitBar *bar = SPLIT_BAR (widget);
  const GdkRGBA orange = { 0.84f, 0.37f, 0.00f, 1 };
  const GdkRGBA blue = { 0.00f, 0.45f, 0.70f, 1 };
  double width = gtk_widget_get_width (widget);
  double y = (gtk_widget_get_height (widget) - HEIGHT) / 2.0;

  gtk_snapshot_append_color (snapshot, &orange, &GRAPHENE_RECT_INIT (0, y, bar->count * width, HEIGHT));
  gtk_snapshot_append_color (snapshot, &blue, &GRAPHENE_RECT_INIT (bar->count * width, y, bar->cost * width, HEIGHT));
}

static void
split_bar_class_init (SplitBarClass *class)
{
  GTK_WIDGET_CLASS (class)->snapshot = split_bar_snapshot;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (class), GTK_ACCESSIBLE_ROLE_IMG);
}

static void
split_bar_init (SplitBar *bar)
{
  gtk_widget_set_size_request (GTK_WIDGET (bar), WIDTH, HEIGHT);
}

GtkWidget *
split_bar_new (void)
{
  return g_object_new (SPLIT_TYPE_BAR, NULL);
}

static double
positive (double value)
{
  return isfinite (value) ? MAX (value, 0) : 0;
}

void
split_bar_show (GtkWidget *widget, CulpritRow *row)
{
  SplitBar *bar = SPLIT_BAR (widget);
  double largest_ns = culprit_row_scale (row);
  double count_ns = culprit_row_real (row, "count_part_ns");
  double cost_ns = culprit_row_real (row, "cost_part_ns");
  g_autofree char *by_count = culprit_time_format (isfinite (count_ns) ? llround (count_ns) : 0);
  g_autofree char *by_cost = culprit_time_format (isfinite (cost_ns) ? llround (cost_ns) : 0);
  g_autofree char *text = g_strdup_printf ("%s by more calls, %s by longer ones", by_count, by_cost);

  bar->count = largest_ns > 0 ? positive (count_ns) / largest_ns : 0;
  bar->cost = largest_ns > 0 ? positive (cost_ns) / largest_ns : 0;
  show_tooltip (widget, text);
  show_to_reader (widget, GTK_ACCESSIBLE_PROPERTY_LABEL, text);
  gtk_widget_queue_draw (widget);
}
