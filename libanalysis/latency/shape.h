/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether two systems have the same characteristics but for a shift and a scale, as one with tracing and without
 * should. Latencies of one run are not independent of each other, so runs are compared, not samples. */
#pragma once

#include "profile.h"

#define CULPRIT_SHAPE_RUNS 6      /* at least so many of each are needed for a verdict */
#define CULPRIT_SHAPE_ALPHA 0.025 /* of each of the two tests; of the peaks together */

typedef enum
{
  CULPRIT_SHAPE_INCONCLUSIVE,
  CULPRIT_SHAPE_SAME,
  CULPRIT_SHAPE_DIFFERENT,
} CulpritShapeVerdict;

/* A peak of both together, and what part of either's samples lies around it. */
typedef struct
{
  gint64 base_ns;  /* where it is in the base */
  gint64 other_ns; /* and where the line takes it */
  double base_share;
  double other_share;
  double p; /* of the shares' difference, by ranks of the runs */
} CulpritShapePeak;

typedef struct
{
  CulpritShapeVerdict verdict;
  guint base_runs;
  guint other_runs;
  gboolean like_lengths; /* The runs of neither are more than twice as long as the other's, on average. */
  double scale;          /* other = scale x base + shift */
  double shift_ns;
  double correlation;   /* of the quantiles .02 to .98 */
  double distance;      /* Kolmogorov and Smirnov's, with the other brought back along the line */
  double distance_p;    /* by exchanging runs; NaN with too few runs or of unlike lengths, as are the next two */
  double distance_high; /* 95 % of the distances of resampled runs are not above */
  double margin;        /* how far apart they may be and still be the same */
  GArray *peaks;        /* of CulpritShapePeak; empty where there is no test */
  gboolean peaks_match; /* Both alone have the same peaks in the same order. */
} CulpritShape;

/* Compares @n_base with @n_other runs, at least one each, none of them empty. */
CulpritShape *culprit_shape_compare (const CulpritProfile *const *base,
                                     guint n_base,
                                     const CulpritProfile *const *other,
                                     guint n_other);

void culprit_shape_free (CulpritShape *shape);

/* "same", "different", "inconclusive". */
const char *culprit_shape_verdict_name (CulpritShapeVerdict verdict);

/* What it comes to, why, and what more is needed where there is no verdict. The caller owns it. */
char *culprit_shape_in_words (const CulpritShape *shape, const char *base, const char *other);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritShape, culprit_shape_free)
