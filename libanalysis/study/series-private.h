/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Assigns runs to series. */
#pragma once

#include "series.h"
#include "study.h"

/* The number of the series @name, which is created with @configuration (a JSON text) if needed. */
gboolean series_enter (
    CulpritStudy *study, const char *name, const char *configuration, gint64 *series, GError **error);

/* Assigns latencies in a file called @name: to the series @series with @turn, or -1 if there is no number in the name.
 * @series is 0 if something else has that name: then they get a series of their own. */
gboolean series_of_file (CulpritStudy *study, const char *name, gint64 *series, gint64 *turn, GError **error);
