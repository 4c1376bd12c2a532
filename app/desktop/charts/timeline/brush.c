/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Three ways to draw: render nodes for the screen, a canvas that needs few of them, cairo for files. Hues after Okabe
 * and Ito; shades and levels are mixed with the paper, so that all boxes are opaque. Layouts are cached by text and
 * width, in steps, so that zooming does not lay out every name again. */
#include "charts/timeline/brush.h"

#include "chart/colours.h"
#include "seeded-hash.h"
#include "show.h"

#include <math.h>

/* Each band is one line of pixels, filled here directly and stretched by cairo to the band's height. Colours are
 * rounded as cairo rounds them. */

typedef struct
{
  double y;
  double bottom;
  cairo_surface_t *surface; /* one line of pixels */
  guint32 *pixels;          /* its memory */
} Band;

struct _Canvas
{
  int x;
  int y;
  int width;
  int bottom;
  int scale;
  guint columns; /* device pixels */
  GArray *bands; /* of Band */
  guint band;    /* filled last; boxes come row by row */
};

Canvas *
canvas_new (int x, int y, int width, int bottom, int scale)
{
  Canvas *canvas = g_new (Canvas, 1);

  *canvas = (Canvas) { .x = x,
                       .y = y,
                       .width = width,
                       .bottom = bottom,
                       .scale = scale,
                       .columns = MAX (width * scale, 1),
                       .bands = g_array_new (FALSE, FALSE, sizeof (Band)) };
  return canvas;
}

void
canvas_add_band (Canvas *canvas, double y, double height)
{
  cairo_surface_t *line = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, canvas->columns, 1);
  Band band = { y, y + height, line, (guint32 *) (gpointer) cairo_image_surface_get_data (line) };

  g_array_append_val (canvas->bands, band);
}

/* Rounded as by cairo and pixman. */
static guint32
channel (double value)
{
  return (guint32) (value * 65535 + 0.5) >> 8;
}

static guint32
make_pixel (const GdkRGBA *colour)
{
  double alpha = colour->alpha;

  return channel (alpha) << 24 | channel (colour->red * alpha) << 16 | channel (colour->green * alpha) << 8 |
         channel (colour->blue * alpha);
}

/* @over blended on @under. */
static guint32
blend (guint32 over, guint32 under)
{
  guint32 rest = 255 - (over >> 24);
  guint32 sum = 0;

  for (guint shift = 0; shift < 32; shift += 8)
    {
      guint32 part = (under >> shift & 255) * rest + 128;

      sum |= MIN ((over >> shift & 255) + ((part + (part >> 8)) >> 8), 255) << shift;
    }
  return sum;
}

/* The column whose edge is nearest to @x. */
static inline guint
find_column (const Canvas *canvas, double x)
{
  return CLAMP ((x - canvas->x) * canvas->scale + 0.5, 0, canvas->columns);
}

/* The first band that begins at @y or below, give or take a fraction of a pixel. */
static guint
find_band (const Canvas *canvas, double y)
{
  const Band *bands = (const Band *) (gpointer) canvas->bands->data;
  guint band = canvas->band;

  while (band > 0 && bands[band - 1].y > y - 0.5)
    band--;
  while (band < canvas->bands->len && bands[band].y < y - 0.5)
    band++;
  return band;
}

/* Fills the bands that begin between @y and @y + @height, to the nearest device pixels. */
static void
canvas_fill (Canvas *canvas, double x, double y, double width, double height, const GdkRGBA *colour)
{
  guint left = find_column (canvas, x);
  guint right = find_column (canvas, x + width);
  guint32 pixel = make_pixel (colour);

  canvas->band = find_band (canvas, y);
  for (guint band = canvas->band; band < canvas->bands->len; band++)
    {
      const Band *filled = &g_array_index (canvas->bands, Band, band);

      if (filled->y > y + height - 0.5)
        return;
      for (guint column = left; column < right; column++)
        filled->pixels[column] = colour->alpha < 1 ? blend (pixel, filled->pixels[column]) : pixel;
    }
}

static double
snap (const Canvas *canvas, double y)
{
  return round (CLAMP (y, canvas->y, canvas->bottom) * canvas->scale) / canvas->scale;
}

static void
show_band (const Canvas *canvas, const Band *band, GtkSnapshot *snapshot)
{
  double top = snap (canvas, band->y);
  double height = snap (canvas, band->bottom) - top;
  cairo_matrix_t matrix = { canvas->scale, 0, 0, 1 / height, -canvas->x * canvas->scale, -top / height };
  cairo_pattern_t *pattern;
  cairo_t *cr;

  if (height <= 0)
    return;
  cairo_surface_mark_dirty (band->surface);
  pattern = cairo_pattern_create_for_surface (band->surface);
  cairo_pattern_set_matrix (pattern, &matrix);
  cairo_pattern_set_filter (pattern, CAIRO_FILTER_NEAREST);
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (canvas->x, top, canvas->width, height));
  cairo_set_source (cr, pattern);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_pattern_destroy (pattern);
}

void
canvas_show (Canvas *canvas, GtkSnapshot *snapshot)
{
  for (guint i = 0; i < canvas->bands->len; i++)
    {
      const Band *band = &g_array_index (canvas->bands, Band, i);

      show_band (canvas, band, snapshot);
      cairo_surface_destroy (band->surface);
    }
  g_array_unref (canvas->bands);
  g_free (canvas);
}

#define HATCH 8 /* distance of lines along either axis */
#define MAX_LABELS 4096
#define STEP 12
#define ELLIPSIS_FROM 90 /* In less room an ellipsis would replace what tells names apart. */
#define MIN_LETTERS 3
#define FONT_SCALE 0.9

void
brush_fill (const Brush *brush, double x, double y, double width, double height, const GdkRGBA *colour)
{
  if (width <= 0 || height <= 0)
    return;
  if (brush->snapshot)
    {
      gtk_snapshot_append_color (brush->snapshot, colour, &GRAPHENE_RECT_INIT (x, y, width, height));
      return;
    }
  if (brush->canvas)
    {
      canvas_fill (brush->canvas, x, y, width, height, colour);
      return;
    }
  gdk_cairo_set_source_rgba (brush->cr, colour);
  cairo_rectangle (brush->cr, x, y, width, height);
  cairo_fill (brush->cr);
}

/* One tile of the hatching, to be repeated: it stays sharp, unlike a gradient. */
static void
hatch_with_tiles (
    const Brush *brush, double x, double y, double width, double height, ChartHatch hatch, const GdkRGBA *colour)
{
  gtk_snapshot_push_repeat (brush->snapshot, &GRAPHENE_RECT_INIT (x, y, width, height),
                            &GRAPHENE_RECT_INIT (0, 0, HATCH, HATCH));
  if (hatch == CHART_HATCH_UPRIGHT)
    gtk_snapshot_append_color (brush->snapshot, colour, &GRAPHENE_RECT_INIT (0, 0, 1, HATCH));
  for (guint i = 0; i < HATCH && hatch != CHART_HATCH_UPRIGHT; i++)
    gtk_snapshot_append_color (brush->snapshot, colour,
                               &GRAPHENE_RECT_INIT (i, hatch == CHART_HATCH_LEFT ? i : HATCH - 1 - i, 1, 1));
  gtk_snapshot_pop (brush->snapshot);
}

void
brush_hatch (
    const Brush *brush, double x, double y, double width, double height, ChartHatch hatch, const GdkRGBA *colour)
{
  const double lean = hatch == CHART_HATCH_UPRIGHT ? 0 : hatch == CHART_HATCH_LEFT ? -height : height;

  if (width <= 0 || height <= 0 || hatch == CHART_PLAIN)
    return;
  if (brush->snapshot)
    {
      hatch_with_tiles (brush, x, y, width, height, hatch, colour);
      return;
    }
  brush_clip (brush, x, y, width, height);
  gdk_cairo_set_source_rgba (brush->cr, colour);
  cairo_set_line_width (brush->cr, 1);
  for (double head = ceil ((x - height) / HATCH) * HATCH; head < x + width + height; head += HATCH)
    {
      cairo_move_to (brush->cr, head, y);
      cairo_line_to (brush->cr, head - lean, y + height);
    }
  cairo_stroke (brush->cr);
  brush_unclip (brush);
}

void
brush_frame (
    const Brush *brush, double x, double y, double width, double height, double thickness, const GdkRGBA *colour)
{
  brush_fill (brush, x, y, width, thickness, colour);
  brush_fill (brush, x, y + height - thickness, width, thickness, colour);
  brush_fill (brush, x, y + thickness, thickness, height - 2 * thickness, colour);
  brush_fill (brush, x + width - thickness, y + thickness, thickness, height - 2 * thickness, colour);
}

void
brush_text (const Brush *brush, double x, double y, PangoLayout *layout, const GdkRGBA *colour)
{
  if (brush->snapshot)
    {
      gtk_snapshot_save (brush->snapshot);
      gtk_snapshot_translate (brush->snapshot, &GRAPHENE_POINT_INIT (x, y));
      gtk_snapshot_append_layout (brush->snapshot, layout, colour);
      gtk_snapshot_restore (brush->snapshot);
      return;
    }
  gdk_cairo_set_source_rgba (brush->cr, colour);
  cairo_move_to (brush->cr, x, y);
  pango_cairo_show_layout (brush->cr, layout);
}

void
brush_clip (const Brush *brush, double x, double y, double width, double height)
{
  if (brush->snapshot)
    {
      gtk_snapshot_push_clip (brush->snapshot, &GRAPHENE_RECT_INIT (x, y, MAX (width, 0), MAX (height, 0)));
      return;
    }
  cairo_save (brush->cr);
  cairo_rectangle (brush->cr, x, y, width, height);
  cairo_clip (brush->cr);
}

void
brush_unclip (const Brush *brush)
{
  if (brush->snapshot)
    gtk_snapshot_pop (brush->snapshot);
  else
    cairo_restore (brush->cr);
}

/* Colours. */

typedef struct
{
  const char *paper, *ink, *faint, *grid, *band, *window, *ordinary, *late, *on_late, *hatch, *silence, *tracing, *cut,
      *select;
  const char *highlights[HIGHLIGHTS_COLOURS];
} Names;

static const Names light = {
  .paper = "#ffffff",
  .ink = "#1c1c1c",
  .faint = "#5e5e5e",
  .grid = "#e9e9e9",
  .band = "#f6f6f5",
  .window = "rgba(213,94,0,0.13)",
  .ordinary = "rgba(0,114,178,0.07)",
  .late = "#c24a00",
  .on_late = "#ffffff",
  .hatch = "rgba(0,0,0,0.22)",
  .silence = "rgba(0,0,0,0.5)",
  .tracing = "rgba(0,0,0,0.30)",
  .cut = "rgba(0,0,0,0.65)",
  .select = "rgba(0,90,200,0.16)",
  .highlights = { "#c24a00", "#7a2fc0", "#00695c", "#b0125b", "#1f4fa8" },
};

static const Names dark = {
  .paper = "#1d1d1f",
  .ink = "#f0f0f0",
  .faint = "#a9a9a9",
  .grid = "#303033",
  .band = "#262628",
  .window = "rgba(255,140,60,0.15)",
  .ordinary = "rgba(120,190,255,0.08)",
  .late = "#ff8a3c",
  .on_late = "#201000",
  .hatch = "rgba(255,255,255,0.22)",
  .silence = "rgba(255,255,255,0.6)",
  .tracing = "rgba(0,0,0,0.42)",
  .cut = "rgba(255,255,255,0.75)",
  .select = "rgba(120,180,255,0.20)",
  .highlights = { "#ff8a3c", "#c99bff", "#4fd8c8", "#ff86b2", "#9dc1ff" },
};

static GdkRGBA
parse (const char *name)
{
  GdkRGBA colour = { 0 };

  gdk_rgba_parse (&colour, name);
  return colour;
}

static GdkRGBA
mix (const GdkRGBA *a, const GdkRGBA *b, double part)
{
  return (GdkRGBA) { a->red + (b->red - a->red) * part, a->green + (b->green - a->green) * part,
                     a->blue + (b->blue - a->blue) * part, 1 };
}

static void
make_calls (TimelinePalette *palette, CulpritContext context, const GdkRGBA *hue)
{
  static const double shades[SCENE_SHADES] = { 0, 0.12, 0.24 };
  static const double levels[SCENE_LEVELS] = { 0.58, 0.40, 0.20, 0 };

  for (guint shade = 0; shade < SCENE_SHADES; shade++)
    for (guint level = 0; level < SCENE_LEVELS; level++)
      {
        GdkRGBA colour = mix (hue, &palette->paper, shades[shade]);

        colour = mix (&colour, &palette->paper, levels[level]);
        palette->calls[context][shade][level] = colour;
        palette->dimmed[context][shade][level] = mix (&colour, &palette->paper, 0.5);
      }
}

static TimelinePalette *
make (const Names *names, ChartPalette contexts)
{
  TimelinePalette *palette = g_new0 (TimelinePalette, 1);

  palette->paper = parse (names->paper);
  palette->ink = parse (names->ink);
  palette->faint = parse (names->faint);
  palette->grid = parse (names->grid);
  palette->band = parse (names->band);
  palette->window = parse (names->window);
  palette->ordinary = parse (names->ordinary);
  palette->late = parse (names->late);
  palette->on_late = parse (names->on_late);
  palette->hatch = parse (names->hatch);
  palette->silence = parse (names->silence);
  palette->tracing = parse (names->tracing);
  palette->cut = parse (names->cut);
  palette->select = parse (names->select);
  for (guint i = 0; i < HIGHLIGHTS_COLOURS; i++)
    palette->highlights[i] = parse (names->highlights[i]);
  for (guint context = 0; context < CULPRIT_CONTEXTS; context++)
    {
      const ChartColour *colour = chart_context_colour (contexts, context);

      make_calls (palette, context, &(GdkRGBA) { colour->red, colour->green, colour->blue, 1 });
    }
  return palette;
}

const TimelinePalette *
timeline_palette_get (gboolean is_dark)
{
  static TimelinePalette *palettes[2];
  gboolean which = is_dark ? 1 : 0;

  if (!palettes[which])
    palettes[which] = which ? make (&dark, CHART_DARK) : make (&light, CHART_LIGHT);
  return palettes[which];
}

/* Labels. */

struct _Labels
{
  PangoContext *context;
  PangoFontDescription *font;
  GHashTable *layouts; /* text, and width if it is cut -> PangoLayout */
};

Labels *
labels_new (GtkWidget *widget)
{
  Labels *labels = g_new0 (Labels, 1);
  double size;

  labels->context = gtk_widget_create_pango_context (widget);
  labels->font = pango_font_description_copy (pango_context_get_font_description (labels->context));
  size = pango_font_description_get_size (labels->font) * FONT_SCALE;
  if (pango_font_description_get_size_is_absolute (labels->font))
    pango_font_description_set_absolute_size (labels->font, size);
  else
    pango_font_description_set_size (labels->font, size);
  labels->layouts = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, g_object_unref);
  return labels;
}

void
labels_free (Labels *labels)
{
  g_object_unref (labels->context);
  pango_font_description_free (labels->font);
  g_hash_table_unref (labels->layouts);
  g_free (labels);
}

/* The layout kept as @key, or a new one of @text. */
static PangoLayout *
find_layout (Labels *labels, const char *key, const char *text, int width)
{
  PangoLayout *layout = g_hash_table_lookup (labels->layouts, key);
  g_autofree char *line = NULL;

  if (layout)
    return layout;
  if (g_hash_table_size (labels->layouts) >= MAX_LABELS)
    g_hash_table_remove_all (labels->layouts);
  layout = pango_layout_new (labels->context);
  pango_layout_set_font_description (layout, labels->font);
  line = shown (text);
  pango_layout_set_text (layout, line, -1);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  if (width > 0)
    {
      pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
      pango_layout_set_width (layout, width * PANGO_SCALE);
    }
  g_hash_table_insert (labels->layouts, g_strdup (key), layout);
  return layout;
}

/* The beginning of @text that fits into @width, given that the whole takes @natural; NULL: too little to be useful. */
static char *
cut_text (const char *text, double width, int natural)
{
  glong letters = g_utf8_strlen (text, -1) * width / natural;

  return letters >= MIN_LETTERS ? g_utf8_substring (text, 0, letters) : NULL;
}

PangoLayout *
labels_get (Labels *labels, const char *text, double width)
{
  PangoLayout *layout = find_layout (labels, text, text, 0);
  g_autofree char *key = NULL;
  int natural;

  if (width <= 0)
    return layout;
  pango_layout_get_pixel_size (layout, &natural, NULL);
  if (natural <= width)
    return layout;
  if (width < ELLIPSIS_FROM)
    {
      key = cut_text (text, width, natural);
      return key ? find_layout (labels, key, key, 0) : NULL;
    }
  width = floor (width / STEP) * STEP;
  key = g_strdup_printf ("%d\n%s", (int) width, text);
  return find_layout (labels, key, text, width);
}

void
labels_size (PangoLayout *layout, int *width, int *height)
{
  pango_layout_get_pixel_size (layout, width, height);
}
