/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cells of the table of functions: the split of an excess, and a strip of what late wake-ups cost. */
#include "functions/function-cells.h"

#include "charts/swatch.h"
#include "show.h"
#include "units.h"

#include <math.h>

/* The split of an excess: orange for more calls, blue for more expensive ones; the length is relative to the largest
 * excess. */

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
  const GdkRGBA orange = rgba_of (chart_late (CHART_LIGHT), 1);
  const GdkRGBA blue = rgba_of (chart_ordinary (CHART_LIGHT), 1);
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

/* A small strip plot: orange dots for late wake-ups, a blue tick for the mean of ordinary ones. Dots at the same place
 * become one darker dot. */

#define STRIP_CELL_WIDTH 96
#define STRIP_CELL_HEIGHT 18
#define DOT 5
#define TICK_WIDTH 2
#define TICK_HEIGHT 6
#define POINTS "points"
#define STRIP_TYPE_CELL (strip_cell_get_type ())

G_DECLARE_FINAL_TYPE (StripCell, strip_cell, STRIP, CELL, GtkWidget)

struct _StripCell
{
  GtkWidget parent;
  GArray *places; /* of float, ascending: parts of the width */
  float ordinary; /* likewise; NaN: unknown */
};

G_DEFINE_FINAL_TYPE (StripCell, strip_cell, GTK_TYPE_WIDGET)

static void
draw_dot (GtkSnapshot *snapshot, float x, float y, guint wake_ups)
{
  const GdkRGBA late = rgba_of (chart_late (CHART_LIGHT), 1 - powf (0.45f, wake_ups));
  GskRoundedRect dot;

  gsk_rounded_rect_init_from_rect (&dot, &GRAPHENE_RECT_INIT (x, y, DOT, DOT), DOT / 2.0f);
  gtk_snapshot_push_rounded_clip (snapshot, &dot);
  gtk_snapshot_append_color (snapshot, &late, &dot.bounds);
  gtk_snapshot_pop (snapshot);
}

/* Draws one dot for all values at the same pixel. */
static void
draw_dots (StripCell *cell, GtkSnapshot *snapshot, float width, float y)
{
  for (guint i = 0, next; i < cell->places->len; i = next)
    {
      float x = roundf (g_array_index (cell->places, float, i) * width);

      for (next = i + 1; next < cell->places->len; next++)
        if (roundf (g_array_index (cell->places, float, next) * width) > x)
          break;
      draw_dot (snapshot, x, y, next - i);
    }
}

static void
strip_cell_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  StripCell *cell = STRIP_CELL (widget);
  const GdkRGBA line = rgba_of (chart_rule (CHART_LIGHT), 0.5);
  const GdkRGBA blue = rgba_of (chart_ordinary (CHART_LIGHT), 1);
  float width = gtk_widget_get_width (widget) - DOT;
  float y = roundf ((gtk_widget_get_height (widget) - STRIP_CELL_HEIGHT) / 2.0f);

  if (cell->places->len == 0)
    return;
  gtk_snapshot_append_color (snapshot, &line, &GRAPHENE_RECT_INIT (DOT / 2.0f, y + 9, width, 1));
  draw_dots (cell, snapshot, width, y + 3);
  if (!isnan (cell->ordinary))
    gtk_snapshot_append_color (snapshot, &blue,
                               &GRAPHENE_RECT_INIT (roundf (cell->ordinary * width) + (DOT - TICK_WIDTH) / 2.0f, y + 11,
                                                    TICK_WIDTH, TICK_HEIGHT));
}

static void
strip_cell_finalize (GObject *object)
{
  g_array_unref (STRIP_CELL (object)->places);
  G_OBJECT_CLASS (strip_cell_parent_class)->finalize (object);
}

static void
strip_cell_class_init (StripCellClass *class)
{
  G_OBJECT_CLASS (class)->finalize = strip_cell_finalize;
  GTK_WIDGET_CLASS (class)->snapshot = strip_cell_snapshot;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (class), GTK_ACCESSIBLE_ROLE_IMG);
}

static void
strip_cell_init (StripCell *cell)
{
  gtk_widget_set_size_request (GTK_WIDGET (cell), STRIP_CELL_WIDTH, STRIP_CELL_HEIGHT);
  cell->places = g_array_new (FALSE, FALSE, sizeof (float));
}

void
strip_cell_attach (CulpritRows *rows, CulpritFunctionPoints *points)
{
  culprit_rows_attach (rows, POINTS, points, (GDestroyNotify) culprit_function_points_free);
}

GtkWidget *
strip_cell_new (void)
{
  return g_object_new (STRIP_TYPE_CELL, NULL);
}

static char *
describe (const GArray *times, double ordinary_ns)
{
  g_autofree char *least = NULL;
  g_autofree char *most = NULL;
  g_autofree char *ordinary = NULL;

  if (!times)
    return g_strdup ("In no late wake-up");
  least = culprit_time_format (g_array_index (times, gint64, 0));
  most = culprit_time_format (g_array_index (times, gint64, times->len - 1));
  ordinary = isnan (ordinary_ns) ? g_strdup ("not known") : culprit_time_format (llround (ordinary_ns));
  return g_strdup_printf ("%s to %s in late wake-ups, ordinary mean %s", least, most, ordinary);
}

void
strip_cell_show (GtkWidget *widget, CulpritRow *row)
{
  StripCell *cell = STRIP_CELL (widget);
  const CulpritFunctionPoints *points = culprit_row_attached (row, POINTS);
  const GArray *times =
      points ? culprit_function_points_of (points, culprit_row_text (row, "function"), culprit_row_text (row, "module"),
                                           culprit_row_integer (row, "ordinal"))
             : NULL;
  double ordinary_ns =
      culprit_row_real (row, "ordinary.self_mean_ns") - culprit_row_real (row, "ordinary.tracing_mean_ns");
  double most_ns = times ? g_array_index (times, gint64, times->len - 1) : 0;
  g_autofree char *text = describe (times, ordinary_ns);

  most_ns = fmax (fmax (most_ns, ordinary_ns), 1);
  g_array_set_size (cell->places, 0);
  for (guint i = 0; times && i < times->len; i++)
    {
      float place = MAX (g_array_index (times, gint64, i), 0) / most_ns;

      g_array_append_val (cell->places, place);
    }
  cell->ordinary = ordinary_ns / most_ns;
  show_tooltip (widget, text);
  show_to_reader (widget, GTK_ACCESSIBLE_PROPERTY_LABEL, text);
  gtk_widget_queue_draw (widget);
}
