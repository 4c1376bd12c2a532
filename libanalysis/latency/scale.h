/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A logarithmic scale with a position for every latency, including zero and negative ones: beyond the knee, on either
 * side of zero, a decade has the length one; up to the knee it is linear, joining smoothly. */
#pragma once

#include "profile.h"

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
