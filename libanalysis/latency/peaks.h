/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The peaks of a profile, by topological persistence: how far a peak rises above the valley next to a higher one, in
 * standard deviations, as the noise of counts is made equal (Anscombe's transform). */
#pragma once

#include "profile.h"

/* The ticks of the clock that latencies were measured with. A clock of 19.2 MHz ticks every 52.083 ns: stored in whole
 * ns, its latencies are 52 or 53 ns apart, and bins that are not whole numbers of ticks contain sometimes one tick and
 * sometimes two. */

typedef struct
{
  double step_ns;   /* from tick to tick; the width of the profile's bins if no coarser clock shows */
  double origin_ns; /* the middle of the latencies of tick 0 */
  double reach_ns;  /* the largest distance of a latency from the middle of its tick */
} CulpritLattice;

/* @profile must not be empty. */
CulpritLattice culprit_lattice_find (const CulpritProfile *profile);

#define CULPRIT_PEAK_SIGNIFICANT 5.656854249492381 /* 4 sqrt 2 */
#define CULPRIT_PEAK_WEAK 4.242640687119286        /* 3 sqrt 2 */

typedef struct
{
  gint64 at_ns;   /* where to say that it is: the median of the latencies in its highest bin */
  gint64 low_ns;  /* its highest bin: latencies from here... */
  gint64 high_ns; /* ...to here, both included */
  guint64 count;  /* in that bin */
  double prominence;
  gboolean weak;       /* it may be chance */
  gint64 band_low_ns;  /* its band, the bins around the highest one that are above half of its prominence, or above the
                          valley if only wide bins show it: latencies from here... */
  gint64 band_high_ns; /* ...to here, both included */
  gint64 from_ns;      /* the valley below it, or the minimum latency */
  gint64 to_ns;        /* the valley above it, or beyond the maximum latency */
  double share;        /* of all samples, from valley to valley */
} CulpritPeak;

/* The peaks in bins of @width_ns, or of the number of clock ticks closest to it, that are at least @prominence high, in
 * order of latency. An array of CulpritPeak that the caller owns. */
GArray *culprit_peaks_find (const CulpritProfile *profile, gint64 width_ns, double prominence);

/* The same from CULPRIT_PEAK_WEAK on, and in bins twice as wide, four times and so on those that finer bins do not
 * show, such as a few late wake-ups close to each other: each is so unlikely if counts only fall off from the higher
 * peak on that it is none by chance. */
GArray *culprit_peaks_find_all (const CulpritProfile *profile, gint64 width_ns);
