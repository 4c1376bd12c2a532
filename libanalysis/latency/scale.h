/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A logarithmic scale with a place for every latency, zero and negative ones included: beyond the knee, on either side
 * of zero, a decade is one long; up to the knee it is linear, without a bend where both meet. */
#pragma once

#include "profile.h"

/* In culprit_profile_scaled() a decade has so many steps. */
#define CULPRIT_DECADE 1000000

/* Whether only a logarithmic scale shows both the bulk and the tail of @profiles: the maximum of all is more than
 * twenty times the lowest of their medians. Where latencies are negative, the median is that of their sizes. Of @n
 * profiles, at least one, none of them empty, here and below. */
gboolean culprit_scale_is_due (const CulpritProfile *const *profiles, guint n);

/* The knee for @profiles: a power of ten below a tenth of the lowest median, but not below the width of their bins. */
double culprit_scale_knee (const CulpritProfile *const *profiles, guint n);

/* Where @ns stands: 0 for 0, in decades. */
double culprit_scale_place (double knee_ns, double ns);

/* The latency that stands at @place. */
double culprit_scale_latency (double knee_ns, double place);

/* @profile with the places of its latencies in their stead, in whole parts of a decade. The caller owns it. */
CulpritProfile *culprit_profile_scaled (const CulpritProfile *profile, double knee_ns);
