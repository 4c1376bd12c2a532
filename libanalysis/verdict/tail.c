/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Peaks over a threshold: whatever the distribution of a cost, its extreme values are close to a generalized Pareto
 * distribution. With its scale at the upper end of what the data allow, it errs on the heavy side. */
#include "tail-private.h"

#include <math.h>

#define UPPER_PART 0.2    /* of the ordinary wake-ups belongs to the tail */
#define SURE_SCALE 1.64   /* standard errors: the upper 95 % of the scale */
#define LEAST_SCALE 0.03  /* of the beginning of the tail: half the width of a bucket */
#define FEW_EXCEEDANCES 4 /* With fewer, the scale is that of all values. */
#define LEAST_SCALE_OF_FEW 0.1
#define LEAST_TO_SHAPE 8 /* exceedances */

static const CulpritBucket *
bucket_at (const CulpritSpread *spread, guint index)
{
  return &g_array_index (spread->buckets, CulpritBucket, index);
}

/* The index of the bucket that contains the upper quantile of @spread. */
static guint
find_beginning (const CulpritSpread *spread, guint64 total)
{
  guint64 counted = 0;

  for (guint i = 0; i < spread->buckets->len; i++)
    {
      counted += bucket_at (spread, i)->count;
      if (counted >= (1 - UPPER_PART) * total)
        return i;
    }
  return spread->buckets->len - 1;
}

/* The standard deviation of all values, or a fraction of their mean if they hardly differ. */
static double
scale_of_all (const CulpritSpread *spread, guint64 total)
{
  double mean = 0;
  double squares = 0;

  for (guint i = 0; i < spread->buckets->len; i++)
    mean += culprit_bucket_middle (bucket_at (spread, i)->bucket) * bucket_at (spread, i)->count / total;
  for (guint i = 0; i < spread->buckets->len; i++)
    squares += pow (culprit_bucket_middle (bucket_at (spread, i)->bucket) - mean, 2) * bucket_at (spread, i)->count;
  return MAX (sqrt (squares / total), LEAST_SCALE_OF_FEW * mean);
}

Tail
tail_fit (const CulpritSpread *spread, guint64 windows, double shape, double least_scale)
{
  Tail tail = { .ran = culprit_spread_total (spread), .windows = windows, .max = spread->max, .shape = shape };
  guint64 beyond = 0;
  double excess = 0;
  guint first;

  if (tail.ran == 0)
    return tail;
  first = find_beginning (spread, tail.ran);
  tail.from = culprit_bucket_end (bucket_at (spread, first)->bucket);
  for (guint i = first + 1; i < spread->buckets->len; i++)
    {
      beyond += bucket_at (spread, i)->count;
      excess += (culprit_bucket_middle (bucket_at (spread, i)->bucket) - tail.from) * bucket_at (spread, i)->count;
    }
  tail.scale = beyond >= FEW_EXCEEDANCES ? excess / beyond * (1 - shape) : scale_of_all (spread, tail.ran);
  tail.scale *= 1 + SURE_SCALE / sqrt (MAX (beyond, 1));
  tail.scale = MAX (MAX (tail.scale, LEAST_SCALE * tail.from), least_scale);
  return tail;
}

double
tail_probability (const Tail *tail, double value)
{
  if (tail->ran == 0 || value <= tail->from)
    return 1;
  return UPPER_PART * (tail->ran + 1.0) / (tail->windows + 1.0) *
         pow (1 + tail->shape * (value - tail->from) / tail->scale, -1 / tail->shape);
}

double
tail_shape (const CulpritSpread *spread)
{
  guint64 total = culprit_spread_total (spread);
  guint first = total > 0 ? find_beginning (spread, total) : 0;
  double from = total > 0 ? culprit_bucket_end (bucket_at (spread, first)->bucket) : 0;
  guint64 beyond = 0;
  guint64 below = 0;
  double mean = 0;
  double weighted = 0;

  for (guint i = first + 1; total > 0 && i < spread->buckets->len; i++)
    beyond += bucket_at (spread, i)->count;
  if (beyond < LEAST_TO_SHAPE)
    return NAN;
  for (guint i = first + 1; i < spread->buckets->len; i++)
    {
      guint64 count = bucket_at (spread, i)->count;
      double excess = culprit_bucket_middle (bucket_at (spread, i)->bucket) - from;

      mean += excess * count / beyond;
      weighted += excess * count / beyond * (1 - (below + count / 2.0) / beyond);
      below += count;
    }
  return 2 - mean / (mean - 2 * weighted);
}
