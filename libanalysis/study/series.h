/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which runs belong together.
 *
 * A series consists of runs made together: a recording, captures imported under one name, or files of another tool's
 * latencies whose names differ only in a number at the end. Runs of a series with the same tracing are an arm; their
 * latencies may be pooled. If runs alternate, each has a turn. culprit_query_runs() has series, tracing, turn and name
 * of the arm for each run. Imported captures get their series from the trigger run_added of the schema. */
#pragma once

#include "study.h"

#include <glib.h>

/* The name of a run of the recording @series: @series, or, if runs alternate, "SERIES/off-1", "SERIES/on-1". @turn: 0
 * if they do not. The caller owns it. */
char *culprit_series_run_name (const char *series, gboolean traced, gint64 turn);

/* Assigns runs to series. */

/* The number of the series @name, which is created with @configuration (a JSON text) if needed. */
gboolean series_enter (
    CulpritStudy *study, const char *name, const char *configuration, gint64 *series, GError **error);

/* Assigns latencies in a file called @name: to the series @series with @turn, or -1 if there is no number in the name.
 * @series is 0 if something else than files that were imported here has that name: they get a series of their own. */
gboolean series_of_file (CulpritStudy *study, const char *name, gint64 *series, gint64 *turn, GError **error);
