/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps a latency from one profile to another by its rank, e.g. a threshold found without tracing to the one that
 * selects the same wake-ups with tracing. */
#pragma once

#include "latency/profile.h"

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

/* The late wake-ups of a profile, as a histogram shows them. */
typedef struct
{
  guint64 count;
  gint64 from_ns; /* the shortest of them */
  gint64 to_ns;   /* the longest */
} CulpritLate;

/* Those beyond the widest gap, by the ratio of its ends, above 95 % of all latencies. FALSE: no gap there is wide
 * enough to tell them from ordinary ones. */
gboolean culprit_late_find (const CulpritProfile *profile, CulpritLate *late);

/* Those beyond the first such gap above @latency_ns. */
gboolean culprit_late_find_above (const CulpritProfile *profile, gint64 latency_ns, CulpritLate *late);

typedef struct
{
  double p;      /* the part of the base's samples at or below it; above the end of a histogram at least */
  double ns;     /* the other's quantile there, by type 7; NaN: beyond all samples of the base, or not known */
  double low_ns; /* interval that covers the 95 per cent intervals of both profiles, which assume independent latencies;
                    NaN: too few samples */
  double high_ns;
} CulpritMapped;

/* Neither profile may be empty. */
CulpritMapped culprit_map_latency (const CulpritProfile *base, const CulpritProfile *other, gint64 latency_ns);

/* What to record with tracing so as to catch wake-ups that were found without it: late ones, which are as frequent in
 * both profiles. The threshold is in the middle of the widest gap among those latencies of the other profile that may
 * have this rank, or by rank alone if no gap is wide enough; of a band that is not the highest, the upper end
 * likewise. */
typedef struct
{
  gboolean open; /* a threshold: hardly any are above the band; else a band */
  gint64 low_ns; /* the threshold, or the first latency of the band */
  gint64 high_ns;
  gboolean separate;    /* The gap is wide enough to tell late wake-ups from ordinary ones. */
  gint64 ordinary_ns;   /* its ends: ordinary wake-ups reach this, */
  gint64 late_ns;       /* and late ones begin here; nearly all of them, where strays lie between */
  double ordinary_part; /* of the wake-ups that are none of these by rank, how many are caught all the same */
  double late_part;     /* of the others, how many are caught */
} CulpritMappedTrigger;

/* Maps what is from @low_ns to @high_ns in @base. FALSE: all its latencies are below. Neither profile may be empty. */
gboolean culprit_map_trigger (const CulpritProfile *base,
                              const CulpritProfile *other,
                              gint64 low_ns,
                              gint64 high_ns,
                              CulpritMappedTrigger *trigger);

/* Whether @threshold_ns lies above the ordinary wake-ups of @profile, which are those below the gap near its rank;
 * where it does not, it is raised to the middle of the gap. FALSE: no latency is above it. */
gboolean culprit_raise_threshold (const CulpritProfile *profile, gint64 threshold_ns, CulpritMappedTrigger *trigger);

/* "With tracing, ordinary wake-ups reach 471.0 us, and late ones begin at 1.848 ms. This catches 0.10 % of ordinary
 * wake-ups and 98.00 % of the late ones." The caller owns it. */
char *culprit_mapped_trigger_in_words (const CulpritMappedTrigger *trigger);

/* "200.0 us of off corresponds to 231.1 us (228.0 us to 235.2 us, if latencies are independent)...": describes @mapped,
 * of @latency_ns of @base. The caller owns it. */
char *culprit_mapped_in_words (const CulpritMapped *mapped, gint64 latency_ns, const char *base);
