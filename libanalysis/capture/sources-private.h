/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who had the CPU in the windows, and by which calls the time was reached. */
#pragma once

#include "tree.h"
#include "walk-private.h"

/* Adds @length_ns of @stretch, of which @tracing_ns are the tracer's, to its source among @sources (of CulpritSource).
 */
void sources_add (
    GArray *sources, const CulpritCapture *capture, const Stretch *stretch, guint64 length_ns, guint64 tracing_ns);

/* Adds the sources of one window to @sums and empties @window. */
void sources_sum (GArray *sums, GArray *window);

/* Gives the outlier's sources and the parts of its budget their paths, by the @tree of its window. */
void sources_find_paths (CulpritCapture *capture, const CulpritTree *tree);

/* What the other CPUs did during the stall. */
void sources_find_silence (const Walk *walk, CulpritCapture *capture);
