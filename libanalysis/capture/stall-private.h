/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search for the longest stretch of the outlier window, during a walk. */
#pragma once

#include "walk-private.h"

/* An event at the beginning or end of a stretch. */
typedef struct
{
  guint32 function; /* NO_FUNCTION: there is none inside the window */
  gboolean entry;
} Neighbour;

typedef struct
{
  const CulpritWindow *outlier; /* NULL: there is none */
  CulpritStall longest;
  Neighbour last; /* the last event in the window */
  Neighbour before;
  Neighbour after;
  gboolean open; /* The next event ends the longest stretch so far. */
} StallSearch;

void stall_begin (StallSearch *search, const CulpritWindow *outlier);

/* The part of @stretch inside the window, @length_ns from @start_ns on. */
void stall_note (StallSearch *search, const Stretch *stretch, guint64 start_ns, guint64 length_ns);

/* An event inside the window. */
static inline void
stall_note_event (StallSearch *search, guint32 function, gboolean entry)
{
  search->last = (Neighbour) { function, entry };
  if (G_LIKELY (!search->open))
    return;
  search->after = search->last;
  search->open = FALSE;
}

/* Tells @capture of the longest stretch, and what the other CPUs did during it. */
void stall_finish (const StallSearch *search, const Walk *walk, CulpritCapture *capture);
