/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A latency profile: how often each latency occurred. It is lossless, and profiles of runs are merged by adding their
 * counts.
 *
 * Latencies are whole nanoseconds and may be negative. A profile from a table in microseconds knows that its values are
 * a microsecond wide. In a coarser histogram, the middle of a bin represents the latencies in it. */
#pragma once

#include "printed.h"

typedef struct
{
  gint64 latency_ns;
  guint64 count; /* at least 1 */
} CulpritBin;

typedef struct
{
  GArray *bins;            /* of CulpritBin, by latency, each latency once */
  guint64 n;               /* the sum of their counts */
  guint64 beyond;          /* further ones, above the end of the tool's histogram: no more is known of them */
  gint64 end_ns;           /* that end, if there are any: the last latency that could be counted */
  gint64 width_ns;         /* of a bin: 1 for samples in ns, 1000 for a table in us */
  gint64 middle_ns;        /* from a bin's beginning to the latency that represents it: 0 unless bins are coarse */
  CulpritPrinted *printed; /* what the tool itself printed about all latencies; NULL: nothing */
} CulpritProfile;

/* For latencies of which only these were published. */
typedef struct
{
  double mean_ns;
  double sd_ns;
  double n;
} CulpritSummary;

CulpritProfile *culprit_profile_new (gint64 width_ns);
void culprit_profile_free (CulpritProfile *profile);

/* Adds @count samples of @latency_ns, in any order, until culprit_profile_finish(); 0 only tells that a histogram goes
 * as far. FALSE, with nothing added, if the number of samples would exceed 63 bits. */
gboolean culprit_profile_add (CulpritProfile *profile, gint64 latency_ns, guint64 count);

/* Adds all samples of @other, and those beyond. */
gboolean culprit_profile_add_all (CulpritProfile *profile, const CulpritProfile *other);

/* The latencies of @profile, those above @end_ns and those beyond as one bin just above it: what is known of all of
 * them if no more is. The caller owns it. */
CulpritProfile *culprit_profile_cut (const CulpritProfile *profile, gint64 end_ns);

/* How many nanoseconds each latency of @profile stands for: 1 for samples, the width of bins for a histogram. */
gint64 culprit_profile_step (const CulpritProfile *profile);

/* @profile in bins of @width_ns, a multiple of its own: what is known of it beside a histogram as coarse as that. One
 * that ends within such a bin ends before it. The caller owns it. */
CulpritProfile *culprit_profile_coarsen (const CulpritProfile *profile, gint64 width_ns);

/* Tells where the histogram of @profile ends, in the unit of its bins: what is above is only counted from then on. */
void culprit_profile_end (CulpritProfile *profile, gint64 end_ns);

/* The sum of @profiles (of CulpritProfile, finished), at least one. Where the histogram of one ends with latencies
 * above it, those of the others above this end are beyond, too: the rank of none of them is known. Of what tools
 * printed it has the maximum and the mean, which their histograms may not tell. The caller owns it. */
CulpritProfile *culprit_profile_sum (const GPtrArray *profiles);

/* Sorts what was added. To be called before anything is read. */
void culprit_profile_finish (CulpritProfile *profile);

/* Lets the middles of bins represent them if their width is not a usual unit, ns or us. To be called after
 * culprit_profile_finish(), while latencies are the low edges of bins. */
void culprit_profile_take_middles (CulpritProfile *profile);

/* Beginning and end of the bin that @latency_ns, one of the profile's, represents; both are the latency itself unless
 * the histogram is coarse. */
static inline double
culprit_profile_from (const CulpritProfile *profile, double latency_ns)
{
  return latency_ns - profile->middle_ns;
}

static inline double
culprit_profile_to (const CulpritProfile *profile, double latency_ns)
{
  return profile->middle_ns > 0 ? latency_ns - profile->middle_ns + profile->width_ns : latency_ns;
}

/* "20,000 of 388,144 latencies of NAME are above the end of its histogram: how long they were is not known", for
 * @beyond besides @n; NULL: none are. The caller owns it. */
char *culprit_beyond_in_words (guint64 beyond, guint64 n, const char *name);

/* The sample of rank @rank, counted from 0; the last one if there are fewer. The profile must not be empty. */
gint64 culprit_profile_rank (const CulpritProfile *profile, guint64 rank);

/* From where on those beyond are, of which there are some. */
gint64 culprit_profile_beyond_from (const CulpritProfile *profile);

/* The last nanosecond of the bin that @latency_ns, one of the profile's, represents: of a sample, the latency itself.
 */
gint64 culprit_profile_last (const CulpritProfile *profile, gint64 latency_ns);

/* How many samples are at most @latency_ns. */
guint64 culprit_profile_count_to (const CulpritProfile *profile, gint64 latency_ns);

/* Whether there are some above the end of the histogram that nobody counted, as its tool's maximum says, which may be
 * at @deadline_ns or later: older studies do not know how many were beyond. */
gboolean culprit_profile_hides (const CulpritProfile *profile, gint64 deadline_ns);

/* How many are at @deadline_ns or later, or may be: those beyond and those in the bin in which that is, unless the
 * tool's maximum says that none of them is. If the profile hides any, how many are surely. */
guint64 culprit_profile_count_late (const CulpritProfile *profile, gint64 deadline_ns);

/* How many of these cannot be earlier. */
guint64 culprit_profile_count_surely_late (const CulpritProfile *profile, gint64 deadline_ns);

/* Whether some of these may be earlier, as @deadline_ns is in their bin, or above the end. */
gboolean culprit_profile_divides (const CulpritProfile *profile, gint64 deadline_ns);

static inline const CulpritBin *
culprit_profile_bin (const CulpritProfile *profile, guint index)
{
  return &g_array_index (profile->bins, CulpritBin, index);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritProfile, culprit_profile_free)

/* Samples as packed by a recorder: see app/recorder/PROTOCOL.md. */

/* The latencies of the @cycles samples packed in @size bytes at @packed. NULL if these are not such samples, or no
 * latencies. The caller owns it. */
CulpritProfile *culprit_samples_unpack (const guint8 *packed, gsize size, gint64 cycles);

/* Reads the latency of the sample packed at *@at, and advances. FALSE: there is none before @end. */
gboolean culprit_samples_next (const guint8 **at, const guint8 *end, gint64 *latency_ns);

/* The latencies at chosen ranks with their probabilities: the points of quantile and probability plots. */

typedef struct
{
  double below; /* Filliben's median of the rank: the share of all latencies expected below */
  double above; /* expected above: 1 - below, exact even where that rounds to 1 */
  double ns;
} CulpritRankPoint;

/* Filliben's median of the order statistic of rank @rank (from 1, may be fractional) of @n. */
double culprit_rank_median (double rank, double n);

/* Every rank of @profile, which must not be empty; or, if there are more than @most, that many ranks in equal steps of
 * the logit, so that both ends are dense. An array of CulpritRankPoint that the caller owns. */
GArray *culprit_rank_points (const CulpritProfile *profile, guint most);
