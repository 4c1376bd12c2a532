/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How two profiles compare. Differences are the other minus the base.
 *
 * A test needs values that are independent of each other, and the latencies of one run are not: a busy stretch makes
 * thousands of them late. So runs are tested, six or more of each. With fewer runs there are differences but no tests,
 * unless the caller knows that latencies are independent, or gives mean, standard deviation and number of independent
 * values. If runs are more than twice as long as the others', only the means are tested: everything else about a run
 * depends on its length. If latencies of one are above the end of its histogram, those of both above it are only
 * counted: ranks there are ties, and quantiles NaN. Too many captured wake-ups are late, as they were captured because
 * of that: only medians and the middle halves are compared with them, and everything else is NaN. */
#pragma once

#include "latency/description.h"
#include "shape.h"
#include "tests.h"

#include <math.h>

#define CULPRIT_SHIFTS 4                 /* of the quantiles 50, 90, 99 and 99.9 per cent */
#define CULPRIT_MARGIN_PERCENT 1.0       /* of the base's mean */
#define CULPRIT_MARGIN_DISTRIBUTION 0.01 /* of the Kolmogorov-Smirnov distance */
#define CULPRIT_MARGIN_TAIL 0.1          /* of the base's share in the tail */

/* What tests treat as independent of each other. */
typedef enum
{
  CULPRIT_UNITS_NONE, /* nothing: there are no tests */
  CULPRIT_UNITS_RUNS,
  CULPRIT_UNITS_LATENCIES,
  CULPRIT_UNITS_VALUES, /* only mean, standard deviation and number are known: only means are tested */
} CulpritUnits;

/* In what the other may differ from the base. */
typedef enum
{
  CULPRIT_CLAIM_MEAN,
  CULPRIT_CLAIM_DISTRIBUTION,
  CULPRIT_CLAIM_TAIL,
  CULPRIT_CLAIM_QUANTILE, /* the first of CULPRIT_SHIFTS */
  CULPRIT_CLAIMS = CULPRIT_CLAIM_QUANTILE + CULPRIT_SHIFTS,
} CulpritClaimKind;

typedef struct
{
  double p;             /* NaN: not tested */
  double corrected_p;   /* corrected for all claims made at once (Holm) */
  gboolean relevant;    /* The difference is beyond the margin. */
  gboolean significant; /* relevant, and corrected_p is below 1 - CULPRIT_LEVEL */
} CulpritClaim;

/* How to compare. */
typedef struct
{
  gboolean independent;  /* Latencies of one run are independent of each other. */
  double margin_percent; /* per cent of the base's mean; NaN: CULPRIT_MARGIN_PERCENT, or half of the base's standard
                            deviation if that is less */
  double margin_ns;      /* replaces margin_percent unless it is NaN */
} CulpritRules;

#define CULPRIT_RULES_USUAL ((CulpritRules) { FALSE, NAN, NAN })

typedef struct
{
  CulpritUnits units;
  gboolean selected;    /* One consists of captured wake-ups, */
  gboolean mostly_late; /* of which too many are late for any comparison. */
  guint base_runs;      /* 0: not known */
  guint other_runs;
  gboolean like_lengths; /* On average, runs of one are no more than twice as long as those of the other. */
  double margin_ns;      /* smaller differences of latencies are not relevant; at least the resolution of both */
  double doubt_ns;       /* of shifts: no more than it may be due to the widths of bins; 0 for latencies in ns */
  gboolean all_larger;   /* Every quantile known of both is larger by more than that. */
  gboolean all_smaller;
  CulpritMeans means; /* t and what follows it are NaN if not tested */
  CulpritClaim claims[CULPRIT_CLAIMS];
  guint tests;     /* the number of tests that p is corrected for */
  gboolean ranked; /* Whether the following is known; it is not if only mean and sd are. If selected, only the last is:
                      moments, the shift of the median, and spreads. */
  CulpritRanks ranks;
  double u_p;          /* Mann-Whitney test, on which no claim is based; NaN: not tested */
  gboolean tail_known; /* Both have enough latencies for a tail: */
  gint64 tail_ns;      /* exceeded by one in 200 of both together, or by more where a histogram ends */
  guint64 base_tail;   /* how many of the base's exceed it */
  guint64 other_tail;
  CulpritMoments base_moments;
  CulpritMoments other_moments;
  CulpritShift shifts[CULPRIT_SHIFTS];
  double base_spread_ns; /* from the first quartile to the third */
  double other_spread_ns;
} CulpritComparison;

/* Parses the margin @text, "0.5%" of the base's mean or "2us", into @rules. FALSE if it is not a margin. */
gboolean culprit_rules_take_margin (CulpritRules *rules, const char *text);

/* Whether @summary has at least two values that differ: else it cannot be compared. If how far is not known, they do.
 */
static inline gboolean
culprit_summary_has_spread (const CulpritSummary *summary)
{
  return summary->n >= 2 && !(summary->sd_ns <= 0);
}

/* What to compare: a profile, or only its summary. */
typedef struct
{
  CulpritSummary summary;
  const CulpritProfile *profile; /* may be NULL */
  const GPtrArray *runs;         /* of CulpritProfile, which the profile is the sum of; may be NULL */
  gboolean selected;             /* captured wake-ups: no random sample, */
  gboolean mostly_late;          /* nor is their bulk that of all */
} CulpritCompared;

/* The summary of a profile. */
CulpritSummary culprit_summarise (const CulpritProfile *profile);

/* Compares each of the @n @others with @base. An array of CulpritComparison that the caller owns. */
GArray *culprit_compare (const CulpritCompared *base,
                         const CulpritCompared *others,
                         guint n,
                         const CulpritRules *rules);

/* The difference of the quantile @p, with its interval at @level: for runs by Welch's test of the quantiles of runs of
 * this length, for independent latencies by resampling. There is no interval without a test, for runs of unlike
 * lengths, or if a run, or all latencies together, are too few to estimate the quantile. Both need profiles. */
CulpritShift culprit_compare_quantile (
    const CulpritCompared *base, const CulpritCompared *other, const CulpritRules *rules, double p, double level);

/* Whether @shift, of culprit_compare_quantile(), is more than @percent of the base's quantile and than the resolution
 * of both, and not by chance. */
gboolean culprit_is_worse (const CulpritCompared *base,
                           const CulpritCompared *other,
                           const CulpritShift *shift,
                           double percent);

/* Whether they have the same shape, by their runs; NULL if these are not known. The caller owns it. */
CulpritShape *culprit_compare_shapes (const CulpritCompared *base, const CulpritCompared *other);

/* The level of each of @n intervals so that all hold jointly at CULPRIT_LEVEL. */
double culprit_level_of_each (guint n);

/* "runs", "latencies", "values"; NULL: none. */
const char *culprit_units_name (CulpritUnits units);

/* Why @kind was not tested, in words; NULL if it was. */
const char *culprit_claim_untested (const CulpritComparison *comparison, CulpritClaimKind kind);

/* The result in words: what happened to mean, shape, tail, quantiles and spread, and what that is based on. Says no
 * more than the claims. @base and @other: their names. The caller owns it. */
char *culprit_comparison_in_words (const CulpritComparison *comparison, const char *base, const char *other);
