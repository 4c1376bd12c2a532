/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits the tail by maximum likelihood, at each of a row of thresholds, each with half as many wake-ups above it as the
 * one before. All times here are distances from the threshold, in units of their mean. */
#include "tail.h"

#include "description.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multimin.h>
#include <gsl/gsl_roots.h>
#include <math.h>
#include <string.h>

#define FIRST_PART 10 /* one in so many exceeds the lowest threshold */
#define HIGHER 3      /* thresholds, at least, that a stable one is compared with */
#define LEAST_BINS 8  /* above a threshold: fewer do not show a shape */
#define SAME 0.99     /* the level of the region of a higher fit that a stable one is inside: few are not by chance */
#define FAR 1e-3      /* the probability of a maximum that does not belong to the others */
#define MOST_INTERVALS 256
#define LEAST_SHAPE (-1.0) /* below, the likeliest end of the distribution is the maximum itself */
#define MOST_SHAPE 10.0
#define MOST_STEPS 400  /* of the search for a maximum */
#define MOST_TIMES 1e12 /* as many wake-ups as there are: more is never */
#define PARAMETERS 3    /* the logarithms of the share above the threshold and of the scale, and the shape */

const double culprit_tail_levels_usual[] = { 1e5, 1e6, 1e7, 1e8, 1e9, 0 };
const double culprit_tail_levels_drawn[] = { 20,  50,  100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5,
                                             5e5, 1e6, 2e6, 5e6, 1e7, 2e7, 5e7, 1e8, 2e8, 5e8, 1e9, 0 };

/* Latencies between two edges. */
typedef struct
{
  double from;
  double width;
  double count;
} Interval;

/* What is fitted. */
typedef struct
{
  const CulpritProfile *profile;
  const GArray *blocks; /* NULL: the order is not known */
  double extremal;      /* the inverse of the length of bursts; 1 if that is not known */
  double width_ns;      /* of bins */
} Wakeups;

/* The fit of what lies above a threshold. */
typedef struct
{
  gint64 origin_ns; /* the latency from which the next is counted: a double is too short for all that may be stored */
  double over_ns;   /* the threshold */
  double unit_ns;
  GArray *intervals;
  double n;
  double exceeding;
  double log_scale;
  double shape;
  double log_likelihood;
  double effective; /* as many independent ones tell as much */
  double inflation; /* of the variance of what it tells about the maximum, by bursts */
} Fit;

/* Which values of the parameters are compared: @at restricts them. */
typedef enum
{
  FREE,
  AT_SHAPE,
  AT_LOG_SCALE,
  AT_LOG_LEVEL, /* the logarithm of the latency that the part exp @log_part exceeds */
  AT_LOG_PART,  /* the logarithm of the part that exceeds @level */
} Restriction;

typedef struct
{
  const Fit *fit;
  Restriction restriction;
  double at;
  double level;
  double log_part;
  double start[2]; /* of the next search: where the last one ended */
  double target;   /* of deviance_less_target() */
} Search;

static void
block_clear (gpointer data)
{
  culprit_profile_free (((CulpritTailBlock *) data)->late);
}

GArray *
culprit_tail_blocks_new (void)
{
  GArray *blocks = g_array_new (FALSE, FALSE, sizeof (CulpritTailBlock));

  g_array_set_clear_func (blocks, block_clear);
  for (guint i = 0; i < CULPRIT_TAIL_BLOCKS; i++)
    {
      const CulpritTailBlock block = { 0, culprit_profile_new (1) };

      g_array_append_val (blocks, block);
    }
  return blocks;
}

gint64
culprit_tail_floor (const CulpritProfile *profile, gint64 threshold_ns)
{
  gint64 floor_ns = culprit_profile_rank (profile, profile->n - 1 - profile->n / FIRST_PART);

  return threshold_ns > 0 ? MIN (floor_ns, threshold_ns - 1) : floor_ns;
}

/* The distribution. */

/* The logarithm of the part that exceeds @y. */
static double
log_survival (double y, double scale, double shape)
{
  double z = shape * y / scale;

  if (shape == 0)
    return -y / scale;
  return z > -1 ? -log1p (z) / shape : -INFINITY;
}

/* What the part exp @log_part exceeds. */
static double
level_of (double log_part, double scale, double shape)
{
  return shape == 0 ? -scale * log_part : scale * expm1 (-shape * log_part) / shape;
}

static double
log_probability (const Interval *interval, double scale, double shape)
{
  double above = scale + shape * interval->from;
  double fall;

  if (above <= 0)
    return -INFINITY;
  if (shape * interval->width <= -above)
    fall = INFINITY;
  else
    fall = shape == 0 ? interval->width / scale : log1p (shape * interval->width / above) / shape;
  return log_survival (interval->from, scale, shape) + log (-expm1 (-fall));
}

static double
log_likelihood (const Fit *fit, double log_share, double scale, double shape)
{
  double sum = fit->exceeding * log_share;

  if (fit->n > fit->exceeding)
    sum += (fit->n - fit->exceeding) * log1p (-exp (log_share));
  for (guint i = 0; i < fit->intervals->len && isfinite (sum); i++)
    {
      const Interval *interval = &g_array_index (fit->intervals, Interval, i);

      sum += interval->count * log_probability (interval, scale, shape);
    }
  return sum;
}

/* The likelihood at the parameters that @at means under the restriction. */
static double
evaluate (const Search *search, double first, double second)
{
  double log_share = log (search->fit->exceeding / search->fit->n);
  double log_scale = first;
  double shape = second;

  switch (search->restriction)
    {
    case FREE:
      break;
    case AT_SHAPE:
      shape = search->at;
      break;
    case AT_LOG_SCALE:
      shape = first;
      log_scale = search->at;
      break;
    case AT_LOG_LEVEL:
    case AT_LOG_PART:
      {
        double level = search->restriction == AT_LOG_LEVEL ? exp (search->at) : search->level;
        double log_part = search->restriction == AT_LOG_LEVEL ? search->log_part : search->at;

        shape = first;
        log_share = second;
        if (log_share >= 0 || log_part >= log_share)
          return -INFINITY;
        log_scale = log (level / level_of (log_part - log_share, 1, shape));
      }
    }
  if (shape < LEAST_SHAPE || shape > MOST_SHAPE || !isfinite (log_scale))
    return -INFINITY;
  return log_likelihood (search->fit, log_share, exp (log_scale), shape);
}

/* The same for GSL, which finds minima. */
static double
cost (const gsl_vector *at, void *data)
{
  double value = -evaluate (data, gsl_vector_get (at, 0), at->size > 1 ? gsl_vector_get (at, 1) : 0);

  return isfinite (value) ? value : G_MAXDOUBLE / 1e10;
}

/* The largest likelihood under the restriction; @search starts there the next time. */
static double
maximise (Search *search)
{
  gsize parameters = search->restriction == AT_SHAPE || search->restriction == AT_LOG_SCALE ? 1 : 2;
  gsl_multimin_fminimizer *minimizer = gsl_multimin_fminimizer_alloc (gsl_multimin_fminimizer_nmsimplex2, parameters);
  gsl_multimin_function function = { cost, parameters, search };
  gsl_vector *start = gsl_vector_alloc (parameters);
  gsl_vector *step = gsl_vector_alloc (parameters);
  double precision = search->restriction == FREE ? 1e-6 : 3e-3; /* of standard deviations */
  double least;

  for (gsize i = 0; i < parameters; i++)
    gsl_vector_set (start, i, search->start[i]);
  gsl_vector_set_all (step, 1 / sqrt (search->fit->exceeding));
  gsl_multimin_fminimizer_set (minimizer, &function, start, step);
  for (guint i = 0; i < MOST_STEPS && gsl_multimin_fminimizer_iterate (minimizer) == GSL_SUCCESS; i++)
    if (gsl_multimin_fminimizer_size (minimizer) < precision / sqrt (search->fit->exceeding))
      break;
  for (gsize i = 0; i < parameters; i++)
    search->start[i] = gsl_vector_get (minimizer->x, i);
  least = minimizer->fval;
  gsl_multimin_fminimizer_free (minimizer);
  gsl_vector_free (start);
  gsl_vector_free (step);
  return -least;
}

/* Fits. */

static void
fit_clear (gpointer data)
{
  g_array_unref (((Fit *) data)->intervals);
}

/* How wide the bins of a profile are, or the ticks of its clock. */
static double
find_width (const CulpritProfile *profile)
{
  return profile->middle_ns > 0 ? profile->width_ns : culprit_lattice_find (profile).step_ns;
}

/* Where the bin @index begins, from @origin_ns on. */
static double
bin_from (const CulpritProfile *profile, guint index, gint64 origin_ns)
{
  return (double) (culprit_profile_bin (profile, index)->latency_ns - origin_ns) - profile->middle_ns;
}

/* Adds @count latencies from @from_ns to below @to_ns, both from the threshold on. */
static void
add_interval (Fit *fit, double from_ns, double to_ns, double count)
{
  const Interval interval = { from_ns / fit->unit_ns, (to_ns - from_ns) / fit->unit_ns, count };

  if (count > 0)
    g_array_append_val (fit->intervals, interval);
}

/* The bins from @first on. If these are many, only the last of them stay alone; the others are combined in ranges,
 * which do not depend on where in them latencies are. */
static void
collect (Fit *fit, const CulpritProfile *profile, guint first, double width_ns)
{
  guint bins = profile->bins->len;
  guint alone = bins - first <= MOST_INTERVALS ? first : bins - MOST_INTERVALS / 2;
  double reach;
  double to_ns = 0;
  double sum = 0;
  guint i = first;

  for (guint k = first; k < bins; k++)
    sum +=
        culprit_profile_bin (profile, k)->count * (bin_from (profile, k, fit->origin_ns) - fit->over_ns + width_ns / 2);
  fit->unit_ns = sum / fit->exceeding;
  reach = log1p ((bin_from (profile, alone, fit->origin_ns) - fit->over_ns) / fit->unit_ns);
  for (guint k = 1; k <= MOST_INTERVALS / 2 && i < alone; k++)
    {
      double from_ns = to_ns;
      double count = 0;

      to_ns = ceil (fit->unit_ns * expm1 (reach * k * 2 / MOST_INTERVALS) / width_ns) * width_ns;
      for (; i < bins && bin_from (profile, i, fit->origin_ns) - fit->over_ns < to_ns; i++)
        count += culprit_profile_bin (profile, i)->count;
      add_interval (fit, from_ns, to_ns, count);
    }
  for (; i < bins; i++)
    {
      double from_ns = bin_from (profile, i, fit->origin_ns) - fit->over_ns;

      add_interval (fit, from_ns, from_ns + width_ns, culprit_profile_bin (profile, i)->count);
    }
}

static void
find_maximum (Fit *fit)
{
  Search search = { .fit = fit, .restriction = FREE };

  /* A second search begins with a fresh simplex: the first one may have ended flat. */
  maximise (&search);
  fit->log_likelihood = maximise (&search);
  fit->log_scale = search.start[0];
  fit->shape = search.start[1];
}

/* The fit of the bins from @first on, above @over_ns from the first of them on. */
static Fit
make_fit (const Wakeups *wakeups, guint first, double over_ns)
{
  const CulpritProfile *profile = wakeups->profile;
  Fit fit = { .origin_ns = culprit_profile_bin (profile, first)->latency_ns,
              .over_ns = over_ns,
              .n = profile->n,
              .intervals = g_array_new (FALSE, FALSE, sizeof (Interval)),
              .inflation = 1 };

  for (guint i = first; i < profile->bins->len; i++)
    fit.exceeding += culprit_profile_bin (profile, i)->count;
  collect (&fit, profile, first, wakeups->width_ns);
  find_maximum (&fit);
  return fit;
}

/* Bursts. */

/* The slopes of the likelihood of one late wake-up in the interval over the parameters. */
static void
find_slopes (const Fit *fit, const Interval *interval, double slopes[PARAMETERS])
{
  const double step = 1e-4;
  double scale = exp (fit->log_scale);

  slopes[0] = 1;
  slopes[1] = (log_probability (interval, scale * exp (step), fit->shape) -
               log_probability (interval, scale * exp (-step), fit->shape)) /
              (2 * step);
  slopes[2] =
      (log_probability (interval, scale, fit->shape + step) - log_probability (interval, scale, fit->shape - step)) /
      (2 * step);
  for (guint i = 0; i < PARAMETERS; i++)
    slopes[i] = isfinite (slopes[i]) ? slopes[i] : 0;
}

static void
add_product (double sum[PARAMETERS][PARAMETERS], const double slopes[PARAMETERS], double weight)
{
  for (guint i = 0; i < PARAMETERS; i++)
    for (guint k = 0; k < PARAMETERS; k++)
      sum[i][k] += weight * slopes[i] * slopes[k];
}

/* The interval of @fit that the latency, a distance from the threshold, lies in. */
static guint
find_interval (const Fit *fit, double y)
{
  guint first = 0;
  guint end = fit->intervals->len - 1;

  while (first < end)
    {
      guint middle = first + (end - first + 1) / 2;

      if (g_array_index (fit->intervals, Interval, middle).from <= y)
        first = middle;
      else
        end = middle - 1;
    }
  return first;
}

/* The slopes of the likelihood of all wake-ups of a block. */
static void
sum_slopes (const Fit *fit, const double (*slopes)[PARAMETERS], const CulpritTailBlock *block, double sum[PARAMETERS])
{
  double share = fit->exceeding / fit->n;
  double exceeding = 0;

  memset (sum, 0, PARAMETERS * sizeof *sum);
  for (guint i = block->late->bins->len; i > 0; i--)
    {
      const CulpritBin *bin = culprit_profile_bin (block->late, i - 1);
      double y_ns = (double) (bin->latency_ns - fit->origin_ns) - fit->over_ns;
      guint at;

      if (y_ns < 0)
        break;
      at = find_interval (fit, y_ns / fit->unit_ns);
      for (guint k = 0; k < PARAMETERS; k++)
        sum[k] += bin->count * slopes[at][k];
      exceeding += bin->count;
    }
  sum[0] -= (block->n - exceeding) * share / (1 - share);
}

/* The variance of the estimate whose slopes over the parameters are @target, by blocks, as a multiple of what it would
 * be if wake-ups were independent; 1 if it is smaller. */
static double
find_inflation (const Fit *fit, const GArray *blocks, const double target[PARAMETERS])
{
  g_autofree double (*slopes)[PARAMETERS] = g_malloc_n (fit->intervals->len, sizeof *slopes);
  double single[PARAMETERS][PARAMETERS] = { 0 };
  double blocked[PARAMETERS][PARAMETERS] = { 0 };
  double solved[PARAMETERS];
  double of_single = 0;
  double of_blocks = 0;
  double share = fit->exceeding / fit->n;
  const double others[PARAMETERS] = { -share / (1 - share), 0, 0 };
  double work[PARAMETERS][PARAMETERS];
  gsl_matrix_view matrix = gsl_matrix_view_array (&work[0][0], PARAMETERS, PARAMETERS);
  gsl_vector_view solution = gsl_vector_view_array (solved, PARAMETERS);
  double inflation;

  for (guint i = 0; i < fit->intervals->len; i++)
    {
      const Interval *interval = &g_array_index (fit->intervals, Interval, i);

      find_slopes (fit, interval, slopes[i]);
      add_product (single, slopes[i], interval->count);
    }
  add_product (single, others, fit->n - fit->exceeding);
  for (guint i = 0; i < blocks->len; i++)
    {
      double sum[PARAMETERS];

      sum_slopes (fit, slopes, &g_array_index (blocks, CulpritTailBlock, i), sum);
      add_product (blocked, sum, blocks->len / (blocks->len - 1.0));
    }
  memcpy (solved, target, sizeof solved);
  memcpy (work, single, sizeof work);
  gsl_linalg_HH_svx (&matrix.matrix, &solution.vector);
  for (guint i = 0; i < PARAMETERS; i++)
    for (guint k = 0; k < PARAMETERS; k++)
      {
        of_single += solved[i] * solved[k] * single[i][k];
        of_blocks += solved[i] * solved[k] * blocked[i][k];
      }
  inflation = of_blocks / of_single;
  return isfinite (inflation) && inflation > 1 ? inflation : 1;
}

/* The same for the logarithm of the part that exceeds @y. */
static double
inflation_at (const Fit *fit, const Wakeups *wakeups, double y)
{
  const double step = 1e-4;
  double scale = exp (fit->log_scale);
  double target[PARAMETERS] = { 1 };

  if (!wakeups->blocks)
    return 1;
  /* At the end of the distribution the slopes are infinite, and beyond it there are none. */
  if (fit->shape < 0)
    y = MIN (y, -0.99 * scale / fit->shape);
  target[1] = (log_survival (y, scale * exp (step), fit->shape) - log_survival (y, scale * exp (-step), fit->shape)) /
              (2 * step);
  target[2] = (log_survival (y, scale, fit->shape + step) - log_survival (y, scale, fit->shape - step)) / (2 * step);
  /* The second is that of the number in bursts of geometric lengths. */
  return MAX (find_inflation (fit, wakeups->blocks, target), 2 / wakeups->extremal - 1);
}

/* The inverse of the mean length of bursts among the worst wake-ups, from the maxima of blocks (Northrop): in bursts,
 * fewer blocks have one of them. */
static double
find_extremal (const CulpritProfile *profile, const GArray *blocks, gint64 threshold_ns)
{
  gint64 floor_ns = culprit_tail_floor (profile, threshold_ns);
  double sum = 0;
  double n = profile->n;

  for (guint i = 0; i < blocks->len; i++)
    {
      const CulpritTailBlock *block = &g_array_index (blocks, CulpritTailBlock, i);
      guint last = block->late->bins->len;
      gint64 most_ns = last > 0 ? culprit_profile_bin (block->late, last - 1)->latency_ns : floor_ns;
      double above = n - culprit_profile_count_to (profile, most_ns);
      double from = n - culprit_profile_count_to (profile, most_ns - 1);

      sum -= block->n * log1p (-MAX ((above + from) / 2, 0.5) / (n + 1));
    }
  return sum > 0 ? MIN (1, blocks->len / sum) : 1;
}

/* Profile likelihood. */

static double
deviance (Search *search, double at)
{
  search->at = at;
  return MAX (0, 2 * (search->fit->log_likelihood - maximise (search)));
}

/* Of square roots, which are nearly linear; far outside, the difference itself no longer counts. */
static double
deviance_less_target (double at, void *data)
{
  Search *search = data;

  return MIN (sqrt (deviance (search, at)), 4 * search->target) - search->target;
}

/* How far from @best the restricted value may be, in the direction @step, for its deviance to stay below the square of
 * the target: a value between is returned as the end of the interval. @limit: beyond it the interval has no end. */
static double
find_end (Search search, double best, double step, double limit)
{
  gsl_root_fsolver *solver;
  gsl_function function = { deviance_less_target, &search };
  double inside = best;
  double outside = best;
  double end;

  for (guint i = 0;; i++)
    {
      double reached;

      outside = inside + step;
      if (i == 60 || (step > 0 ? outside >= limit : outside <= limit))
        {
          outside = limit;
          if (!isfinite (limit) || deviance_less_target (limit, &search) < 0)
            return limit;
          break;
        }
      reached = deviance_less_target (outside, &search) + search.target;
      if (reached >= search.target)
        break;
      step *= CLAMP (1.1 * search.target / MAX (reached, 1e-3) - 1, 0.3, 3);
      inside = outside;
    }
  solver = gsl_root_fsolver_alloc (gsl_root_fsolver_brent);
  gsl_root_fsolver_set (solver, &function, MIN (inside, outside), MAX (inside, outside));
  for (guint i = 0; i < 50 && gsl_root_fsolver_iterate (solver) == GSL_SUCCESS; i++)
    if (gsl_root_test_interval (gsl_root_fsolver_x_lower (solver), gsl_root_fsolver_x_upper (solver), 1e-6, 1e-6) ==
        GSL_SUCCESS)
      break;
  end = gsl_root_fsolver_root (solver);
  gsl_root_fsolver_free (solver);
  return end;
}

/* The square root of the deviance up to which a value is inside its interval. */
static double
find_target (const Wakeups *wakeups, double inflation)
{
  double tail = (1 - CULPRIT_LEVEL) / 2;

  return sqrt (inflation) *
         (wakeups->blocks ? gsl_cdf_tdist_Qinv (tail, wakeups->blocks->len - 1) : gsl_cdf_ugaussian_Qinv (tail));
}

static CulpritEstimate
estimate_parameter (const Fit *fit, const Wakeups *wakeups, Restriction restriction)
{
  gboolean shape = restriction == AT_SHAPE;
  Search search = { .fit = fit,
                    .restriction = restriction,
                    .start = { shape ? fit->log_scale : fit->shape },
                    .target = find_target (wakeups, inflation_at (fit, wakeups, 1)) };
  double best = shape ? fit->shape : fit->log_scale;
  double step = 1 / sqrt (fit->exceeding);

  return (CulpritEstimate) { find_end (search, best, -step, shape ? LEAST_SHAPE : -INFINITY), best,
                             find_end (search, best, step, shape ? MOST_SHAPE : INFINITY) };
}

/* One end of the interval of the latency that the part exp @log_part exceeds, as the logarithm of the distance from the
 * threshold. */
static double
find_level_end (const Fit *fit, const Wakeups *wakeups, double log_part, double step)
{
  double log_share = log (fit->exceeding / fit->n);
  double level = level_of (log_part - log_share, exp (fit->log_scale), fit->shape);
  Search search = { .fit = fit,
                    .restriction = AT_LOG_LEVEL,
                    .log_part = log_part,
                    .start = { fit->shape, log_share },
                    .target = find_target (wakeups, inflation_at (fit, wakeups, level)) };

  return find_end (search, log (level), step / sqrt (fit->exceeding), step > 0 ? log (1e12) : log (1e-12));
}

static double
latency_of (const Fit *fit, double y)
{
  return fit->origin_ns + fit->over_ns + y * fit->unit_ns;
}

static double
latency_of_end (const Fit *fit, double log_level, gboolean high)
{
  return high && log_level >= log (1e12) ? INFINITY : latency_of (fit, exp (log_level));
}

/* In @once_in wake-ups so many exceed their maximum in 2.5 and 97.5 of 100 cases. */
static CulpritTailLevel
estimate_level (const Fit *fit, const Wakeups *wakeups, double once_in)
{
  double tail = (1 - CULPRIT_LEVEL) / 2;
  double log_share = log (fit->exceeding / fit->n);
  double log_part = -log (once_in);
  double often = log (-log (tail) / (once_in * wakeups->extremal));
  double rarely = log (-log1p (-tail) / (once_in * wakeups->extremal));

  return (CulpritTailLevel) {
    .once_in = once_in,
    .ns = { latency_of_end (fit, find_level_end (fit, wakeups, log_part, -1), FALSE),
            latency_of (fit, level_of (log_part - log_share, exp (fit->log_scale), fit->shape)),
            latency_of_end (fit, find_level_end (fit, wakeups, log_part, 1), TRUE) },
    .worst_low_ns =
        often < log_share ? latency_of_end (fit, find_level_end (fit, wakeups, often, -1), FALSE) : latency_of (fit, 0),
    .worst_high_ns = latency_of_end (fit, find_level_end (fit, wakeups, rarely, 1), TRUE),
  };
}

/* The part that is as late as the deadline, and how much longer to measure. */
static void
estimate_late (CulpritTail *tail, const Fit *fit, const Wakeups *wakeups)
{
  double log_share = log (fit->exceeding / fit->n);
  double level = ((double) (tail->asked.deadline_ns - fit->origin_ns) - fit->over_ns) / fit->unit_ns;
  double best = log_share + log_survival (level, exp (fit->log_scale), fit->shape);
  double none = -100; /* the logarithm of as good as nothing */
  Search search = { .fit = fit,
                    .restriction = AT_LOG_PART,
                    .level = level,
                    .start = { fit->shape, log_share },
                    .target = find_target (wakeups, inflation_at (fit, wakeups, level)) };
  double low = best > none ? find_end (search, best, -1 / sqrt (fit->exceeding), none) : none;
  double high = find_end (search, MAX (best, none), best > none ? 1 / sqrt (fit->exceeding) : 1, log_share);

  tail->late_part = (CulpritEstimate) { low > none ? exp (low) : 0, exp (best), exp (high) };
  if (tail->asked.once_in > 0 && best >= -log (tail->asked.once_in))
    tail->more = INFINITY;
  else if (tail->asked.once_in > 0)
    {
      /* Deviances grow with the number of wake-ups. */
      double reached = deviance (&search, -log (tail->asked.once_in));

      tail->more = MAX (0, fit->n * (search.target * search.target / reached - 1));
    }
}

/* Whether, by counting, at most one in what was asked were late after @times as many wake-ups, of which as large a part
 * is. Counts are taken as Poisson's, which demands a few more. */
static gboolean
is_enough (const CulpritTail *tail, double times)
{
  return gsl_cdf_gamma_Q (times * tail->n / tail->asked.once_in, times * tail->late + 1, 1) <= (1 - CULPRIT_LEVEL) / 2;
}

/* How many more wake-ups that takes. */
static double
count_more (const CulpritTail *tail)
{
  double low = 1;
  double high = 2;

  if (tail->counted.high * tail->asked.once_in <= 1)
    return 0;
  if (tail->late == 0)
    return log ((1 - CULPRIT_LEVEL) / 2) / log1p (-1 / tail->asked.once_in) - tail->n;
  while (!is_enough (tail, high))
    if ((high *= 2) > MOST_TIMES)
      return INFINITY;
  while (high - low > 1e-9 * high)
    *(is_enough (tail, (low + high) / 2) ? &high : &low) = (low + high) / 2;
  return (high - 1) * tail->n;
}

/* Thresholds. */

/* Whether the fit from the threshold of @fit on is inside the region of the higher one. */
static gboolean
agrees (const Fit *fit, const Fit *higher)
{
  double rise_ns = higher->over_ns - fit->over_ns + (higher->origin_ns - fit->origin_ns);
  double scale = exp (fit->log_scale) * fit->unit_ns + fit->shape * rise_ns;
  Search search = { .fit = higher, .restriction = FREE };
  double reached;

  if (scale <= 0)
    return FALSE;
  reached = 2 * (higher->log_likelihood - evaluate (&search, log (scale / higher->unit_ns), fit->shape));
  return reached <= gsl_cdf_chisq_Pinv (SAME, 2) * higher->inflation;
}

/* The one after the first of @fits that all higher ones agree with, HIGHER at least; the number of fits if there is
 * none. */
static guint
find_stable (const GArray *fits)
{
  for (guint i = 0; i + HIGHER < fits->len; i++)
    {
      gboolean stable = TRUE;

      for (guint k = i + 1; k < fits->len && stable; k++)
        stable = agrees (&g_array_index (fits, Fit, i), &g_array_index (fits, Fit, k));
      if (stable)
        return i + 1;
    }
  return fits->len;
}

/* Whether the maximum does not belong to the fit. */
static gboolean
is_far (const Fit *fit, double extremal)
{
  const Interval *last = &g_array_index (fit->intervals, Interval, fit->intervals->len - 1);

  return fit->exceeding * extremal * exp (log_survival (last->from, exp (fit->log_scale), fit->shape)) < FAR;
}

/* The first bin with at most @most latencies from it on. */
static guint
find_first (const CulpritProfile *profile, guint64 most)
{
  guint64 above = 0;
  guint first = profile->bins->len;

  while (first > 0 && above + culprit_profile_bin (profile, first - 1)->count <= most)
    above += culprit_profile_bin (profile, --first)->count;
  return first;
}

/* Where the last peak ends, and if it is not the highest one, how many wake-ups it has. */
static gint64
find_foot (CulpritTail *tail, const CulpritProfile *profile)
{
  g_autoptr (GArray) peaks = culprit_peaks_find_all (profile, culprit_profile_nice_width (profile));
  const CulpritPeak *last = NULL;
  double most = 0;

  for (guint i = 0; i < peaks->len; i++)
    {
      const CulpritPeak *peak = &g_array_index (peaks, CulpritPeak, i);

      if (!peak->weak)
        last = peak;
      most = fmax (most, peak->prominence);
    }
  if (!last)
    return G_MININT64;
  if (last->prominence < most)
    {
      tail->peak_ns = last->at_ns;
      tail->peak_count = culprit_profile_count_to (profile, last->band_high_ns) -
                         culprit_profile_count_to (profile, last->from_ns - 1);
    }
  return last->band_high_ns;
}

/* Adds the fit of the bins from @first on, unless too few wake-ups or bins are there. */
static void
add_fit (GArray *fits, const Wakeups *wakeups, guint first, double over_ns)
{
  Fit fit;

  if (wakeups->profile->bins->len - first < LEAST_BINS)
    return;
  fit = make_fit (wakeups, first, over_ns);
  fit.inflation = inflation_at (&fit, wakeups, g_array_index (fit.intervals, Interval, fit.intervals->len - 1).from);
  fit.effective = fit.exceeding / fit.inflation;
  if (fit.effective >= CULPRIT_TAIL_LEAST_HIGHER)
    g_array_append_val (fits, fit);
  else
    fit_clear (&fit);
}

/* Fits at thresholds with half as many wake-ups above each as above the one before. */
static void
add_fits (GArray *fits, const Wakeups *wakeups, guint64 most)
{
  const CulpritProfile *profile = wakeups->profile;
  guint last = 0;

  for (guint64 wanted = most; wanted >= CULPRIT_TAIL_LEAST_HIGHER; wanted /= 2)
    {
      guint first = find_first (profile, wanted);
      gint64 from_ns;

      if (first <= last || first == profile->bins->len)
        continue;
      last = first;
      from_ns = culprit_profile_bin (profile, first)->latency_ns;
      add_fit (fits, wakeups, first, bin_from (profile, first - 1, from_ns) + wakeups->width_ns);
    }
}

/* Adds the fit above @threshold_ns. */
static void
add_asked (GArray *fits, const Wakeups *wakeups, gint64 threshold_ns)
{
  const CulpritProfile *profile = wakeups->profile;
  guint first = find_first (profile, profile->n - culprit_profile_count_to (profile, threshold_ns - 1));

  if (first < profile->bins->len)
    add_fit (fits, wakeups, first,
             profile->width_ns == 1 ? threshold_ns - culprit_profile_bin (profile, first)->latency_ns
                                    : -profile->middle_ns);
}

static void
estimate_all (CulpritTail *tail, const Fit *fit, const Wakeups *wakeups)
{
  double share = fit->exceeding / fit->n;

  tail->shape = estimate_parameter (fit, wakeups, AT_SHAPE);
  tail->scale_ns = estimate_parameter (fit, wakeups, AT_LOG_SCALE);
  tail->scale_ns.low = exp (tail->scale_ns.low) * fit->unit_ns;
  tail->scale_ns.value = exp (tail->scale_ns.value) * fit->unit_ns;
  tail->scale_ns.high = exp (tail->scale_ns.high) * fit->unit_ns;
  for (const double *once_in = tail->asked.levels; once_in && *once_in > 0; once_in++)
    if (*once_in * share > 1)
      {
        CulpritTailLevel level = estimate_level (fit, wakeups, *once_in);

        g_array_append_val (tail->levels, level);
      }
  if (tail->asked.deadline_ns > tail->threshold_ns)
    estimate_late (tail, fit, wakeups);
}

/* Why there is no fit. */
static CulpritTailOutcome
refuse (const CulpritTail *tail, const Wakeups *wakeups, const GArray *fits)
{
  const CulpritProfile *profile = wakeups->profile;
  gboolean in_bursts = wakeups->blocks && !(tail->effective >= culprit_tail_needed (tail));

  if (tail->exceeding < culprit_tail_needed (tail))
    return tail->peak_count > 0 ? CULPRIT_TAIL_GROUP : CULPRIT_TAIL_FEW;
  if (fits->len > HIGHER)
    return CULPRIT_TAIL_UNSTABLE;
  return !in_bursts || profile->bins->len - find_first (profile, tail->exceeding) < LEAST_BINS ? CULPRIT_TAIL_COARSE
                                                                                               : CULPRIT_TAIL_FEW;
}

/* Whether the worst are not in the histogram. */
static gboolean
is_cut (const CulpritProfile *profile)
{
  return profile->beyond > 0 || culprit_profile_hides (profile, G_MININT64);
}

static void
search_and_estimate (CulpritTail *tail, const Wakeups *wakeups)
{
  const CulpritProfile *profile = wakeups->profile;
  g_autoptr (GArray) fits = g_array_new (FALSE, FALSE, sizeof (Fit));
  gint64 threshold_ns = tail->asked.threshold_ns;
  guint64 most = threshold_ns > 0 ? profile->n - culprit_profile_count_to (profile, threshold_ns - 1)
                                  : MIN (profile->n / FIRST_PART,
                                         profile->n - culprit_profile_count_to (profile, find_foot (tail, profile)));
  guint chosen = 0;
  const Fit *fit;

  g_array_set_clear_func (fits, fit_clear);
  if (threshold_ns > 0)
    add_asked (fits, wakeups, threshold_ns);
  else
    {
      add_fits (fits, wakeups, most);
      chosen = find_stable (fits);
    }
  fit = &g_array_index (fits, Fit, chosen < fits->len ? chosen : 0);
  tail->exceeding = fits->len > 0 ? fit->exceeding : most;
  tail->threshold_ns = fits->len > 0 ? latency_of (fit, 0) : threshold_ns > 0 ? threshold_ns : NAN;
  tail->effective = wakeups->blocks && fits->len > 0 ? fit->effective : NAN;
  tail->outcome = is_cut (profile)                  ? CULPRIT_TAIL_CUT
                  : chosen == fits->len             ? refuse (tail, wakeups, fits)
                  : is_far (fit, wakeups->extremal) ? CULPRIT_TAIL_FAR
                                                    : CULPRIT_TAIL_FITTED;
  if (tail->outcome == CULPRIT_TAIL_FITTED)
    estimate_all (tail, fit, wakeups);
}

CulpritTail *
culprit_tail_new (const CulpritProfile *profile, const GArray *blocks, const CulpritTailAsked *asked)
{
  const CulpritEstimate unknown = { NAN, NAN, NAN };
  CulpritTail *tail = g_new (CulpritTail, 1);
  Wakeups wakeups;

  *tail = (CulpritTail) { .asked = *asked,
                          .n = profile->n + profile->beyond,
                          .beyond = profile->beyond,
                          .max_ns = culprit_profile_to (profile, culprit_profile_rank (profile, profile->n - 1)),
                          .extremal = blocks ? find_extremal (profile, blocks, asked->threshold_ns) : NAN,
                          .shape = unknown,
                          .scale_ns = unknown,
                          .levels = g_array_new (FALSE, FALSE, sizeof (CulpritTailLevel)),
                          .counted = unknown,
                          .late_part = unknown,
                          .more = NAN };
  if (asked->deadline_ns > 0)
    {
      tail->late = culprit_profile_count_late (profile, asked->deadline_ns);
      tail->surely_late = culprit_profile_count_surely_late (profile, asked->deadline_ns);
      tail->divided = tail->late > tail->surely_late;
      tail->hidden = culprit_profile_hides (profile, asked->deadline_ns);
      tail->counted.value = (double) tail->late / tail->n;
      culprit_part_interval (tail->late, tail->n, CULPRIT_LEVEL, &tail->counted.low, &tail->counted.high);
      if (tail->hidden)
        tail->counted = (CulpritEstimate) { tail->counted.low, NAN, 1 };
    }
  wakeups = (Wakeups) { profile, blocks, blocks ? tail->extremal : 1, find_width (profile) };
  search_and_estimate (tail, &wakeups);
  if (isnan (tail->late_part.value) && asked->once_in > 0 && asked->deadline_ns > 0)
    tail->more = tail->late * asked->once_in >= tail->n ? INFINITY : tail->hidden ? NAN : count_more (tail);
  return tail;
}

void
culprit_tail_free (CulpritTail *tail)
{
  g_array_unref (tail->levels);
  g_free (tail);
}

const char *
culprit_tail_outcome_name (guint outcome)
{
  static const char *const names[] = { "fitted", "few", "coarse", "group", "group", "unstable", "cut" };

  return outcome < G_N_ELEMENTS (names) ? names[outcome] : NULL;
}
