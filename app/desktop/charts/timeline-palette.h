/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The colours of a timeline, told apart by those who see few colours as well; for light and for dark. */
#pragma once

#include "timeline-scene.h"

#include <gtk/gtk.h>

typedef struct
{
  GdkRGBA paper;
  GdkRGBA ink;
  GdkRGBA faint; /* less important text */
  GdkRGBA grid;
  GdkRGBA band;     /* behind axis and labels */
  GdkRGBA window;   /* the outlier's, laid over paper */
  GdkRGBA ordinary; /* the other windows' */
  GdkRGBA late;     /* the late wake-up, and what is lit */
  GdkRGBA on_late;  /* text on it */
  GdkRGBA hatch;
  GdkRGBA tracing;
  GdkRGBA cut; /* the torn edge of a call of which a part is missing */
  GdkRGBA select;
  GdkRGBA calls[CULPRIT_CONTEXTS][SCENE_SHADES][SCENE_LEVELS];
  GdkRGBA dimmed[CULPRIT_CONTEXTS][SCENE_SHADES][SCENE_LEVELS]; /* beside what was searched for */
} TimelinePalette;

/* Made once for each. */
const TimelinePalette *timeline_palette_get (gboolean dark);
