/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A latency profile: how often each latency occurred. Without loss, and addable: profiles of runs are merged by adding
 * their counts.
 *
 * Latencies are whole nanoseconds and may be negative. A profile that came from a table in microseconds knows that its
 * values are a microsecond wide. In one that came from a coarser histogram a latency is somewhere in a bin: its middle
 * stands for it. */
#pragma once

#include "told.h"

typedef struct
{
  gint64 latency_ns;
  guint64 count; /* at least 1 */
} CulpritBin;

typedef struct
{
  GArray *bins;      /* of CulpritBin, by latency, each latency once */
  guint64 n;         /* the sum of their counts */
  gint64 width_ns;   /* of a bin: 1 for samples in ns, 1000 for a table in us */
  gint64 middle_ns;  /* from where a bin begins to the latency that stands for it: 0 unless the histogram is coarse */
  CulpritTold *told; /* what the tool itself said of all the latencies; NULL: nothing */
} CulpritProfile;

/* What is known of latencies of which only these were published. */
typedef struct
{
  double mean_ns;
  double sd_ns;
  double n;
} CulpritSummary;

CulpritProfile *culprit_profile_new (gint64 width_ns);

void culprit_profile_free (CulpritProfile *profile);

/* Adds @count samples of @latency_ns; in any order, until culprit_profile_finish(). FALSE where the number of samples
 * would not fit 63 bits; nothing is added then. */
gboolean culprit_profile_add (CulpritProfile *profile, gint64 latency_ns, guint64 count);

/* Adds all that is in @other. */
gboolean culprit_profile_add_all (CulpritProfile *profile, const CulpritProfile *other);

/* The sum of @profiles (of CulpritProfile), at least one. The caller owns it. */
CulpritProfile *culprit_profile_sum (const GPtrArray *profiles);

/* Brings what was added into order. To be called before anything is read. */
void culprit_profile_finish (CulpritProfile *profile);

/* Lets the middles of bins stand for them where their width is not what tools count in, a ns or a us. To be called
 * after culprit_profile_finish(), where latencies are the low edges of bins. */
void culprit_profile_take_middles (CulpritProfile *profile);

/* Where the bin begins and ends that @latency_ns, one of the profile's, stands for; both are the latency itself unless
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

/* The sample of rank @rank, counted from 0; the last where there are not so many. The profile must not be empty. */
gint64 culprit_profile_rank (const CulpritProfile *profile, guint64 rank);

/* How many samples are at most @latency_ns. */
guint64 culprit_profile_count_to (const CulpritProfile *profile, gint64 latency_ns);

static inline const CulpritBin *
culprit_profile_bin (const CulpritProfile *profile, guint index)
{
  return &g_array_index (profile->bins, CulpritBin, index);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritProfile, culprit_profile_free)
