/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The colours of charts. A run has the colour of its number in its study, in every chart, table and report. */
#pragma once

#include <glib.h>

#define CHART_COLOURS 7 /* Colours repeat after this many. */

typedef enum
{
  CHART_LIGHT,
  CHART_DARK,
} ChartPalette;

typedef struct
{
  double red;
  double green;
  double blue;
} ChartColour;

/* The colour of the run @number. */
const ChartColour *chart_run_colour (ChartPalette palette, guint number);

/* The colours of a chart's background, of its texts and axes, and of its grid. */
const ChartColour *chart_paper (ChartPalette palette);
const ChartColour *chart_ink (ChartPalette palette);
const ChartColour *chart_faint (ChartPalette palette);

/* The colour of a difference, as a @part of the largest one: from blue (-1, less) over grey (0) to orange (1, more);
 * and that in which text is read best on it. */
ChartColour chart_difference_colour (ChartPalette palette, double part);
ChartColour chart_text_on (const ChartColour *colour);

/* The runs' colours as properties of a style sheet: "--run-0: #0072b2; ...", up to CHART_COLOURS. The caller owns it.
 */
char *chart_colours_css (ChartPalette palette);
