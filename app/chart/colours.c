/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The colours of Okabe and Ito, which do not depend on distinguishing red from green. */
#include "colours.h"

#include <math.h>

#define RGB(hex)                                                                                                       \
  {                                                                                                                    \
    ((hex) >> 16 & 255) / 255.0, ((hex) >> 8 & 255) / 255.0, ((hex) &255) / 255.0                                      \
  }

static const struct
{
  ChartColour paper, ink, faint, late, ordinary, culprit, other, rule, selection;
  ChartColour runs[CHART_COLOURS];
  ChartColour parts[CHART_COLOURS];
  ChartColour contexts[CULPRIT_CONTEXTS];
} palettes[] = {
  [CHART_LIGHT] = {
    .paper = RGB (0xffffff),
    .ink = RGB (0x222222),
    .faint = RGB (0xdddddd),
    .late = RGB (0xd55e00),
    .ordinary = RGB (0x0072b2),
    .culprit = RGB (0xc6262e),
    .other = RGB (0xa9b1ba),
    .rule = RGB (0x808080),
    .selection = RGB (0xe69f00),
    .runs = { RGB (0x0072b2), RGB (0xd55e00), RGB (0x009e73), RGB (0xcc79a7), RGB (0x222222), RGB (0xe69f00),
              RGB (0x56b4e9) },
    .parts = { RGB (0x0072b2), RGB (0x56b4e9), RGB (0x009e73), RGB (0xe69f00), RGB (0x8f6bb8), RGB (0xcc79a7),
               RGB (0x6f7b3a) },
    .contexts = { RGB (0x74bdf0), RGB (0x8fd3b6), RGB (0xd9d9d4), RGB (0xf0ac3c), RGB (0xece05a), RGB (0xdc9cc4),
                  RGB (0xb8a6dc) },
  },
  [CHART_DARK] = {
    .paper = RGB (0x1e1e1e),
    .ink = RGB (0xeeeeee),
    .faint = RGB (0x444444),
    .late = RGB (0xd55e00),
    .ordinary = RGB (0x0072b2),
    .culprit = RGB (0xff6b63),
    .other = RGB (0x69727c),
    .rule = RGB (0x808080),
    .selection = RGB (0xe69f00),
    .runs = { RGB (0x56b4e9), RGB (0xe69f00), RGB (0x00c08b), RGB (0xe3a0c5), RGB (0xf0f0f0), RGB (0xf0e442),
              RGB (0xff7f2a) },
    .parts = { RGB (0x4a9fd8), RGB (0x8accf0), RGB (0x2fbf94), RGB (0xf0b429), RGB (0xb598dc), RGB (0xe3a0c5),
               RGB (0xa9b665) },
    .contexts = { RGB (0x2a7db8), RGB (0x1f7d5f), RGB (0x4b4b4e), RGB (0xa56a08), RGB (0x857a17), RGB (0x95537b),
                  RGB (0x66509a) },
  },
};

const ChartColour *
chart_run_colour (ChartPalette palette, guint number)
{
  return &palettes[palette].runs[number % CHART_COLOURS];
}

const ChartColour *
chart_part_colour (ChartPalette palette, guint number)
{
  return &palettes[palette].parts[number % CHART_COLOURS];
}

const ChartColour *
chart_context_colour (ChartPalette palette, CulpritContext context)
{
  return &palettes[palette].contexts[context];
}

ChartHatch
chart_hatch (CulpritContext context)
{
  return context == CULPRIT_CONTEXT_BLOCKED ? CHART_HATCH_LEFT
         : context == CULPRIT_CONTEXT_TASK  ? CHART_HATCH_UPRIGHT
                                            : CHART_PLAIN;
}

#define COLOUR(name)                                                                                                   \
  const ChartColour *chart_##name (ChartPalette palette)                                                               \
  {                                                                                                                    \
    return &palettes[palette].name;                                                                                    \
  }

COLOUR (late)
COLOUR (ordinary)
COLOUR (culprit)
COLOUR (other)
COLOUR (rule)
COLOUR (selection)
COLOUR (paper)
COLOUR (ink)
COLOUR (faint)

static void G_GNUC_PRINTF (3, 4) add_property (GString *css, const ChartColour *colour, const char *name, ...)
{
  va_list arguments;

  g_string_append (css, "--");
  va_start (arguments, name);
  g_string_append_vprintf (css, name, arguments);
  va_end (arguments);
  g_string_append_printf (css, ": #%02x%02x%02x; ", (guint) lround (colour->red * 255),
                          (guint) lround (colour->green * 255), (guint) lround (colour->blue * 255));
}

ChartColour
chart_difference_colour (ChartPalette palette, double part)
{
  static const ChartColour ends[][3] = {
    [CHART_LIGHT] = { RGB (0x0072b2), RGB (0xe9e9e9), RGB (0xe66100) },
    [CHART_DARK] = { RGB (0x56b4e9), RGB (0x4a4a4a), RGB (0xff8a33) },
  };
  const ChartColour *same = &ends[palette][1];
  const ChartColour *end = &ends[palette][part < 0 ? 0 : 2];
  double much = MIN (fabs (part), 1);

  return (ChartColour) { same->red + (end->red - same->red) * much, same->green + (end->green - same->green) * much,
                         same->blue + (end->blue - same->blue) * much };
}

/* The part @value of a colour as light. */
static double
linear (double value)
{
  return value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4);
}

/* Black or white, whichever has the larger contrast by WCAG: (lighter + 0.05) / (darker + 0.05), at least 4.58. */
ChartColour
chart_text_on (const ChartColour *colour)
{
  double light = 0.2126 * linear (colour->red) + 0.7152 * linear (colour->green) + 0.0722 * linear (colour->blue);
  gboolean black = (light + 0.05) / 0.05 > 1.05 / (light + 0.05);

  return black ? (ChartColour) { 0, 0, 0 } : (ChartColour) { 1, 1, 1 };
}

char *
chart_colours_css (ChartPalette palette)
{
  GString *css = g_string_new (NULL);

  for (guint i = 0; i < CHART_COLOURS; i++)
    add_property (css, chart_run_colour (palette, i), "run-%u", i);
  for (guint i = 0; i < CHART_COLOURS; i++)
    add_property (css, chart_part_colour (palette, i), "part-%u", i);
  for (guint i = 0; i < CULPRIT_CONTEXTS; i++)
    add_property (css, chart_context_colour (palette, i), "context-%s", culprit_context_name (i));
  add_property (css, chart_culprit (palette), "culprit");
  add_property (css, chart_other (palette), "other");
  return g_string_free (css, FALSE);
}
