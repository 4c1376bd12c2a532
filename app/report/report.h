/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of a study: one self-contained HTML file. */
#pragma once

#include "study/study.h"

/* Writes to @path what @study says of the run @run (NULL: of all), or of those @captures in it (none: of all): what was
 * recorded, the verdict, the latencies, the late wake-ups and where their time went, the functions, the stall test, and
 * what every number means. What a capture is due to is judged among all of the run, as culprit outliers does.
 *
 * Afterwards @path is whole or as it was before. FALSE with an error, also if there is no such run or capture. */
gboolean culprit_report_write (
    CulpritStudy *study, const char *run, const gint64 *captures, guint n_captures, const char *path, GError **error);
