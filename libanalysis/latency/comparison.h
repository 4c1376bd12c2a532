/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All that is said of two profiles beside each other. Differences are the other less the base. */
#pragma once

#include "bootstrap.h"
#include "compare.h"
#include "description.h"

#define CULPRIT_SHIFTS 4 /* of the quantiles 50, 90, 99 and 99.9 per cent */

typedef struct
{
  CulpritMeans means;
  double corrected_p;   /* of the means, for as many comparisons as are made at once (Holm) */
  gboolean significant; /* corrected_p is below 1 - CULPRIT_LEVEL */
  gboolean ranked;      /* What follows is known; not of profiles of which only mean and sd are. */
  CulpritRanks ranks;
  gint64 tail_ns;    /* What lies above is the tail: one latency in 200 of both together. */
  guint64 base_tail; /* how many of the base's do */
  guint64 other_tail;
  double tail_p; /* Fisher's, of these */
  CulpritMoments base_moments;
  CulpritMoments other_moments;
  CulpritShift shifts[CULPRIT_SHIFTS];
  double base_spread_ns; /* from the first quartile to the third */
  double other_spread_ns;
} CulpritComparison;

/* What is compared: a profile, or only its summary. */
typedef struct
{
  CulpritSummary summary;
  const CulpritProfile *profile; /* may be NULL */
} CulpritCompared;

/* The summary of a profile. */
CulpritSummary culprit_summarise (const CulpritProfile *profile);

/* Compares each of the @n @others with @base. An array of CulpritComparison that the caller owns. */
GArray *culprit_compare (const CulpritCompared *base, const CulpritCompared *others, guint n);

/* What a comparison comes to: what happened to the mean, the body, the tail, the spread. @base and @other: their names.
 * The caller owns it. */
char *culprit_comparison_in_words (const CulpritComparison *comparison, const char *base, const char *other);
