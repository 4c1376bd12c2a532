/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Geometry, texts, input and drawing of the heat map. */
#include "fleet/heat-map.h"

#include "charts/swatch.h"
#include "show.h"
#include "tables/column.h"
#include "units.h"
#include "widgets.h"

#include <math.h>

#define ROW 28
#define HEAD 64
#define HOST_WIDTH 120
#define LEAST_WIDTH 104 /* of a cause */
#define WHOLE_HOST -1   /* instead of a cause */

struct _CulpritHeatMap
{
  GtkWidget parent;
  const CulpritFleet *fleet; /* NULL: none */
  HeatShade shade;
  double most; /* the largest value of a cell */
  guint host;  /* the cell that keys act on */
  int cause;
};

static void heat_map_draw (GtkWidget *widget, GtkSnapshot *snapshot);

#define MOST_WIDTH 220

G_DEFINE_FINAL_TYPE (CulpritHeatMap, culprit_heat_map, GTK_TYPE_WIDGET)

static guint activated;

static guint
heat_map_causes (CulpritHeatMap *map)
{
  return map->fleet ? map->fleet->causes->len : 0;
}

static guint
heat_map_hosts (CulpritHeatMap *map)
{
  return map->fleet ? map->fleet->hosts->len : 0;
}

/* The value of a cell, and its text, which the caller owns. */
static double
heat_map_value (CulpritHeatMap *map, const CulpritFleetCell *cell)
{
  return map->shade == HEAT_WEIGHT ? cell->weight : cell->captures;
}

static char *
heat_map_value_text (CulpritHeatMap *map, double value)
{
  return map->shade == HEAT_WEIGHT ? culprit_share_format (value) : culprit_count_format (llround (value));
}

/* Geometry. */

static double
heat_map_cause_width (CulpritHeatMap *map)
{
  double room = gtk_widget_get_width (GTK_WIDGET (map)) - HOST_WIDTH;

  return CLAMP (room / MAX (heat_map_causes (map), 1), LEAST_WIDTH, MOST_WIDTH);
}

/* The adjustment of the scrolled window around the map, or NULL; and how many pixels that is scrolled. */
static GtkAdjustment *
heat_map_scrolled (CulpritHeatMap *map)
{
  GtkWidget *window = gtk_widget_get_ancestor (GTK_WIDGET (map), GTK_TYPE_SCROLLED_WINDOW);

  return window ? gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (window)) : NULL;
}

static double
heat_map_scrolled_by (CulpritHeatMap *map)
{
  return heat_map_scrolled (map) ? gtk_adjustment_get_value (heat_map_scrolled (map)) : 0;
}

/* FALSE: there is no column at @x. */
static gboolean
find_column (CulpritHeatMap *map, double x, int *cause)
{
  *cause = x < HOST_WIDTH ? WHOLE_HOST : (int) ((x - HOST_WIDTH) / heat_map_cause_width (map));
  return *cause < (int) heat_map_causes (map);
}

/* FALSE: there is no cell at @x, @y. */
static gboolean
find_cell (CulpritHeatMap *map, double x, double y, guint *host, int *cause)
{
  if (y < heat_map_scrolled_by (map) + HEAD || y >= HEAD + (double) heat_map_hosts (map) * ROW)
    return FALSE;
  *host = (y - HEAD) / ROW;
  return find_column (map, x, cause);
}

/* FALSE: there is no heading of a cause at @x, @y. */
static gboolean
find_head (CulpritHeatMap *map, double x, double y, int *cause)
{
  return y < heat_map_scrolled_by (map) + HEAD && find_column (map, x, cause) && *cause != WHOLE_HOST;
}

static void
heat_map_measure (
    GtkWidget *widget, GtkOrientation orientation, int size, int *least, int *natural, int *baseline, int *other)
{
  CulpritHeatMap *map = CULPRIT_HEAT_MAP (widget);

  *least = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? HOST_WIDTH + LEAST_WIDTH * (int) heat_map_causes (map)
                                                                : HEAD + ROW * (int) heat_map_hosts (map);
}

/* Texts. */

static char *
describe_cell (CulpritHeatMap *map, guint host, int cause)
{
  return cause == WHOLE_HOST ? culprit_fleet_host_in_words (map->fleet, host)
                             : culprit_fleet_cell_in_words (map->fleet, host, cause);
}

/* The whole map and the cell that keys act on, for screen readers. */
static void
describe (CulpritHeatMap *map)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *current =
      map->host < heat_map_hosts (map) ? describe_cell (map, map->host, map->cause) : g_strdup ("");

  for (guint host = 0; host < heat_map_hosts (map); host++)
    {
      const char *before = ": ";

      g_string_append (text, culprit_fleet_host (map->fleet, host)->name);
      for (guint cause = 0; cause < heat_map_causes (map); cause++)
        {
          double value = heat_map_value (map, culprit_fleet_cell (map->fleet, host, cause));
          g_autofree char *number = heat_map_value_text (map, value);

          if (value > 0)
            g_string_append_printf (text, "%s%s %s", before, culprit_fleet_cause (map->fleet, cause)->culprit, number);
          before = value > 0 ? ", " : before;
        }
      g_string_append (text, ". ");
    }
  show_to_reader (map, GTK_ACCESSIBLE_PROPERTY_LABEL, "Causes by host");
  show_to_reader (map, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text->str);
  show_to_reader (map, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, current);
}

static gboolean
heat_map_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  CulpritHeatMap *map = CULPRIT_HEAT_MAP (widget);
  guint host = map->host;
  int cause = map->cause;
  g_autofree char *text = NULL;

  if (!keyboard && find_head (map, x, y, &cause))
    text = culprit_fleet_cause_everywhere (map->fleet, cause);
  else if ((keyboard || find_cell (map, x, y, &host, &cause)) && host < heat_map_hosts (map))
    text = describe_cell (map, host, cause);
  else
    return FALSE;
  show_tip (tooltip, text);
  return TRUE;
}

/* Input. */

static void
move_to (CulpritHeatMap *map, gint64 host, int cause)
{
  if (heat_map_hosts (map) == 0)
    return;
  map->host = CLAMP (host, 0, (gint64) heat_map_hosts (map) - 1);
  map->cause = CLAMP (cause, WHOLE_HOST, (int) heat_map_causes (map) - 1);
  if (heat_map_scrolled (map))
    gtk_adjustment_clamp_page (heat_map_scrolled (map), (double) map->host * ROW,
                               HEAD + (double) (map->host + 1) * ROW);
  describe (map);
  gtk_widget_queue_draw (GTK_WIDGET (map));
}

static void
activate (CulpritHeatMap *map)
{
  if (map->host < heat_map_hosts (map))
    g_signal_emit (map, activated, 0, map->host, map->cause);
}

static void
on_click (GtkGestureClick *click, int times, double x, double y, CulpritHeatMap *map)
{
  guint host;
  int cause;

  gtk_widget_grab_focus (GTK_WIDGET (map));
  if (!find_cell (map, x, y, &host, &cause))
    return;
  move_to (map, host, cause);
  activate (map);
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, CulpritHeatMap *map)
{
  const gint64 host = map->host;

  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return FALSE;
  switch (key)
    {
    case GDK_KEY_Up:
    case GDK_KEY_Down:
      move_to (map, host + (key == GDK_KEY_Up ? -1 : 1), map->cause);
      return TRUE;
    case GDK_KEY_Left:
    case GDK_KEY_Right:
      move_to (map, host, map->cause + (key == GDK_KEY_Left ? -1 : 1));
      return TRUE;
    case GDK_KEY_Home:
    case GDK_KEY_End:
      move_to (map, key == GDK_KEY_Home ? 0 : G_MAXUINT, map->cause);
      return TRUE;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_space:
      activate (map);
      return TRUE;
    default:
      return FALSE;
    }
}

/* The widget. */

/* The heading stays at the top of the visible part. */
static void
heat_map_root (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (culprit_heat_map_parent_class)->root (widget);
  if (heat_map_scrolled (CULPRIT_HEAT_MAP (widget)))
    g_signal_connect_object (heat_map_scrolled (CULPRIT_HEAT_MAP (widget)), "value-changed",
                             G_CALLBACK (gtk_widget_queue_draw), widget, G_CONNECT_SWAPPED);
}

static void
culprit_heat_map_class_init (CulpritHeatMapClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  widget->snapshot = heat_map_draw;
  widget->measure = heat_map_measure;
  widget->query_tooltip = heat_map_tooltip;
  widget->root = heat_map_root;
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_css_name (widget, "heatmap");
  activated = signal_new (CULPRIT_TYPE_HEAT_MAP, "activated", 2, G_TYPE_UINT, G_TYPE_INT);
}

static void
culprit_heat_map_init (CulpritHeatMap *map)
{
  GtkEventController *key = gtk_event_controller_key_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  g_signal_connect (key, "key-pressed", G_CALLBACK (on_key), map);
  g_signal_connect (click, "released", G_CALLBACK (on_click), map);
  gtk_widget_add_controller (GTK_WIDGET (map), key);
  gtk_widget_add_controller (GTK_WIDGET (map), GTK_EVENT_CONTROLLER (click));
  gtk_widget_set_focusable (GTK_WIDGET (map), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (map), TRUE);
}

static void
update (CulpritHeatMap *map)
{
  map->most = 0;
  for (guint i = 0; i < heat_map_hosts (map) * heat_map_causes (map); i++)
    map->most = MAX (map->most, heat_map_value (map, &map->fleet->cells[i]));
  describe (map);
  gtk_widget_queue_draw (GTK_WIDGET (map));
}

void
culprit_heat_map_set_fleet (CulpritHeatMap *map, const CulpritFleet *fleet)
{
  map->fleet = fleet;
  map->host = 0;
  map->cause = WHOLE_HOST;
  update (map);
  gtk_widget_queue_resize (GTK_WIDGET (map));
}

void
culprit_heat_map_set_shade (CulpritHeatMap *map, HeatShade shade)
{
  map->shade = shade;
  update (map);
}

/* Drawing: visible rows only. Cells have numbers too, for people who cannot tell shades apart. */

#define LINE 22 /* of the heading */
#define GAP 2
#define PADDING 4
#define BREAK "\u200b" /* where a name may break */
#define LEAST_SHADE 0.1
#define SWATCH 14
#define SWATCHES 5

static graphene_rect_t
heat_map_box (CulpritHeatMap *map, guint host, int cause)
{
  double width = heat_map_cause_width (map);
  double y = HEAD + (double) host * ROW;

  return cause == WHOLE_HOST ? GRAPHENE_RECT_INIT (0, y, HOST_WIDTH - GAP, ROW - GAP)
                             : GRAPHENE_RECT_INIT (HOST_WIDTH + cause * width, y, width - GAP, ROW - GAP);
}

static GdkRGBA
ink_of (CulpritHeatMap *map)
{
  GdkRGBA ink;

  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (map)), &ink);
  return ink;
}

static GdkRGBA
shade_of (CulpritHeatMap *map, double value)
{
  const ChartColour *colour = chart_run_colour (CHART_LIGHT, 0);
  double part = map->most > 0 ? value / map->most : 0;

  return rgba_of (colour, value > 0 ? LEAST_SHADE + (1 - LEAST_SHADE) * part : 0);
}

typedef struct
{
  int lines; /* at most */
  PangoAlignment alignment;
  double scale;
} TextLook;

static const TextLook host_look = { 1, PANGO_ALIGN_LEFT, 1 };

static const TextLook cell_look = { 1, PANGO_ALIGN_CENTER, 1 };

static const TextLook name_look = { 2, PANGO_ALIGN_CENTER, 1 };

static const TextLook class_look = { 1, PANGO_ALIGN_CENTER, PANGO_SCALE_SMALL };

/* Of a text that is clean already: cleaning replaces breaks, which are not printable. */
static void
break_at_underscores (PangoLayout *layout)
{
  g_auto (GStrv) words = g_strsplit (pango_layout_get_text (layout), "_", -1);
  g_autofree char *breakable = g_strjoinv ("_" BREAK, words);

  pango_layout_set_text (layout, breakable, -1);
}

/* Text in the middle of @box, ellipsized if it is too long. */
static void
draw_text (CulpritHeatMap *map,
           GtkSnapshot *snapshot,
           const char *text,
           const graphene_rect_t *box,
           const TextLook *look,
           const GdkRGBA *ink)
{
  g_autoptr (PangoLayout) layout = show_layout_new (GTK_WIDGET (map), text);
  g_autoptr (PangoAttrList) plain = pango_attr_list_new ();
  int height;

  break_at_underscores (layout);
  pango_attr_list_insert (plain, pango_attr_insert_hyphens_new (FALSE));
  pango_attr_list_insert (plain, pango_attr_scale_new (look->scale));

  pango_layout_set_width (layout, (box->size.width - 2 * PADDING) * PANGO_SCALE);
  pango_layout_set_height (layout, -look->lines);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_alignment (layout, look->alignment);
  pango_layout_set_attributes (layout, plain);
  pango_layout_get_pixel_size (layout, NULL, &height);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (box->origin.x + PADDING,
                                                          box->origin.y + roundf ((box->size.height - height) / 2)));
  gtk_snapshot_append_layout (snapshot, layout, ink);
  gtk_snapshot_restore (snapshot);
}

/* The most readable colour on @shade over the background. */
static GdkRGBA
text_on (CulpritHeatMap *map, const GdkRGBA *shade)
{
  const ChartColour *paper = chart_paper (is_dark (GTK_WIDGET (map)) ? CHART_DARK : CHART_LIGHT);
  double below = 1 - shade->alpha;
  const ChartColour mixed = { shade->red * shade->alpha + paper->red * below,
                              shade->green * shade->alpha + paper->green * below,
                              shade->blue * shade->alpha + paper->blue * below };
  const ChartColour text = chart_text_on (&mixed);

  return rgba_of (&text, 1);
}

static void
draw_cell (CulpritHeatMap *map, GtkSnapshot *snapshot, guint host, guint cause)
{
  const GdkRGBA faint = rgba_of (chart_rule (CHART_LIGHT), 0.07);
  double value = heat_map_value (map, culprit_fleet_cell (map->fleet, host, cause));
  graphene_rect_t box = heat_map_box (map, host, cause);
  GdkRGBA shade = shade_of (map, value);
  GdkRGBA ink = text_on (map, &shade);
  g_autofree char *text = value > 0 ? heat_map_value_text (map, value) : NULL;

  gtk_snapshot_append_color (snapshot, value > 0 ? &shade : &faint, &box);
  if (text)
    draw_text (map, snapshot, text, &box, &cell_look, &ink);
}

static void
draw_host (CulpritHeatMap *map, GtkSnapshot *snapshot, guint host)
{
  graphene_rect_t box = heat_map_box (map, host, WHOLE_HOST);
  GdkRGBA ink = ink_of (map);

  draw_text (map, snapshot, culprit_fleet_host (map->fleet, host)->name, &box, &host_look, &ink);
  for (guint cause = 0; cause < heat_map_causes (map); cause++)
    draw_cell (map, snapshot, host, cause);
}

/* The legend: from no late wake-up to the most. */
static void
draw_legend (CulpritHeatMap *map, GtkSnapshot *snapshot, double y)
{
  g_autofree char *most = heat_map_value_text (map, map->most);
  g_autofree char *text = g_strdup_printf ("up to %s", most);
  GdkRGBA ink = ink_of (map);

  for (guint i = 0; i < SWATCHES; i++)
    {
      GdkRGBA shade = shade_of (map, map->most * (i + 1) / SWATCHES);

      gtk_snapshot_append_color (snapshot, &shade, &GRAPHENE_RECT_INIT (PADDING + i * SWATCH, y + 10, SWATCH, SWATCH));
    }
  draw_text (map, snapshot, text, &GRAPHENE_RECT_INIT (0, y + 30, HOST_WIDTH, 20), &host_look, &ink);
}

static void
draw_head (CulpritHeatMap *map, GtkSnapshot *snapshot)
{
  double y = heat_map_scrolled_by (map);
  double width = heat_map_cause_width (map);
  const GdkRGBA ground = rgba_of (chart_paper (is_dark (GTK_WIDGET (map)) ? CHART_DARK : CHART_LIGHT), 1);
  GdkRGBA ink = ink_of (map);

  gtk_snapshot_append_color (snapshot, &ground,
                             &GRAPHENE_RECT_INIT (0, y, gtk_widget_get_width (GTK_WIDGET (map)), HEAD));
  draw_legend (map, snapshot, y);
  for (guint i = 0; i < heat_map_causes (map); i++)
    {
      const CulpritFleetCause *cause = culprit_fleet_cause (map->fleet, i);
      double x = HOST_WIDTH + i * width;
      g_autofree char *class = culprit_class_text (cause->class);

      draw_text (map, snapshot, cause->culprit, &GRAPHENE_RECT_INIT (x, y, width - GAP, HEAD - LINE), &name_look, &ink);
      if (!g_str_equal (class, cause->culprit))
        draw_text (map, snapshot, class, &GRAPHENE_RECT_INIT (x, y + HEAD - LINE - GAP, width - GAP, LINE), &class_look,
                   &ink);
    }
}

static void
heat_map_draw (GtkWidget *widget, GtkSnapshot *snapshot)
{
  CulpritHeatMap *map = CULPRIT_HEAT_MAP (widget);
  const GdkRGBA ground = rgba_of (chart_paper (is_dark (widget) ? CHART_DARK : CHART_LIGHT), 1);
  double seen =
      heat_map_scrolled (map) ? gtk_adjustment_get_page_size (heat_map_scrolled (map)) : gtk_widget_get_height (widget);
  guint first = heat_map_scrolled_by (map) / ROW;
  guint last = MIN (first + (guint) (seen / ROW) + 2, heat_map_hosts (map));

  gtk_snapshot_append_color (snapshot, &ground,
                             &GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (widget), gtk_widget_get_height (widget)));
  for (guint host = first; host < last; host++)
    draw_host (map, snapshot, host);
  if (map->fleet && gtk_widget_has_focus (widget) && map->host < heat_map_hosts (map))
    {
      graphene_rect_t box = heat_map_box (map, map->host, map->cause);
      GskRoundedRect outline;
      GdkRGBA ink = ink_of (map);

      gsk_rounded_rect_init_from_rect (&outline, &box, 2);
      gtk_snapshot_append_border (snapshot, &outline, (float[4]) { 2, 2, 2, 2 }, (GdkRGBA[4]) { ink, ink, ink, ink });
    }
  if (map->fleet)
    draw_head (map, snapshot);
}
