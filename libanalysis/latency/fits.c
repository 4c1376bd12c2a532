/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits by maximum likelihood. A probability plot needs the distribution's quantile at every sample's rank; inside a
 * bin, these are integrated instead, so that 10^9 samples take no longer than a thousand. */
#include "fits.h"

#include "profile.h"

#include <glib.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sf_log.h>
#include <gsl/gsl_sf_psi.h>
#include <gsl/gsl_spline.h>
#include <math.h>

/* Nothing here subtracts two large numbers; GSL's own quantile fails for shapes above about 10^6, and its trigamma
 * function above 10^14. */

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

/* The quantile @p of the distribution of @shape, minus its mean, divided by its standard deviation. */
static double
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
static double
culprit_gamma_shape (double log_gap)
{
  double k = (3 - log_gap + sqrt ((log_gap - 3) * (log_gap - 3) + 24 * log_gap)) / (12 * log_gap);

  for (guint i = 0; i < NEWTON_STEPS; i++)
    {
      double slope;
      double step = (log_less_psi (k, &slope) - log_gap) / slope;

      k = step < k ? k - step : k / 2;
      if (fabs (step) <= 1e-14 * k)
        break;
    }
  return k;
}

/* The mean log-likelihood of the gamma distribution that is likeliest for @log_gap, with the logarithm of the mean
 * @log_mean. */
static double
culprit_gamma_log_likelihood (double shape, double log_mean, double log_gap)
{
  return -log_mean - (shape - 1) * log_gap + log (shape / (2 * M_PI)) / 2 - log (gsl_sf_gammastar (shape));
}

#define EXACT_RANKS 64 /* at each end, where quantiles diverge */
#define NODES 8
#define FEW_PARTS 1000 /* A piece this short, compared with its distance from the end, is treated as a point. */
#define KNOTS 2048
#define SHAPES 60
#define SHAPE_FIRST 0.1
#define SHAPE_LAST 20.0

/* The quantile of a standard distribution. */
typedef struct
{
  CulpritFitKind kind;
  double shape;
} Quantile;

/* Sums over all samples of the quantile q at their rank. */
typedef struct
{
  double q;
  double q_squared;
  double q_latency; /* times the latency's distance from the mean */
} PlotSums;

/* Of a distribution that may be shifted and scaled: a correlation is not affected, and no precision is lost if
 * latencies hardly vary. */
static double
quantile (const Quantile *of, double p)
{
  switch (of->kind)
    {
    case CULPRIT_FIT_GAMMA:
      return culprit_gamma_quantile (p, of->shape);
    case CULPRIT_FIT_LOGNORMAL:
      return expm1 (of->shape * gsl_cdf_ugaussian_Pinv (p));
    default:
      return gsl_cdf_ugaussian_Pinv (p);
    }
}

/* Where the quantile is needed: for how many ranks, and how far their latency is from the mean. */
typedef struct
{
  double logit; /* of the rank's median: over it, quantiles are smooth to both ends */
  double weight;
  double distance;
} PlotPoint;

/* The points of a profile, from the first rank to the last; the same for all distributions. */
typedef struct
{
  GArray *points; /* of PlotPoint */
  double n;
  double variance;
} Plot;

static void
add_point (Plot *plot, double rank, double weight, double distance)
{
  double p = culprit_rank_median (rank, plot->n);
  PlotPoint point = { log (p / (1 - p)), weight, distance };

  g_array_append_val (plot->points, point);
}

/* The ranks from @first to @last, both included, which have the same latency. Those at the ends are added one by one,
 * the others in pieces no longer than their distance from the nearer end, each with a few nodes. */
static void
add_ranks (Plot *plot, const gsl_integration_glfixed_table *table, guint64 first, guint64 last, double distance)
{
  guint64 n = plot->n;

  while (first <= last)
    {
      guint64 end;

      if (first <= EXACT_RANKS || first + EXACT_RANKS > n)
        {
          add_point (plot, first, 1, distance);
          first++;
          continue;
        }
      end = first < n / 2 ? MIN (last, 2 * first - 1) : first + (n - first) / 2;
      end = MIN (MIN (end, last), n - EXACT_RANKS);
      if ((end - first) * FEW_PARTS < MIN (first, n - end))
        add_point (plot, (first + end) / 2.0, end - first + 1, distance);
      else
        for (guint node = 0; node < NODES; node++)
          {
            double rank;
            double weight;

            gsl_integration_glfixed_point (first - 0.5, end + 0.5, node, &rank, &weight, table);
            add_point (plot, rank, weight, distance);
          }
      first = end + 1;
    }
}

static void
plot_init (Plot *plot, const CulpritProfile *profile, double mean_ns, double variance)
{
  gsl_integration_glfixed_table *table = gsl_integration_glfixed_table_alloc (NODES);
  guint64 before = 0;

  *plot = (Plot) { g_array_new (FALSE, FALSE, sizeof (PlotPoint)), profile->n, variance };
  for (guint i = 0; i < profile->bins->len; i++)
    {
      const CulpritBin *bin = culprit_profile_bin (profile, i);

      add_ranks (plot, table, before + 1, before + bin->count, bin->latency_ns - mean_ns);
      before += bin->count;
    }
  gsl_integration_glfixed_table_free (table);
}

static void
plot_clear (Plot *plot)
{
  g_array_unref (plot->points);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Plot, plot_clear)

/* A spline through the quantiles of a distribution between the plot's ends: GSL takes microseconds to compute one. */
static gsl_spline *
make_spline (const Plot *plot, const Quantile *of)
{
  double first = g_array_index (plot->points, PlotPoint, 0).logit;
  double last = g_array_index (plot->points, PlotPoint, plot->points->len - 1).logit;
  gsl_spline *spline = gsl_spline_alloc (gsl_interp_cspline, KNOTS);
  double x[KNOTS];
  double y[KNOTS];

  for (guint i = 0; i < KNOTS; i++)
    {
      x[i] = i + 1 < KNOTS ? first + (last - first) * i / (KNOTS - 1) : last;
      y[i] = quantile (of, 1 / (1 + exp (-x[i])));
    }
  gsl_spline_init (spline, x, y, KNOTS);
  return spline;
}

/* The correlation of the profile with the quantiles of a distribution. If there are few points, they are computed
 * directly. */
static double
plot_correlation (const Plot *plot, const Quantile *of)
{
  gsl_spline *spline = plot->points->len > KNOTS ? make_spline (plot, of) : NULL;
  gsl_interp_accel *place = gsl_interp_accel_alloc ();
  double n = plot->n;
  PlotSums sums = { 0 };

  for (guint i = 0; i < plot->points->len; i++)
    {
      const PlotPoint *point = &g_array_index (plot->points, PlotPoint, i);
      double q = spline ? gsl_spline_eval (spline, point->logit, place) : quantile (of, 1 / (1 + exp (-point->logit)));

      sums.q += point->weight * q;
      sums.q_squared += point->weight * q * q;
      sums.q_latency += point->weight * q * point->distance;
    }
  gsl_interp_accel_free (place);
  if (spline)
    gsl_spline_free (spline);
  return sums.q_latency / n / sqrt ((sums.q_squared / n - sums.q / n * (sums.q / n)) * plot->variance);
}

typedef struct
{
  double mean_ns;
  double variance;
  double log_gap; /* logarithm of the mean minus mean of the logarithms */
  double log_variance;
} Means;

/* Logarithms are taken of latencies divided by their mean, so that differences in the last digits are preserved. */
static Means
find_means (const CulpritProfile *profile, gboolean positive)
{
  double n = profile->n;
  Means means = { 0 };

  for (guint i = 0; i < profile->bins->len; i++)
    {
      const CulpritBin *bin = culprit_profile_bin (profile, i);

      means.mean_ns += bin->latency_ns * (bin->count / n);
    }
  for (guint i = 0; i < profile->bins->len; i++)
    {
      const CulpritBin *bin = culprit_profile_bin (profile, i);
      double distance = bin->latency_ns - means.mean_ns;

      means.variance += distance * distance * (bin->count / n);
      means.log_gap -= positive ? gsl_sf_log_1plusx_mx (distance / means.mean_ns) * (bin->count / n) : 0;
    }
  for (guint i = 0; positive && i < profile->bins->len; i++)
    {
      const CulpritBin *bin = culprit_profile_bin (profile, i);
      double distance = log1p ((bin->latency_ns - means.mean_ns) / means.mean_ns) + means.log_gap;

      means.log_variance += distance * distance * (bin->count / n);
    }
  return means;
}

static CulpritFit
fit_normal (const Plot *plot, const Means *means)
{
  const Quantile of = { CULPRIT_FIT_NORMAL, 0 };
  double n = plot->n;

  return (CulpritFit) { TRUE, means->mean_ns, sqrt (means->variance), -n / 2 * (log (2 * M_PI * means->variance) + 1),
                        plot_correlation (plot, &of) };
}

static CulpritFit
fit_gamma (const Plot *plot, const Means *means)
{
  double k = culprit_gamma_shape (means->log_gap);
  const Quantile of = { CULPRIT_FIT_GAMMA, k };

  return (CulpritFit) { TRUE, k, means->mean_ns / k,
                        plot->n * culprit_gamma_log_likelihood (k, log (means->mean_ns), means->log_gap),
                        plot_correlation (plot, &of) };
}

static CulpritFit
fit_lognormal (const Plot *plot, const Means *means)
{
  double n = plot->n;
  double log_mean = log (means->mean_ns) - means->log_gap;
  const Quantile of = { CULPRIT_FIT_LOGNORMAL, sqrt (means->log_variance) };

  return (CulpritFit) { TRUE, log_mean, sqrt (means->log_variance),
                        -n / 2 * (log (2 * M_PI * means->log_variance) + 1) - n * log_mean,
                        plot_correlation (plot, &of) };
}

const char *
culprit_fit_name (CulpritFitKind kind)
{
  static const char *const names[] = { "normal", "gamma", "lognormal" };

  return names[kind];
}

double
culprit_fit_quantile (CulpritFitKind kind, const CulpritFit *fit, double p)
{
  switch (kind)
    {
    case CULPRIT_FIT_GAMMA:
      return fit->second_ns * (fit->first_ns + sqrt (fit->first_ns) * culprit_gamma_quantile (p, fit->first_ns));
    case CULPRIT_FIT_LOGNORMAL:
      return exp (fit->first_ns + fit->second_ns * gsl_cdf_ugaussian_Pinv (p));
    default:
      return fit->first_ns + fit->second_ns * gsl_cdf_ugaussian_Pinv (p);
    }
}

static gboolean
varies (const CulpritProfile *profile)
{
  return profile->bins->len >= 2;
}

static gboolean
is_positive (const CulpritProfile *profile)
{
  return culprit_profile_bin (profile, 0)->latency_ns > 0;
}

void
culprit_fits_find (const CulpritProfile *profile, CulpritFit fits[CULPRIT_FITS])
{
  gboolean positive = is_positive (profile);
  Means means = find_means (profile, positive);
  g_auto (Plot) plot;

  plot_init (&plot, profile, means.mean_ns, means.variance);
  for (guint kind = 0; kind < CULPRIT_FITS; kind++)
    fits[kind] = (CulpritFit) { 0 };
  if (!varies (profile))
    return;
  fits[CULPRIT_FIT_NORMAL] = fit_normal (&plot, &means);
  if (!positive)
    return;
  fits[CULPRIT_FIT_GAMMA] = fit_gamma (&plot, &means);
  fits[CULPRIT_FIT_LOGNORMAL] = fit_lognormal (&plot, &means);
}

CulpritGammaPlot
culprit_gamma_plot (const CulpritProfile *profile)
{
  Means means = find_means (profile, FALSE);
  CulpritGammaPlot best = { 0 };
  g_auto (Plot) plot;

  plot_init (&plot, profile, means.mean_ns, means.variance);
  for (guint i = 0; i < SHAPES && varies (profile); i++)
    {
      double shape = exp (log (SHAPE_FIRST) + (log (SHAPE_LAST) - log (SHAPE_FIRST)) * i / (SHAPES - 1));
      const Quantile of = { CULPRIT_FIT_GAMMA, shape };
      double correlation = plot_correlation (&plot, &of);

      if (!best.possible || correlation > best.correlation)
        best = (CulpritGammaPlot) { TRUE, shape, correlation };
    }
  return best;
}

CulpritFitKind
culprit_fits_best (const CulpritFit fits[CULPRIT_FITS])
{
  CulpritFitKind best = CULPRIT_FITS;

  for (guint kind = 0; kind < CULPRIT_FITS; kind++)
    if (fits[kind].possible && (best == CULPRIT_FITS || fits[kind].log_likelihood > fits[best].log_likelihood))
      best = kind;
  return best;
}
