/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many latencies are within a band, and whether it can be recorded with profit. */
#pragma once

#include "profile.h"

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
