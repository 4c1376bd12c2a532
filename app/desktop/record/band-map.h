/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which band to record where one was chosen in a histogram: under tracing all wake-ups are later, so it is carried to
 * the traced latencies of the same rank, where the study has both. */
#pragma once

#include "document.h"

typedef struct
{
  gint64 low_ns;
  gint64 high_ns;
  gint64 period_ns; /* of the runs; 0: not known */
  char *remark;     /* what was done and why, in sentences */
  char *rate;       /* how many wake-ups it has, in a sentence; NULL: not known */
  char *warning;    /* why recording it would be of no use, in a sentence; NULL: no reason is known */
} BandMap;

/* The band to record for that from @low_ns to @high_ns, which was chosen among the latencies of @run. */
BandMap band_map (CulpritDocument *document, const char *run, gint64 low_ns, gint64 high_ns);

void band_map_clear (BandMap *map);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BandMap, band_map_clear)
