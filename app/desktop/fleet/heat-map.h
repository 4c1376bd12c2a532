/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of hosts and causes with shaded cells, to be put into a GtkScrolledWindow. It emits "activated" (guint host,
 * int cause; -1: the whole host) on click, Enter and Space. */
#pragma once

#include "fleet/fleet.h"

#include <gtk/gtk.h>

/* What shade and number of a cell stand for. */
typedef enum
{
  HEAT_CAPTURES, /* late wake-ups that the cause explains */
  HEAT_WEIGHT,   /* its share of the host's excess */
} HeatShade;

#define CULPRIT_TYPE_HEAT_MAP (culprit_heat_map_get_type ())

G_DECLARE_FINAL_TYPE (CulpritHeatMap, culprit_heat_map, CULPRIT, HEAT_MAP, GtkWidget)

/* Shows @fleet, which must live as long as it is shown; NULL: nothing. */
void culprit_heat_map_set_fleet (CulpritHeatMap *map, const CulpritFleet *fleet);
void culprit_heat_map_set_shade (CulpritHeatMap *map, HeatShade shade);
