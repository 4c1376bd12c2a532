/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interval of the rank (Clopper and Pearson) is carried over by the quantiles' own intervals. */
#include "mapping.h"

#include "description.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

CulpritMapped
culprit_map_latency (const CulpritProfile *base, const CulpritProfile *other, gint64 latency_ns)
{
  double below = culprit_profile_count_to (base, latency_ns);
  double above = base->n - below;
  double tail = (1 - CULPRIT_LEVEL) / 2;
  double low_p = below > 0 ? gsl_cdf_beta_Pinv (tail, below, above + 1) : 0;
  double high_p = above > 0 ? gsl_cdf_beta_Pinv (1 - tail, below + 1, above) : 1;
  CulpritMapped mapped = { .p = below / base->n, .low_ns = NAN, .high_ns = NAN };
  double ignored_ns;

  mapped.ns = above > 0 ? culprit_quantile_type7 (other, mapped.p) : NAN;
  culprit_quantile_interval (other, low_p, CULPRIT_LEVEL, &mapped.low_ns, &ignored_ns);
  culprit_quantile_interval (other, high_p, CULPRIT_LEVEL, &ignored_ns, &mapped.high_ns);
  return mapped;
}
