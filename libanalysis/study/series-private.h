/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where runs that come into a study belong. */
#pragma once

#include "series.h"
#include "study.h"

/* The number of the series @name, which is made with @configuration (a JSON text) if there is none. */
gboolean series_enter (
    CulpritStudy *study, const char *name, const char *configuration, gint64 *series, GError **error);

/* Where latencies in a file called @name go: into the series @series as @turn, or -1 if there is no number in the
 * name. @series is 0 if something else is called so: they are a series by themselves. */
gboolean series_of_file (CulpritStudy *study, const char *name, gint64 *series, gint64 *turn, GError **error);
