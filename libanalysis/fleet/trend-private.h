/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "fleet/fleet.h"

/* Fills @trend from the rows of fleet-days.sql, by their column @key, "day" or "kernel". */
void fleet_trend_fill (CulpritFleetTrend *trend, const CulpritTable *rows, const char *key);

void fleet_trend_clear (CulpritFleetTrend *trend);
