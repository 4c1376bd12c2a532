/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits by maximum likelihood. A probability plot needs the distribution's quantile at every sample's rank; inside a
 * bin, these are integrated instead, so that 10^9 samples take no longer than a thousand. All of them are interpolated
 * between the same few places, so that each sample is looked at once, however many distributions it is compared with.
 */
#include "fits.h"

#include "profile.h"

#include <glib.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sf_log.h>
#include <gsl/gsl_sf_psi.h>
#include <math.h>

/* Nothing here subtracts two large numbers; GSL's own quantile fails for shapes above about 10^6, and its trigamma
 * function above 10^14. */

#define LARGE_SHAPE 1e4   /* From here on, the Wilson-Hilferty quantile is accurate to five digits. */
#define LARGE_FOR_PSI 1e3 /* The next term of the series is then below the precision of a double. */
#define FIRST_TERM 1e-8   /* Quantiles below this are given by the first term of the series. */
#define NEWTON_STEPS 50

/* Quantiles are those of a logit, log (p / (1 - p)): it tells apart what is next to 1 as well as what is next to 0, and
 * over it they are smooth to both ends. */

static double
normal_quantile (double logit)
{
  return logit > 0 ? gsl_cdf_ugaussian_Qinv (1 / (1 + exp (logit))) : gsl_cdf_ugaussian_Pinv (1 / (1 + exp (-logit)));
}

/* Wilson and Hilferty: the cube root of a gamma variable is nearly normal. */
static double
wilson_hilferty (double logit, double shape)
{
  double part = -1 / (9 * shape) + normal_quantile (logit) / (3 * sqrt (shape));

  return sqrt (shape) * part * (3 + part * (3 + part));
}

/* The quantile of the distribution of @shape, minus its mean, divided by its standard deviation. */
static double
gamma_quantile (double logit, double shape)
{
  double below = 1 / (1 + exp (-logit));
  double first;
  double quantile;

  if (shape >= LARGE_SHAPE)
    return wilson_hilferty (logit, shape);
  /* GSL's inverse does not converge for some small shapes either. */
  first = exp ((log (below) + gsl_sf_lngamma (shape + 1)) / shape);
  if (first < FIRST_TERM)
    quantile = first;
  else
    quantile = logit > 0 ? gsl_cdf_gamma_Qinv (1 / (1 + exp (logit)), shape, 1) : gsl_cdf_gamma_Pinv (below, shape, 1);
  return isfinite (quantile) ? (quantile - shape) / sqrt (shape) : wilson_hilferty (logit, shape);
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
gamma_shape (double log_gap)
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
gamma_log_likelihood (double shape, double log_mean, double log_gap)
{
  return -log_mean - (shape - 1) * log_gap + log (shape / (2 * M_PI)) / 2 - log (gsl_sf_gammastar (shape));
}

#define EXACT_RANKS 64 /* at each end, where quantiles diverge */
#define NODES 8
#define FEW_PARTS 1000 /* A piece this short, compared with its distance from the end, is treated as a point. */
#define FURTHEST 45    /* the logit of the least of 2^64 */
#define PLACES_OF_ONE 6
#define DEGREE 11 /* Quantiles are then off by 10^-12 standard deviations, for a gamma shape of 0.1 by 10^-9. */
#define MIDDLE_PLACE (FURTHEST * PLACES_OF_ONE + DEGREE)
#define PLACES (2 * MIDDLE_PLACE + 1)
#define SHAPES 60
#define SHAPE_FIRST 0.1
#define SHAPE_LAST 20.0

/* The quantile of a standard distribution. */
typedef struct
{
  CulpritFitKind kind;
  double shape;
} Quantile;

static double
logit_of (guint place)
{
  return ((double) place - MIDDLE_PLACE) / PLACES_OF_ONE;
}

/* Of a distribution that may be shifted and scaled: a correlation is not affected, and no precision is lost if
 * latencies hardly vary. */
static double
quantile (const Quantile *of, double logit)
{
  switch (of->kind)
    {
    case CULPRIT_FIT_GAMMA:
      return gamma_quantile (logit, of->shape);
    case CULPRIT_FIT_LOGNORMAL:
      return expm1 (of->shape * normal_quantile (logit));
    default:
      return normal_quantile (logit);
    }
}

/* A profile as if all of its ranks were at the places, for any sum over a smooth function of the rank. */
typedef struct
{
  double weights[PLACES];   /* how many ranks */
  double distances[PLACES]; /* of their latencies from the mean, the sum */
  guint first;              /* the places in use */
  guint last;
  double n;
  double variance;
} Plot;

/* Divides ranks at a logit among the places around it, in the proportions of the polynomial through them. */
static void
add_point (Plot *plot, double rank, double weight, double distance)
{
  double p = culprit_rank_median (MIN (rank, plot->n + 1 - rank), plot->n);
  double logit = MAX (log (p / (1 - p)), -FURTHEST);
  double at = (2 * rank > plot->n + 1 ? -logit : logit) * PLACES_OF_ONE + MIDDLE_PLACE;
  guint first = (guint) floor (at) - DEGREE / 2;

  for (guint i = 0; i <= DEGREE; i++)
    {
      double part = weight;

      for (guint j = 0; j <= DEGREE; j++)
        if (j != i)
          part *= (at - first - j) / ((double) i - j);
      plot->weights[first + i] += part;
      plot->distances[first + i] += part * distance;
    }
  plot->first = MIN (plot->first, first);
  plot->last = MAX (plot->last, first + DEGREE);
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

static Plot *
plot_new (const CulpritProfile *profile, double mean_ns, double variance)
{
  gsl_integration_glfixed_table *table = gsl_integration_glfixed_table_alloc (NODES);
  Plot *plot = g_new0 (Plot, 1);
  guint64 before = 0;

  plot->first = PLACES;
  plot->n = profile->n;
  plot->variance = variance;
  for (guint i = 0; i < profile->bins->len; i++)
    {
      const CulpritBin *bin = culprit_profile_bin (profile, i);

      add_ranks (plot, table, before + 1, before + bin->count, bin->latency_ns - mean_ns);
      before += bin->count;
    }
  gsl_integration_glfixed_table_free (table);
  return plot;
}

/* The correlation of the profile with the quantiles @known of a distribution at the places. */
static double
correlate (const Plot *plot, const double *known)
{
  double n = plot->n;
  double q = 0;
  double q_squared = 0;
  double q_latency = 0;

  for (guint i = plot->first; i <= plot->last; i++)
    {
      q += plot->weights[i] * known[i];
      q_squared += plot->weights[i] * known[i] * known[i];
      q_latency += plot->distances[i] * known[i];
    }
  return MIN (q_latency / n / sqrt ((q_squared / n - q / n * (q / n)) * plot->variance), 1);
}

static double
plot_correlation (const Plot *plot, const Quantile *of)
{
  double known[PLACES];

  for (guint i = plot->first; i <= plot->last; i++)
    known[i] = quantile (of, logit_of (i));
  return correlate (plot, known);
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
  double k = gamma_shape (means->log_gap);
  const Quantile of = { CULPRIT_FIT_GAMMA, k };

  return (CulpritFit) { TRUE, k, means->mean_ns / k,
                        plot->n * gamma_log_likelihood (k, log (means->mean_ns), means->log_gap),
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
  double logit = log (p / (1 - p));

  switch (kind)
    {
    case CULPRIT_FIT_GAMMA:
      return fit->second_ns * (fit->first_ns + sqrt (fit->first_ns) * gamma_quantile (logit, fit->first_ns));
    case CULPRIT_FIT_LOGNORMAL:
      return exp (fit->first_ns + fit->second_ns * normal_quantile (logit));
    default:
      return fit->first_ns + fit->second_ns * normal_quantile (logit);
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
  g_autofree Plot *plot = NULL;

  for (guint kind = 0; kind < CULPRIT_FITS; kind++)
    fits[kind] = (CulpritFit) { 0 };
  if (!varies (profile) || profile->beyond > 0)
    return;
  plot = plot_new (profile, means.mean_ns, means.variance);
  fits[CULPRIT_FIT_NORMAL] = fit_normal (plot, &means);
  if (!positive)
    return;
  fits[CULPRIT_FIT_GAMMA] = fit_gamma (plot, &means);
  fits[CULPRIT_FIT_LOGNORMAL] = fit_lognormal (plot, &means);
}

static double
shape_at (guint i)
{
  return exp (log (SHAPE_FIRST) + (log (SHAPE_LAST) - log (SHAPE_FIRST)) * i / (SHAPES - 1));
}

/* Quantiles of the shapes, which are the same for all profiles: those of a place are computed when it is first used. */
static struct
{
  gboolean known[PLACES];
  double of[SHAPES][PLACES];
} quantiles;

G_LOCK_DEFINE_STATIC (quantiles);

CulpritGammaPlot
culprit_gamma_plot (const CulpritProfile *profile)
{
  Means means = find_means (profile, FALSE);
  CulpritGammaPlot best = { 0 };
  g_autofree Plot *plot = NULL;

  if (!varies (profile))
    return best;
  plot = plot_new (profile, means.mean_ns, means.variance);
  G_LOCK (quantiles);
  for (guint place = plot->first; place <= plot->last; place++)
    {
      for (guint i = 0; i < SHAPES && !quantiles.known[place]; i++)
        quantiles.of[i][place] = gamma_quantile (logit_of (place), shape_at (i));
      quantiles.known[place] = TRUE;
    }
  for (guint i = 0; i < SHAPES; i++)
    {
      double correlation = correlate (plot, quantiles.of[i]);

      if (!best.possible || correlation > best.correlation)
        best = (CulpritGammaPlot) { TRUE, shape_at (i), correlation };
    }
  G_UNLOCK (quantiles);
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
