/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes one profile: moments, quantiles, peaks, fits. */
#pragma once

#include "fits.h"
#include "peaks.h"
#include "statistics.h"

#define CULPRIT_LEVEL 0.95 /* of intervals */

typedef struct
{
  guint p_millionths;
  double ns;         /* type 7, unless the tool printed it */
  double nearest_ns; /* nearest rank */
  double from_ns;    /* The quantile lies between these: the bin's edges in a coarse histogram, else both equal ns. */
  double to_ns;
  gboolean estimable; /* There are enough samples for an interval, from: */
  double low_ns;      /* NaN: too few samples; the other is then a one-sided bound, at 97.5 % */
  double high_ns;
} CulpritQuantile;

typedef struct
{
  CulpritMoments moments;
  GArray *quantiles; /* of CulpritQuantile */
  gint64 peak_width_ns;
  GArray *peaks; /* of CulpritPeak, weak ones included */
  CulpritFit fits[CULPRIT_FITS];
} CulpritDescription;

/* The quantiles shown of every profile, and stress-ng's list. Each ends with 0. */
extern const guint culprit_quantiles_usual[];
extern const guint culprit_quantiles_stress_ng[];

/* Describes @profile, which must not be empty, with the quantiles @p_millionths (ending with 0). */
CulpritDescription *culprit_describe (const CulpritProfile *profile, const guint *p_millionths);

/* The same without the fits, which take most of the time: 0.2 of 0.24 s for 20,000 different latencies. */
CulpritDescription *culprit_describe_values (const CulpritProfile *profile, const guint *p_millionths);

void culprit_description_free (CulpritDescription *description);

/* The result of the fits, in a sentence. The caller owns it. */
char *culprit_description_of_fits (const CulpritDescription *description);

/* A bin width at which @profile shows its shape: 1, 2 or 5 times a power of ten, by the Freedman-Diaconis rule; at
 * least the profile's own. */
gint64 culprit_profile_nice_width (const CulpritProfile *profile);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritDescription, culprit_description_free)
