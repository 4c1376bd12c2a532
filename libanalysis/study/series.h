/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which runs belong together.
 *
 * A series is what was made in one go: a recording, captures that were imported under one name, or files of another
 * tool's latencies whose names differ only in a number at the end. Runs of a series with the same tracing are an arm;
 * their latencies may be added up. Where runs took turns each has its turn. culprit_query_runs() tells of each run its
 * series, tracing, turn and what its arm is called. */
#pragma once

#include <glib.h>

/* What a run of the recording @series is called: @series, or where runs take turns "SERIES/off-1", "SERIES/on-1".
 * @turn: 0: it takes none. The caller owns it. */
char *culprit_series_run_name (const char *series, gboolean traced, gint64 turn);
