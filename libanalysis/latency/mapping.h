/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps a latency from one profile to another by its rank, e.g. a threshold found without tracing to the one that
 * selects the same wake-ups with tracing. */
#pragma once

#include "profile.h"

/* How many latencies are within a band, and whether it can be recorded with profit. */

typedef struct
{
  guint64 inside; /* both ends included */
  guint64 n;
} CulpritBandCount;

/* The latencies of @profile from @low_ns to @high_ns. */
CulpritBandCount culprit_band_count (const CulpritProfile *profile, gint64 low_ns, gint64 high_ns);

/* The same for all @n @profiles together. */
CulpritBandCount culprit_band_count_all (const CulpritProfile *const *profiles, guint n, gint64 low_ns, gint64 high_ns);

/* The index of the one of @n @profiles, at least one, with the largest share of its latencies in the band; of equal
 * ones, the first. */
guint culprit_band_find (const CulpritProfile *const *profiles, guint n, gint64 low_ns, gint64 high_ns);

/* "about 1 in 20 wake-ups", "most wake-ups", "none of 3,000 wake-ups". The caller owns it. */
char *culprit_band_rate_in_words (const CulpritBandCount *count);

/* Why wake-ups of @profile in the band are ordinary ones, in a sentence: they are no later than half of all, or a tenth
 * of them. NULL: they are not. The caller owns it. */
char *culprit_band_warning (const CulpritProfile *profile, gint64 low_ns, gint64 high_ns);

/* "12 of 3,000 wake-ups (0.40 %)". The caller owns it. */
char *culprit_band_in_words (const CulpritBandCount *count);

typedef struct
{
  double p;      /* the part of the base's samples at or below it */
  double ns;     /* the other's quantile there, by type 7; NaN: beyond all samples of the base */
  double low_ns; /* interval that covers the 95 per cent intervals of both profiles, which assume independent latencies;
                    NaN: too few samples */
  double high_ns;
} CulpritMapped;

/* Neither profile may be empty. */
CulpritMapped culprit_map_latency (const CulpritProfile *base, const CulpritProfile *other, gint64 latency_ns);

/* A band of one profile and the one in the other that selects the same wake-ups. */
typedef struct
{
  CulpritMapped low;
  CulpritMapped high;
  gint64 low_ns; /* widened by the intervals, but not into the bands of other peaks */
  gint64 high_ns;
} CulpritMappedBand;

/* Maps the band from @low_ns to @high_ns. FALSE: all latencies of @base are below it. */
gboolean culprit_map_band (
    const CulpritProfile *base, const CulpritProfile *other, gint64 low_ns, gint64 high_ns, CulpritMappedBand *band);

/* "200.0 us of off corresponds to 231.1 us (228.0 us to 235.2 us, if latencies are independent)...": describes @mapped,
 * of @latency_ns of @base. The caller owns it. */
char *culprit_mapped_in_words (const CulpritMapped *mapped, gint64 latency_ns, const char *base);
