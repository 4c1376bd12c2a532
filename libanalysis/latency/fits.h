/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How well known distributions fit a profile: by maximum likelihood, and by the correlation of its probability plot. */
#pragma once

#include "profile.h"

typedef enum
{
  CULPRIT_FIT_NORMAL,
  CULPRIT_FIT_GAMMA,     /* support from 0; shape and scale */
  CULPRIT_FIT_LOGNORMAL, /* mean and sd of the logarithm of the latency in ns */
  CULPRIT_FITS,
} CulpritFitKind;

typedef struct
{
  gboolean possible;     /* FALSE if the profile has too few samples, they are all equal, or not all above 0. */
  double first_ns;       /* mean, shape or mu; in ns if it is a time */
  double second_ns;      /* sd, scale or sigma; likewise */
  double log_likelihood; /* of latencies in ns */
  double correlation;    /* of the probability plot (Filliben's medians); 1 is a perfect fit */
} CulpritFit;

/* The gamma shape with the best correlation, of 60 from 0.1 to 20 in equal steps of their logarithm. */
typedef struct
{
  gboolean possible;
  double shape;
  double correlation;
} CulpritGammaPlot;

#define CULPRIT_FIT_GOOD 0.98 /* A fit with a lower correlation is not good. */

/* "normal", "gamma", "lognormal". */
const char *culprit_fit_name (CulpritFitKind kind);

/* @profile must not be empty. */
void culprit_fits_find (const CulpritProfile *profile, CulpritFit fits[CULPRIT_FITS]);
CulpritGammaPlot culprit_gamma_plot (const CulpritProfile *profile);

/* The likeliest of @fits; CULPRIT_FITS if none is possible. */
CulpritFitKind culprit_fits_best (const CulpritFit fits[CULPRIT_FITS]);

/* The latency in ns below which the part @p of the distribution lies. @fit must be possible. */
double culprit_fit_quantile (CulpritFitKind kind, const CulpritFit *fit, double p);
