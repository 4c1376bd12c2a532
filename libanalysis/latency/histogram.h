/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles counted in bins, the same for all that are drawn on top of each other. */
#pragma once

#include "profile.h"

/* A logarithmic scale with a position for every latency, including zero and negative ones: beyond the knee, on either
 * side of zero, a decade has the length one; up to the knee it is linear, joining smoothly. */

/* In culprit_profile_scaled(), a decade has this many steps. */
#define CULPRIT_DECADE 1000000

/* Whether only a logarithmic scale shows both the bulk and the tail of @profiles: the maximum of all is more than
 * twenty times the lowest of their medians. If latencies are negative, the median is that of their absolute values. Of
 * @n profiles, at least one, none of them empty, here and below. */
gboolean culprit_scale_is_due (const CulpritProfile *const *profiles, guint n);

/* The knee for @profiles: a power of ten below a tenth of the lowest median, but not below the width of their bins. */
double culprit_scale_knee (const CulpritProfile *const *profiles, guint n);

/* The position of @ns: 0 for 0, in decades. */
double culprit_scale_place (double knee_ns, double ns);

/* The latency at the position @place. */
double culprit_scale_latency (double knee_ns, double place);

/* @profile with latencies replaced by their positions, in whole steps of a decade. The caller owns it. */
CulpritProfile *culprit_profile_scaled (const CulpritProfile *profile, double knee_ns);

typedef struct
{
  gint64 width_ns; /* of each bin; 0: bins become wider with the latency */
  GArray *edges;   /* of gint64, ascending: the beginning of each bin, and the end of the last one */
  guint bins;
} CulpritBinning;

/* Bins of equal width for all of the @n @profiles, none of them empty: wide enough for each to show its shape, and
 * about
 * @most bins at most over the whole range. */
CulpritBinning *culprit_binning_new (const CulpritProfile *const *profiles, guint n, guint most);

/* Bins of equal width on the scale with @knee_ns @decade of them per decade, except that each contains
 * whole bins of all profiles. */
CulpritBinning *culprit_binning_new_scaled (const CulpritProfile *const *profiles,
                                            guint n,
                                            double knee_ns,
                                            guint decade);
void culprit_binning_free (CulpritBinning *binning);

/* The beginning of the bin with index @place, or the end of the last one. */
static inline gint64
culprit_binning_edge (const CulpritBinning *binning, guint place)
{
  return g_array_index (binning->edges, gint64, place);
}

/* The index of the bin that @latency_ns falls into; the first or the last one for latencies beyond. */
guint culprit_binning_index (const CulpritBinning *binning, gint64 latency_ns);

/* The number of samples of @profile in each bin; @profile must be one for which the bins were found. An array of
 * guint64 that the caller owns. */
GArray *culprit_histogram (const CulpritProfile *profile, const CulpritBinning *binning);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritBinning, culprit_binning_free)
