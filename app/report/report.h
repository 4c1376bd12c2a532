/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of a study: one self-contained HTML file. */
#pragma once

#include "study/study.h"

/* Writes a report on @study to @path, for the run @run (NULL: all runs) and the @captures in it (none: all): what was
 * recorded, the verdict, the latencies, the late wake-ups and where their time went, the functions, the stall test, and
 * what every number means. The cause of a capture is determined among all captures of the run, as by culprit outliers.
 *
 * Afterwards @path has the new content completely or is unchanged. FALSE with an error, also if there is no such run or
 * capture. */
gboolean culprit_report_write (
    CulpritStudy *study, const char *run, const gint64 *captures, guint n_captures, const char *path, GError **error);

/* Whether the file at @path is a report. Those of versions that did not say so are known by what they begin with. */
gboolean culprit_report_is_one (const char *path);
