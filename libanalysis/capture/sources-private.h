/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who held the CPU in the windows, and through which calls. */
#pragma once

#include "tree.h"
#include "walk-private.h"

typedef struct
{
  GArray *array;       /* of CulpritSource */
  GHashTable *numbers; /* of the sources in @array, counted from 1 */
  gint64 last_key;     /* of the most recently found source */
  guint last_number;   /* 0: none was */
} Sources;

/* Starts with the sources in @array, which is not owned and not changed. */
void sources_init (Sources *sources, GArray *array);

void sources_clear (Sources *sources);

/* Adds @length_ns of @stretch, of which @tracing_ns are the tracer's, to its source among @sources. */
void sources_add (
    Sources *sources, const CulpritCapture *capture, const Stretch *stretch, guint64 length_ns, guint64 tracing_ns);

/* Adds the sources of one window to @sums and empties @window. */
void sources_sum (Sources *sums, Sources *window);

/* Sets the paths of the outlier's sources and of the parts of its budget, from the @tree of its window. */
void sources_find_paths (CulpritCapture *capture, const CulpritTree *tree);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sources, sources_clear)

/* Finds out what the other CPUs did during the stall. */
void sources_find_silence (const Walk *walk, CulpritCapture *capture);
