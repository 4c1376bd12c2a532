/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rectangles in proportion to the parts of the latency; the tracer's share, preempted and blocked time are hatched;
 * names where they fit, all of them in tooltips and in the description for screen readers. */
#include "charts/budget-bar.h"

#include "charts/swatch.h"
#include "charts/timeline/brush.h"
#include "show.h"
#include "tables/budget.h"
#include "units.h"
#include "widgets.h"

#define HEIGHT 30
#define PAD 4

struct _CulpritBudgetBar
{
  GtkWidget parent;
  GArray *parts; /* of CulpritSegment */
  double sum_ns;
  char *function;
};

G_DEFINE_FINAL_TYPE (CulpritBudgetBar, culprit_budget_bar, GTK_TYPE_WIDGET)

static const CulpritSegment *
part_at (CulpritBudgetBar *bar, guint place)
{
  return &g_array_index (bar->parts, CulpritSegment, place);
}

static GdkRGBA
colour_of (CulpritBudgetBar *bar, guint place)
{
  ChartPalette palette = is_dark (GTK_WIDGET (bar)) ? CHART_DARK : CHART_LIGHT;
  CulpritSegmentKind kind = part_at (bar, place)->kind;
  const ChartColour *colour = kind == CULPRIT_SEGMENT_PART      ? chart_part_colour (palette, place)
                              : kind == CULPRIT_SEGMENT_CULPRIT ? chart_culprit (palette)
                                                                : chart_other (palette);

  return rgba_of (colour, 1);
}

/* Whether a function is chosen that is not that of @part. */
static gboolean
is_faded (CulpritBudgetBar *bar, const CulpritSegment *part)
{
  return bar->function && !g_str_equal (bar->function, part->key);
}

/* The most readable colour on a part; on a hatched one, the text colour of the window. */
static GdkRGBA
text_colour (CulpritBudgetBar *bar, const CulpritSegment *part, const GdkRGBA *paper)
{
  const ChartColour text = chart_text_on (&(ChartColour) { paper->red, paper->green, paper->blue });
  GdkRGBA colour;

  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (bar)), &colour);
  if (is_faded (bar, part) || part->kind == CULPRIT_SEGMENT_TRACING)
    return colour;
  return rgba_of (&text, 1);
}

/* What kept the task from running if there is room for that, else the name; on a hatched part with a plain ground. */
static void
draw_name (CulpritBudgetBar *bar,
           GtkSnapshot *snapshot,
           const CulpritSegment *part,
           const graphene_rect_t *box,
           const GdkRGBA *ground,
           const GdkRGBA *colour)
{
  const Brush brush = { .snapshot = snapshot };
  const double room = box->size.width - 2 * PAD;
  g_autoptr (PangoLayout) layout = show_layout_new (GTK_WIDGET (bar), part->kept ? part->kept : part->name);
  int width;
  int height;

  pango_layout_get_pixel_size (layout, &width, &height);
  if (part->kept && width > room)
    pango_layout_set_text (layout, part->name, -1);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_width (layout, room * PANGO_SCALE);
  pango_layout_get_pixel_size (layout, &width, &height);
  if (part->kept)
    brush_fill (&brush, box->origin.x, 0, MIN (width, room) + 2 * PAD, HEIGHT, ground);
  brush_text (&brush, box->origin.x + PAD, (HEIGHT - height) / 2.0, layout, colour);
}

/* The tracer's share on the background of the window, as this time is not the system's; other parts in their colour. */
static void
draw_ground (GtkSnapshot *snapshot,
             const CulpritSegment *part,
             const graphene_rect_t *box,
             const GdkRGBA *colour,
             const GdkRGBA *text)
{
  const gboolean tracing = part->kind == CULPRIT_SEGMENT_TRACING;
  const GdkRGBA ground = { colour->red, colour->green, colour->blue, tracing ? 0.12f : colour->alpha };
  const GdkRGBA *line = tracing ? colour : text;
  const Brush brush = { .snapshot = snapshot };

  brush_fill (&brush, box->origin.x, 0, box->size.width, HEIGHT, &ground);
  brush_hatch (&brush, box->origin.x, 0, box->size.width, HEIGHT,
               tracing      ? CHART_HATCH_RIGHT
               : part->kept ? chart_hatch (part->context)
                            : CHART_PLAIN,
               &(GdkRGBA) { line->red, line->green, line->blue, 0.5f });
}

static void
budget_bar_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  CulpritBudgetBar *bar = CULPRIT_BUDGET_BAR (widget);
  double x = 0;

  for (guint i = 0; i < bar->parts->len; i++)
    {
      const CulpritSegment *part = part_at (bar, i);
      double width = gtk_widget_get_width (widget) * part->part_ns / bar->sum_ns;
      graphene_rect_t box = GRAPHENE_RECT_INIT (x, 0, MAX (width - 1, 0.5), HEIGHT);
      GdkRGBA colour = colour_of (bar, i);
      GdkRGBA text = text_colour (bar, part, &colour);

      if (is_faded (bar, part))
        colour.alpha = 0.45;
      draw_ground (snapshot, part, &box, &colour, &text);
      if (width > 40)
        draw_name (bar, snapshot, part, &box, &colour, &text);
      x += width;
    }
}

static char *
describe_part (CulpritBudgetBar *bar, const CulpritSegment *part)
{
  g_autofree char *time = culprit_time_format (part->part_ns);
  g_autofree char *share = culprit_share_format (part->part_ns / bar->sum_ns);

  return g_strdup_printf ("%s: %s (%s)%s%s", part->name, time, share, part->kept ? ", " : "",
                          part->kept ? part->kept : "");
}

static gboolean
budget_bar_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  CulpritBudgetBar *bar = CULPRIT_BUDGET_BAR (widget);
  double left = 0;

  for (guint i = 0; i < bar->parts->len; i++)
    {
      left += gtk_widget_get_width (widget) * part_at (bar, i)->part_ns / bar->sum_ns;
      if (x < left)
        {
          g_autofree char *text = describe_part (bar, part_at (bar, i));

          show_tip (tooltip, text);
          return TRUE;
        }
    }
  return FALSE;
}

static void
budget_bar_finalize (GObject *object)
{
  g_array_unref (CULPRIT_BUDGET_BAR (object)->parts);
  g_free (CULPRIT_BUDGET_BAR (object)->function);
  G_OBJECT_CLASS (culprit_budget_bar_parent_class)->finalize (object);
}

static void
culprit_budget_bar_class_init (CulpritBudgetBarClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = budget_bar_finalize;
  widget->snapshot = budget_bar_snapshot;
  widget->query_tooltip = budget_bar_tooltip;
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_css_name (widget, "budgetbar");
}

static void
culprit_budget_bar_init (CulpritBudgetBar *bar)
{
  gtk_widget_set_size_request (GTK_WIDGET (bar), 100, HEIGHT);
  bar->parts = g_array_new (FALSE, FALSE, sizeof (CulpritSegment));
  gtk_widget_set_overflow (GTK_WIDGET (bar), GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_has_tooltip (GTK_WIDGET (bar), TRUE);
}

static void
describe (CulpritBudgetBar *bar)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < bar->parts->len; i++)
    {
      g_autofree char *part = describe_part (bar, part_at (bar, i));

      g_string_append_printf (text, "%s%s", i > 0 ? "; " : "", part);
    }
  show_to_reader (bar, GTK_ACCESSIBLE_PROPERTY_LABEL, "The parts of the latency");
  show_to_reader (bar, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text->str);
}

void
culprit_budget_bar_set_budget (CulpritBudgetBar *bar, const CulpritTable *budget)
{
  const CulpritSegment *last;

  g_array_unref (bar->parts);
  bar->parts = budget ? culprit_budget_segments (budget, NULL) : g_array_new (FALSE, FALSE, sizeof (CulpritSegment));
  last = bar->parts->len > 0 ? part_at (bar, bar->parts->len - 1) : NULL;
  bar->sum_ns = last ? last->from_ns + last->part_ns : 0;
  describe (bar);
  gtk_widget_queue_draw (GTK_WIDGET (bar));
}

void
culprit_budget_bar_set_function (CulpritBudgetBar *bar, const char *key)
{
  if (g_strcmp0 (bar->function, key) == 0)
    return;
  g_free (bar->function);
  bar->function = g_strdup (key);
  gtk_widget_queue_draw (GTK_WIDGET (bar));
}
