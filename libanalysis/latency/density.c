/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds a bell curve for each bin. Along equal steps, its value is the previous one times a ratio, and the ratio falls
 * by a constant factor, so that no exponential is needed for each point. */
#include "density.h"

#include "statistics.h"

#include <math.h>

#define CUT 5.0 /* bandwidths */
#define ROOM 3.0
#define PRECISION 1e-12 /* Steps must not vanish in the rounding of long latencies. */
#define LOW 10000       /* millionths of the samples */
#define HIGH 990000

static double
find_bandwidth (const CulpritProfile *profile)
{
  double spread_ns = culprit_quantile_type7 (profile, 0.75) - culprit_quantile_type7 (profile, 0.25);
  double sd_ns = culprit_moments (profile).sd_ns;
  double narrow_ns = fmin (sd_ns, spread_ns / 1.34); /* fmin () ignores the NaN of a single sample. */

  return fmax (0.9 * narrow_ns * pow (profile->n, -0.2), profile->width_ns / 2.0);
}

void
culprit_density_range (const CulpritProfile *profile, double *low_ns, double *high_ns)
{
  double first_ns = culprit_quantile_nearest (profile, LOW);
  double last_ns = culprit_quantile_nearest (profile, HIGH);
  double room_ns = fmax (ROOM * find_bandwidth (profile), PRECISION * fmax (fabs (first_ns), fabs (last_ns)));

  *low_ns = first_ns - room_ns;
  *high_ns = last_ns + room_ns;
}

/* Adds a bell curve around @centre, with @height there. @centre and @bandwidth are in steps, from the first value. */
static void
add_bell (double *values, guint points, double centre, double bandwidth, double height)
{
  double first = fmax (ceil (centre - CUT * bandwidth), 0);
  double last = fmin (floor (centre + CUT * bandwidth), points - 1.0);
  double variance = bandwidth * bandwidth;
  double value = height * exp (-(first - centre) * (first - centre) / 2 / variance);
  double ratio = exp (-(2 * (first - centre) + 1) / 2 / variance);
  double fall = exp (-1 / variance);

  for (guint i = first; i <= last; i++)
    {
      values[i] += value;
      value *= ratio;
      ratio *= fall;
    }
}

CulpritDensity *
culprit_density_new (const CulpritProfile *profile, double low_ns, double high_ns, guint points)
{
  CulpritDensity *density = g_new0 (CulpritDensity, 1);
  double bandwidth;
  double height;

  density->low_ns = low_ns;
  density->step_ns = (high_ns - low_ns) / (points - 1);
  density->bandwidth_ns = fmax (find_bandwidth (profile), density->step_ns);
  density->values = g_array_sized_new (FALSE, TRUE, sizeof (double), points);
  g_array_set_size (density->values, points);
  bandwidth = density->bandwidth_ns / density->step_ns;
  height = 1 / (sqrt (2 * M_PI) * density->bandwidth_ns * (profile->n + profile->beyond));
  for (guint i = 0; i < profile->bins->len; i++)
    {
      const CulpritBin *bin = culprit_profile_bin (profile, i);
      double centre = (bin->latency_ns - low_ns) / density->step_ns;

      if (centre >= -CUT * bandwidth && centre <= points + CUT * bandwidth)
        add_bell ((double *) (gpointer) density->values->data, points, centre, bandwidth, height * bin->count);
    }
  return density;
}

void
culprit_density_free (CulpritDensity *density)
{
  g_array_unref (density->values);
  g_free (density);
}
