/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hosts by causes, as a table whose cells are shaded. It emits "activated" (guint host, int cause; -1: all of the host)
 * on click, Enter and Space. To be put into a GtkScrolledWindow. */
#pragma once

#include "fleet/fleet.h"

#include <gtk/gtk.h>

/* What the shade and the number of a cell are. */
typedef enum
{
  HEAT_CAPTURES, /* the late wake-ups that the cause explains */
  HEAT_WEIGHT,   /* its part of the host's excess */
} HeatShade;

#define CULPRIT_TYPE_HEAT_MAP (culprit_heat_map_get_type ())

G_DECLARE_FINAL_TYPE (CulpritHeatMap, culprit_heat_map, CULPRIT, HEAT_MAP, GtkWidget)

/* Shows @fleet, which must outlive its use; NULL: none. */
void culprit_heat_map_set_fleet (CulpritHeatMap *map, const CulpritFleet *fleet);
void culprit_heat_map_set_shade (CulpritHeatMap *map, HeatShade shade);
