/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hues after Okabe and Ito; shades and levels are mixed with the paper, so that all boxes are opaque. */
#include "timeline-palette.h"

typedef struct
{
  const char *paper, *ink, *faint, *grid, *band, *window, *ordinary, *late, *on_late, *hatch, *tracing, *cut, *select;
  const char *contexts[CULPRIT_CONTEXTS]; /* measured, task, idle, hardirq, softirq, nmi */
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
  .tracing = "rgba(0,0,0,0.30)",
  .cut = "rgba(0,0,0,0.65)",
  .select = "rgba(0,90,200,0.16)",
  .contexts = { "#74bdf0", "#8fd3b6", "#d9d9d4", "#f0ac3c", "#ece05a", "#dc9cc4" },
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
  .tracing = "rgba(0,0,0,0.42)",
  .cut = "rgba(255,255,255,0.75)",
  .select = "rgba(120,180,255,0.20)",
  .contexts = { "#2a7db8", "#1f7d5f", "#4b4b4e", "#a56a08", "#857a17", "#95537b" },
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
make (const Names *names)
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
  palette->tracing = parse (names->tracing);
  palette->cut = parse (names->cut);
  palette->select = parse (names->select);
  for (guint context = 0; context < CULPRIT_CONTEXTS; context++)
    {
      GdkRGBA hue = parse (names->contexts[context]);

      make_calls (palette, context, &hue);
    }
  return palette;
}

const TimelinePalette *
timeline_palette_get (gboolean is_dark)
{
  static TimelinePalette *palettes[2];
  gboolean which = is_dark ? 1 : 0;

  if (!palettes[which])
    palettes[which] = make (which ? &dark : &light);
  return palettes[which];
}
