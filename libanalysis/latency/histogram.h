/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles counted in bins of equal width, the same for all that are drawn on top of each other. */
#pragma once

#include "profile.h"

typedef struct
{
  gint64 low_ns; /* beginning of the first bin: a multiple of the width */
  gint64 width_ns;
  guint bins;
} CulpritBinning;

/* Bins for all of the @n @profiles, none of them empty: wide enough for each to show its shape, and about @most bins at
 * most over the whole range. */
CulpritBinning culprit_binning_find (const CulpritProfile *const *profiles, guint n, guint most);

/* The index of the bin that @latency_ns falls into; below @binning->bins for the latencies it was found for. */
guint culprit_binning_index (const CulpritBinning *binning, gint64 latency_ns);

/* The number of samples of @profile in each bin; @profile must be one for which the bins were found. An array of
 * guint64 that the caller owns. */
GArray *culprit_histogram (const CulpritProfile *profile, const CulpritBinning *binning);
