/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The density of a profile, smoothed by a Gaussian kernel. */
#pragma once

#include "profile.h"

typedef struct
{
  double low_ns; /* position of the first value */
  double step_ns;
  double bandwidth_ns; /* sd of the kernel */
  GArray *values;      /* of double: density per ns */
} CulpritDensity;

/* The range in which a density is worth looking at: from the 1 per cent to the 99 per cent quantile, plus room for the
 * kernel at both ends. @profile must not be empty, here and below. */
void culprit_density_range (const CulpritProfile *profile, double *low_ns, double *high_ns);

/* The density of @profile at @points (at least 2) equally spaced latencies, from @low_ns to @high_ns, both included.
 * The bandwidth is Silverman's, 0.9 min (sd, IQR / 1.34) n^(-1/5), but at least half a bin of the profile, and at least
 * a step: narrower kernels would fall between two points. Kernels end at 5 bandwidths. The caller owns the result. */
CulpritDensity *culprit_density_new (const CulpritProfile *profile, double low_ns, double high_ns, guint points);

void culprit_density_free (CulpritDensity *density);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritDensity, culprit_density_free)
