/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to record where a band was chosen in a histogram: under tracing all wake-ups are later, so it is mapped to the
 * traced latencies of the same rank, where the study has both. What has nothing above it becomes a threshold. */
#pragma once

#include "document.h"

typedef struct
{
  gboolean open; /* a threshold of low_ns; else a band */
  gint64 low_ns;
  gint64 high_ns;
  char *remark;  /* what was done and why, in sentences */
  char *rate;    /* how many wake-ups it catches, in sentences; NULL: not known */
  char *warning; /* why recording it would be of no use, in a sentence; NULL: no reason is known */
} BandMap;

/* The band to record for that from @low_ns to @high_ns, which was chosen among the latencies of @run. */
BandMap band_map (CulpritDocument *document, const char *run, gint64 low_ns, gint64 high_ns);

/* The trigger of @run to record more of the same; all 0: it has none, or its latencies are not known. */
BandMap band_map_again (CulpritDocument *document, const char *run);

/* "Band to record: 320.0 us to 373.7 us", "Record wake-ups later than 933.0 us". The caller owns it. */
char *band_map_result (const BandMap *map);

void band_map_clear (BandMap *map);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BandMap, band_map_clear)
