/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The colours that mean something, in every chart, table and report: a run has that of its number in its study. */
#pragma once

#include "capture/capture.h"

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

/* The colour of the part @number of a budget, and of calls in @context. */
const ChartColour *chart_part_colour (ChartPalette palette, guint number);
const ChartColour *chart_context_colour (ChartPalette palette, CulpritContext context);

/* How lines lean that hatch a kind of time, so that it is told apart without its colour. */
typedef enum
{
  CHART_PLAIN,
  CHART_HATCH_RIGHT, /* not the system's time: the tracer's, or not captured */
  CHART_HATCH_LEFT,
  CHART_HATCH_UPRIGHT,
} ChartHatch;

/* That of time in @context: blocked and preempted time are hatched. */
ChartHatch chart_hatch (CulpritContext context);

/* Of late and ordinary wake-ups; what comes of more calls and of longer ones has the same two. */
const ChartColour *chart_late (ChartPalette palette);
const ChartColour *chart_ordinary (ChartPalette palette);

/* Of the culprit, and of what has no name of its own. */
const ChartColour *chart_culprit (ChartPalette palette);
const ChartColour *chart_other (ChartPalette palette);

/* Of a line in a cell or over a chart, and of a selected range. */
const ChartColour *chart_rule (ChartPalette palette);
const ChartColour *chart_selection (ChartPalette palette);

/* Of a chart's background, of its texts and axes, and of its grid. */
const ChartColour *chart_paper (ChartPalette palette);
const ChartColour *chart_ink (ChartPalette palette);
const ChartColour *chart_faint (ChartPalette palette);

/* The colour of a difference, as a @part of the largest one: from blue (-1, less) over grey (0) to orange (1, more);
 * and that in which text is read best on it. */
ChartColour chart_difference_colour (ChartPalette palette, double part);
ChartColour chart_text_on (const ChartColour *colour);

/* Those of runs, parts, contexts, the culprit and the others as properties of a style sheet: "--run-0: #0072b2;
 * ...--part-0...--context-measured...
 * --culprit: ...--other: ...". The caller owns it. */
char *chart_colours_css (ChartPalette palette);
