/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What drawing a heat map and handling its input share. */
#pragma once

#include "fleet/heat-map.h"

#define ROW 28
#define HEAD 64
#define HOST_WIDTH 120
#define LEAST_WIDTH 104 /* of a cause */
#define WHOLE_HOST -1   /* as a cause */

struct _CulpritHeatMap
{
  GtkWidget parent;
  const CulpritFleet *fleet; /* NULL: none */
  HeatShade shade;
  double most; /* the greatest value of a cell */
  guint host;  /* where the keys are */
  int cause;
};

guint heat_map_causes (CulpritHeatMap *map);
guint heat_map_hosts (CulpritHeatMap *map);

/* What the shade of a cell is, and that as text, which the caller owns. */
double heat_map_value (CulpritHeatMap *map, const CulpritFleetCell *cell);
char *heat_map_value_text (CulpritHeatMap *map, double value);

double heat_map_cause_width (CulpritHeatMap *map);

/* Of the window that it is in; NULL: it is in none. And how far that is scrolled, in pixels. */
GtkAdjustment *heat_map_scrolled (CulpritHeatMap *map);
double heat_map_scrolled_by (CulpritHeatMap *map);

/* Draws what is seen: GtkWidgetClass.snapshot. */
void heat_map_draw (GtkWidget *widget, GtkSnapshot *snapshot);
