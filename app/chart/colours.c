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
  ChartColour paper;
  ChartColour ink;
  ChartColour faint;
  ChartColour runs[CHART_COLOURS];
} palettes[] = {
  [CHART_LIGHT] = { RGB (0xffffff),
                    RGB (0x222222),
                    RGB (0xdddddd),
                    { RGB (0x0072b2), RGB (0xd55e00), RGB (0x009e73), RGB (0xcc79a7), RGB (0x222222), RGB (0xe69f00),
                      RGB (0x56b4e9) } },
  [CHART_DARK] = { RGB (0x1e1e1e),
                   RGB (0xeeeeee),
                   RGB (0x444444),
                   { RGB (0x56b4e9), RGB (0xe69f00), RGB (0x00c08b), RGB (0xe3a0c5), RGB (0xf0f0f0), RGB (0xf0e442),
                     RGB (0xff7f2a) } },
};

const ChartColour *
chart_run_colour (ChartPalette palette, guint number)
{
  return &palettes[palette].runs[number % CHART_COLOURS];
}

const ChartColour *
chart_paper (ChartPalette palette)
{
  return &palettes[palette].paper;
}

const ChartColour *
chart_ink (ChartPalette palette)
{
  return &palettes[palette].ink;
}

const ChartColour *
chart_faint (ChartPalette palette)
{
  return &palettes[palette].faint;
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

ChartColour
chart_text_on (const ChartColour *colour)
{
  double light = 0.3 * colour->red + 0.59 * colour->green + 0.11 * colour->blue;

  return light > 0.5 ? (ChartColour) { 0, 0, 0 } : (ChartColour) { 1, 1, 1 };
}

char *
chart_colours_css (ChartPalette palette)
{
  GString *css = g_string_new (NULL);

  for (guint i = 0; i < CHART_COLOURS; i++)
    {
      const ChartColour *colour = chart_run_colour (palette, i);

      g_string_append_printf (css, "--run-%u: #%02x%02x%02x; ", i, (guint) lround (colour->red * 255),
                              (guint) lround (colour->green * 255), (guint) lround (colour->blue * 255));
    }
  return g_string_free (css, FALSE);
}
