/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nothing here subtracts two large numbers; GSL's own quantile fails for shapes above about 10^6, and its trigamma
 * function above 10^14. */
#include "gamma.h"

#include <glib.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sf_psi.h>
#include <math.h>

#define LARGE_SHAPE 1e4   /* From here on, the Wilson-Hilferty quantile is accurate to five digits. */
#define LARGE_FOR_PSI 1e3 /* The next term of the series is then below the precision of a double. */
#define FIRST_TERM 1e-8   /* Quantiles below this are given by the first term of the series. */
#define NEWTON_STEPS 50

/* Wilson and Hilferty: the cube root of a gamma variable is nearly normal. */
static double
wilson_hilferty (double p, double shape)
{
  double part = -1 / (9 * shape) + gsl_cdf_ugaussian_Pinv (p) / (3 * sqrt (shape));

  return sqrt (shape) * part * (3 + part * (3 + part));
}

double
culprit_gamma_quantile (double p, double shape)
{
  double first;
  double quantile;

  if (shape >= LARGE_SHAPE)
    return wilson_hilferty (p, shape);
  /* GSL's inverse does not converge for some small shapes either. */
  first = exp ((log (p) + gsl_sf_lngamma (shape + 1)) / shape);
  quantile = first < FIRST_TERM ? first : gsl_cdf_gamma_Pinv (p, shape, 1);
  return isfinite (quantile) ? (quantile - shape) / sqrt (shape) : wilson_hilferty (p, shape);
}

/* log k - psi (k), and its slope. */
static double
log_less_psi (double k, double *slope)
{
  double square = k * k;

  if (k < LARGE_FOR_PSI)
    {
      *slope = 1 / k - gsl_sf_psi_1 (k);
      return log (k) - gsl_sf_psi (k);
    }
  *slope = -(1 + (1 / 3.0 - 1 / (15 * square)) / k) / (2 * square);
  return (1 + (1 / 6.0 - 1 / (60 * square)) / k) / (2 * k);
}

/* Newton's method from Minka's start. */
double
culprit_gamma_shape (double excess)
{
  double k = (3 - excess + sqrt ((excess - 3) * (excess - 3) + 24 * excess)) / (12 * excess);

  for (guint i = 0; i < NEWTON_STEPS; i++)
    {
      double slope;
      double step = (log_less_psi (k, &slope) - excess) / slope;

      k = step < k ? k - step : k / 2;
      if (fabs (step) <= 1e-14 * k)
        break;
    }
  return k;
}

double
culprit_gamma_log_likelihood (double shape, double log_mean, double excess)
{
  return -log_mean - (shape - 1) * excess + log (shape / (2 * M_PI)) / 2 - log (gsl_sf_gammastar (shape));
}
