/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who had the CPU in the windows, and by which calls the time was reached. */
#pragma once

#include "tree.h"
#include "walk-private.h"

typedef struct
{
  GArray *array;       /* of CulpritSource */
  GHashTable *numbers; /* of the sources in @array, from 1 on */
  gint64 last_key;     /* of the source that was found last */
  guint last_number;   /* 0: none was */
} Sources;

/* Begins with those that are in @array, which is somebody else's and stays as it is. */
void sources_init (Sources *sources, GArray *array);

void sources_clear (Sources *sources);

/* Adds @length_ns of @stretch, of which @tracing_ns are the tracer's, to its source among @sources. */
void sources_add (
    Sources *sources, const CulpritCapture *capture, const Stretch *stretch, guint64 length_ns, guint64 tracing_ns);

/* Adds the sources of one window to @sums and empties @window. */
void sources_sum (Sources *sums, Sources *window);

/* Gives the outlier's sources and the parts of its budget their paths, by the @tree of its window. */
void sources_find_paths (CulpritCapture *capture, const CulpritTree *tree);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sources, sources_clear)

/* What the other CPUs did during the stall. */
void sources_find_silence (const Walk *walk, CulpritCapture *capture);
