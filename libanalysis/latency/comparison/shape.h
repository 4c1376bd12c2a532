/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether two systems have the same characteristics apart from a shift and a scale, as a system with and without
 * tracing should. Latencies of one run are not independent of each other, so runs are compared, not samples. */
#pragma once

#include "latency/profile.h"

#define CULPRIT_SHAPE_RUNS 6      /* of each, at least, for a verdict */
#define CULPRIT_SHAPE_ALPHA 0.025 /* of each of the two tests; of the peaks together */

typedef enum
{
  CULPRIT_SHAPE_INCONCLUSIVE,
  CULPRIT_SHAPE_SAME,
  CULPRIT_SHAPE_DIFFERENT,
} CulpritShapeVerdict;

/* A peak of both together, and the share of each one's samples around it. */
typedef struct
{
  gint64 base_ns;  /* its position in the base */
  gint64 other_ns; /* that position mapped along the line */
  double base_share;
  double other_share;
  double p; /* of the shares' difference, by ranks of the runs; NaN: not known within bins */
} CulpritShapePeak;

typedef struct
{
  CulpritShapeVerdict verdict;
  guint base_runs;
  guint other_runs;
  gboolean cut;          /* More of a run is above its histogram's end than peaks may miss: nothing is tested. */
  gboolean like_lengths; /* On average, runs of one are no more than twice as long as those of the other. */
  double scale;          /* other = scale x base + shift */
  double shift_ns;
  double correlation;   /* of the quantiles .02 to .98 */
  double distance;      /* Kolmogorov-Smirnov, with the other mapped back along the line */
  double distance_p;    /* by permuting runs; NaN: not known within bins, or without a test, as are the next two */
  double distance_high; /* 95 % of the distances of resampled runs are at most this */
  double margin;        /* distance up to which they count as the same */
  GArray *peaks;        /* of CulpritShapePeak; empty if there is no test */
  gboolean coarse;      /* Whether the distance or a peak differs depends on where latencies are in their bins. */
  gboolean peaks_match; /* Separately, both have the same peaks in the same order. */
} CulpritShape;

/* Compares @n_base with @n_other runs, at least one each, none of them empty. */
CulpritShape *culprit_shape_compare (const CulpritProfile *const *base,
                                     guint n_base,
                                     const CulpritProfile *const *other,
                                     guint n_other);

void culprit_shape_free (CulpritShape *shape);

/* The first peak whose p is NaN; NULL: there is none. It belongs to @shape. */
const CulpritShapePeak *culprit_shape_open_peak (const CulpritShape *shape);

/* "same", "different", "inconclusive". */
const char *culprit_shape_verdict_name (CulpritShapeVerdict verdict);

/* The result, why, and what more is needed if there is no verdict. The caller owns it. */
char *culprit_shape_in_words (const CulpritShape *shape, const char *base, const char *other);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritShape, culprit_shape_free)
