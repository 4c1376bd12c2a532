/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws the rows of a heat map that are seen; the heading stays at the top. A cell's number is there for who cannot
 * tell shades. */
#include "chart/colours.h"

#include "charts/dark.h"
#include "fleet/heat-map-private.h"
#include "show.h"
#include "tables/format.h"

#include <math.h>

#define LINE 22 /* of the heading */
#define GAP 2
#define PADDING 4
#define BREAK "\u200b" /* where a name may go on in the next line */
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

  return (GdkRGBA) { colour->red, colour->green, colour->blue, value > 0 ? LEAST_SHADE + (1 - LEAST_SHADE) * part : 0 };
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

/* Text in the middle of @box, cut where it is too long. */
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

/* What is read best on @shade over the ground. */
static GdkRGBA
text_on (CulpritHeatMap *map, const GdkRGBA *shade)
{
  const ChartColour *paper = chart_paper (is_dark (GTK_WIDGET (map)) ? CHART_DARK : CHART_LIGHT);
  double below = 1 - shade->alpha;
  double light = 0.3 * (shade->red * shade->alpha + paper->red * below) +
                 0.59 * (shade->green * shade->alpha + paper->green * below) +
                 0.11 * (shade->blue * shade->alpha + paper->blue * below);

  return light > 0.5 ? (GdkRGBA) { 0, 0, 0, 1 } : (GdkRGBA) { 1, 1, 1, 1 };
}

static void
draw_cell (CulpritHeatMap *map, GtkSnapshot *snapshot, guint host, guint cause)
{
  const GdkRGBA faint = { 0.5f, 0.5f, 0.5f, 0.07f };
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

/* From no late wake-up to the most. */
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
  const ChartColour *paper = chart_paper (is_dark (GTK_WIDGET (map)) ? CHART_DARK : CHART_LIGHT);
  const GdkRGBA ground = { paper->red, paper->green, paper->blue, 1 };
  GdkRGBA ink = ink_of (map);

  gtk_snapshot_append_color (snapshot, &ground,
                             &GRAPHENE_RECT_INIT (0, y, gtk_widget_get_width (GTK_WIDGET (map)), HEAD));
  draw_legend (map, snapshot, y);
  for (guint i = 0; i < heat_map_causes (map); i++)
    {
      const CulpritFleetCause *cause = culprit_fleet_cause (map->fleet, i);
      double x = HOST_WIDTH + i * width;
      g_autofree char *class = culprit_class_text (cause->class);
      g_auto (GStrv) words = g_strsplit (cause->culprit, "_", -1);
      g_autofree char *breakable = g_strjoinv ("_" BREAK, words);

      draw_text (map, snapshot, breakable, &GRAPHENE_RECT_INIT (x, y, width - GAP, HEAD - LINE), &name_look, &ink);
      if (!g_str_equal (class, cause->culprit))
        draw_text (map, snapshot, class, &GRAPHENE_RECT_INIT (x, y + HEAD - LINE - GAP, width - GAP, LINE), &class_look,
                   &ink);
    }
}

void
heat_map_draw (GtkWidget *widget, GtkSnapshot *snapshot)
{
  CulpritHeatMap *map = CULPRIT_HEAT_MAP (widget);
  const ChartColour *paper = chart_paper (is_dark (widget) ? CHART_DARK : CHART_LIGHT);
  const GdkRGBA ground = { paper->red, paper->green, paper->blue, 1 };
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
