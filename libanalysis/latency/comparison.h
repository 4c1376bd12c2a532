/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All that is said of two profiles beside each other. Differences are the other less the base.
 *
 * A test needs values that are independent of each other, and the latencies of one run are not: a busy stretch makes
 * thousands of them late. So runs are what is tested, six or more of each. Without them there are differences and no
 * tests, unless the caller knows that latencies are independent, or gives mean, standard deviation and number of values
 * that are. Of runs more than twice as long as the others' only the means are tested: the rest of a run depends on how
 * long it is. */
#pragma once

#include "bootstrap.h"
#include "description.h"
#include "run-tests.h"
#include "tests.h"

#include <math.h>

#define CULPRIT_SHIFTS 4                 /* of the quantiles 50, 90, 99 and 99.9 per cent */
#define CULPRIT_MARGIN_PERCENT 1.0       /* of the base's mean */
#define CULPRIT_MARGIN_DISTRIBUTION 0.01 /* of Kolmogorov and Smirnov's distance */
#define CULPRIT_MARGIN_TAIL 0.1          /* of the base's part in the tail */

/* What tests take as independent of each other. */
typedef enum
{
  CULPRIT_UNITS_NONE, /* nothing: there are no tests */
  CULPRIT_UNITS_RUNS,
  CULPRIT_UNITS_LATENCIES,
  CULPRIT_UNITS_VALUES, /* those of which only mean, standard deviation and number are known: means alone are tested */
} CulpritUnits;

/* What is claimed of the other beside the base: that it differs in this. */
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
  double corrected_p;   /* for as many claims as are made at once (Holm) */
  gboolean relevant;    /* The difference is beyond the margin. */
  gboolean significant; /* relevant, and corrected_p is below 1 - CULPRIT_LEVEL */
} CulpritClaim;

/* How to compare. */
typedef struct
{
  gboolean independent;  /* Latencies of one run are independent of each other. */
  double margin_percent; /* of the base's mean; NaN: CULPRIT_MARGIN_PERCENT, or half of the base's standard deviation
                            where that is less */
  double margin_ns;      /* instead, where it is not NaN */
} CulpritRules;

#define CULPRIT_RULES_USUAL ((CulpritRules) { FALSE, NAN, NAN })

typedef struct
{
  CulpritUnits units;
  guint base_runs; /* 0: not known */
  guint other_runs;
  gboolean like_lengths; /* The runs of neither are more than twice as long as the other's, on average. */
  double margin_ns;      /* smaller differences of latencies are not relevant; at least the resolution of both */
  CulpritMeans means;    /* t and what follows it are NaN without a test */
  CulpritClaim claims[CULPRIT_CLAIMS];
  guint tests;     /* what the claims are corrected for */
  gboolean ranked; /* What follows is known; not of profiles of which only mean and sd are. */
  CulpritRanks ranks;
  double u_p;          /* Mann and Whitney's, which no claim rests on; NaN: not tested */
  gboolean tail_known; /* There are latencies enough for a tail, on both sides: */
  gint64 tail_ns;      /* one in 200 of both together lies above */
  guint64 base_tail;   /* how many of the base's do */
  guint64 other_tail;
  CulpritMoments base_moments;
  CulpritMoments other_moments;
  CulpritShift shifts[CULPRIT_SHIFTS];
  double base_spread_ns; /* from the first quartile to the third */
  double other_spread_ns;
} CulpritComparison;

/* Takes the margin that @text says, "0.5%" of the base's mean or "2us", into @rules. FALSE where it says none. */
gboolean culprit_rules_take_margin (CulpritRules *rules, const char *text);

/* What is compared: a profile, or only its summary. */
typedef struct
{
  CulpritSummary summary;
  const CulpritProfile *profile; /* may be NULL */
  const GPtrArray *runs;         /* of CulpritProfile, whose sum the profile is; may be NULL */
} CulpritCompared;

/* The summary of a profile. */
CulpritSummary culprit_summarise (const CulpritProfile *profile);

/* Compares each of the @n @others with @base. An array of CulpritComparison that the caller owns. */
GArray *culprit_compare (const CulpritCompared *base,
                         const CulpritCompared *others,
                         guint n,
                         const CulpritRules *rules);

/* How the quantile @p differs, with its interval at @level: that of the quantiles of runs so long by Welch's test, or
 * of independent latencies by resampling. Without an interval where there is no test, where runs are of unlike lengths,
 * or where a run, or all latencies, are too few to estimate the quantile. Both need profiles. */
CulpritShift culprit_compare_quantile (
    const CulpritCompared *base, const CulpritCompared *other, const CulpritRules *rules, double p, double level);

/* The level of each of @n intervals that shall all hold at CULPRIT_LEVEL. */
double culprit_level_of_each (guint n);

/* "runs", "latencies", "values"; NULL: none. */
const char *culprit_units_name (CulpritUnits units);

/* Why @kind was not tested, in words; NULL where it was. */
const char *culprit_claim_untested (const CulpritComparison *comparison, CulpritClaimKind kind);

/* What a comparison comes to: what happened to the mean, the shape, the tail, the quantiles, the spread, and what that
 * rests on. Says what the claims say. @base and @other: their names. The caller owns it. */
char *culprit_comparison_in_words (const CulpritComparison *comparison, const char *base, const char *other);
