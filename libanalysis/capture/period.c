/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits a line through times and their numbers by least median of squares: the slope for which the closest half of the
 * times is closest together. Then by least squares through those on that line. Late cycles, missing cycles and sleeps
 * for other reasons do not move the line. */
#include "period-private.h"

#include <math.h>
#include <stdlib.h>

#define NEAR_FACTOR 2.0 /* times the spread of the closest half: still on the line, */
#define NEAR_SMALL 5.0  /* larger for few points, which may be close by chance, */
#define NEAR_NS 1000    /* and at least this. */
#define MIN_NEAR 4
#define MAX_ERROR 0.01 /* of the period; with a larger error it is not known */

typedef struct
{
  double *k; /* the times' numbers */
  double *t; /* the times, relative to the first one, minus the number times a first guess of the period */
  double *work;
  guint n;
} Points;

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double left = *(const double *) a;
  double right = *(const double *) b;

  return left < right ? -1 : left > right;
}

/* The index in @sorted from which more than half of the values are closest together. */
static guint
closest_half (const double *sorted, guint n)
{
  guint half = n / 2;
  guint best = 0;

  for (guint i = 1; i + half < n; i++)
    if (sorted[i + half] - sorted[i] < sorted[best + half] - sorted[best])
      best = i;
  return best;
}

/* The typical time between two times: the middle of the closest half of the gaps. */
static double
typical_gap (const guint64 *times_ns, guint n)
{
  g_autofree double *gaps = g_new (double, n - 1);

  for (guint i = 0; i + 1 < n; i++)
    gaps[i] = times_ns[i + 1] - times_ns[i];
  qsort (gaps, n - 1, sizeof *gaps, compare_doubles);
  return gaps[closest_half (gaps, n - 1) + (n - 1) / 4];
}

static void
points_init (Points *points, const guint64 *times_ns, guint n, double gap_ns)
{
  *points = (Points) { g_new (double, n), g_new (double, n), g_new (double, n), n };
  points->k[0] = points->t[0] = 0;
  for (guint i = 1; i < n; i++)
    {
      points->k[i] = points->k[i - 1] + round ((times_ns[i] - times_ns[i - 1]) / gap_ns);
      points->t[i] = (double) (times_ns[i] - times_ns[0]) - points->k[i] * gap_ns;
    }
}

static void
points_clear (Points *points)
{
  g_free (points->k);
  g_free (points->t);
  g_free (points->work);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Points, points_clear)

/* How close the closest half is to a line of @slope, and where that line is. */
static double
spread (const Points *points, double slope, double *middle)
{
  guint half = points->n / 2;
  guint first;

  for (guint i = 0; i < points->n; i++)
    points->work[i] = points->t[i] - slope * points->k[i];
  qsort (points->work, points->n, sizeof *points->work, compare_doubles);
  first = closest_half (points->work, points->n);
  *middle = (points->work[first] + points->work[first + half]) / 2;
  return points->work[first + half] - points->work[first];
}

/* The slope with the least spread, among those through two distant points. */
static double
best_slope (const Points *points, double *spread_ns, double *middle)
{
  guint far = MAX (points->n / 2, 1);
  double best = 0;

  *spread_ns = spread (points, 0, middle);
  for (guint i = 0; i + far < points->n; i++)
    for (guint j = i + far; j < points->n; j++)
      {
        double slope;
        double slope_middle;
        double slope_spread;

        if (points->k[j] <= points->k[i])
          continue;
        slope = (points->t[j] - points->t[i]) / (points->k[j] - points->k[i]);
        slope_spread = spread (points, slope, &slope_middle);
        if (slope_spread < *spread_ns)
          {
            *spread_ns = slope_spread;
            *middle = slope_middle;
            best = slope;
          }
      }
  return best;
}

/* How many standard errors a slope from @n points may be off: by Student's t and simulation, about one in a hundred is
 * off by more. */
static double
errors_allowed (guint n)
{
  static const double allowed[] = { 60, 60, 60, 60, 19, 9.2, 6.6, 5.5, 5 };

  return n < G_N_ELEMENTS (allowed) ? allowed[n] : 5;
}

/* The roundest period within @error_ns of @period_ns: people choose round ones, and with a period off by a microsecond,
 * a window a hundred cycles before the hit is off by a hundred. A round one that is this close merely by chance is not
 * taken. */
static guint64
round_period (double period_ns, double error_ns)
{
  static const struct
  {
    double unit_ns;
    double most_ns; /* the error up to which this is not chance */
  } steps[] = { { 1e6, 1e5 }, { 1e5, 1e4 }, { 1e4, 1e3 }, { 1e3, 5e2 } };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      double rounded_ns = round (period_ns / steps[i].unit_ns) * steps[i].unit_ns;

      if (rounded_ns > 0 && error_ns <= steps[i].most_ns && fabs (rounded_ns - period_ns) <= error_ns)
        return rounded_ns;
    }
  return MAX (round (period_ns), 0);
}

/* By least squares through the points near the line of @slope and @middle. */
static Period
refine (const Points *points, double gap_ns, double slope, double middle, double near_ns)
{
  double sum_k = 0, sum_t = 0, sum_kk = 0, sum_kt = 0, sum_tt = 0;
  guint n = 0;
  double var_k, period_ns, error_ns, residual;

  for (guint i = 0; i < points->n; i++)
    {
      double k = points->k[i];
      double t = points->t[i] - slope * k - middle;

      if (fabs (t) > near_ns)
        continue;
      n++;
      sum_k += k;
      sum_t += t;
      sum_kk += k * k;
      sum_kt += k * t;
      sum_tt += t * t;
    }
  if (n < MIN_NEAR || (var_k = sum_kk - sum_k * sum_k / n) <= 0)
    return (Period) { 0, 0 };
  slope += (sum_kt - sum_k * sum_t / n) / var_k;
  period_ns = gap_ns + slope;
  residual = sum_tt - sum_t * sum_t / n - pow (sum_kt - sum_k * sum_t / n, 2) / var_k;
  error_ns = errors_allowed (n) * sqrt (MAX (residual, 0) / (n - 2) / var_k) + 1;
  if (!(period_ns > 0) || error_ns > period_ns * MAX_ERROR)
    return (Period) { 0, 0 };
  return (Period) { round_period (period_ns, error_ns), ceil (error_ns) };
}

Period
period_infer (const guint64 *times_ns, guint n)
{
  g_auto (Points) points = { 0 };
  double gap_ns, slope, spread_ns, middle;

  if (n > PERIOD_MAX_TIMES)
    {
      times_ns += n - PERIOD_MAX_TIMES;
      n = PERIOD_MAX_TIMES;
    }
  if (n < PERIOD_MIN_TIMES)
    return (Period) { 0, 0 };
  gap_ns = typical_gap (times_ns, n);
  if (gap_ns < 1)
    return (Period) { 0, 0 };
  points_init (&points, times_ns, n, gap_ns);
  slope = best_slope (&points, &spread_ns, &middle);
  return refine (&points, gap_ns, slope, middle, NEAR_FACTOR * spread_ns * (1 + NEAR_SMALL / (n - 2)) + NEAR_NS);
}
