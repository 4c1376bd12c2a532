/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of two groups of runs. Latencies of one run depend on each other, runs do not: so runs are the unit. */
#pragma once

#include "tests.h"

/* At least this many runs of each are needed for a test. */
#define CULPRIT_TEST_RUNS 6

/* Whether, on average, the runs of @base_n latencies in @base_runs and those of the others are no more than twice as
 * long as each other: only then may runs be permuted. */
gboolean culprit_have_like_lengths (guint64 base_n, guint base_runs, guint64 other_n, guint other_runs);

/* What is measured of each run. @data belongs to the caller. */
typedef double (*CulpritRunValue) (const CulpritProfile *run, gconstpointer data);

/* Mean, standard deviation and number of the values that @measure gives for @runs (of CulpritProfile), at least two.
 * The deviation is at least @least_sd_ns, since a coarse clock hides smaller ones. */
CulpritSummary culprit_run_values (const GPtrArray *runs,
                                   CulpritRunValue measure,
                                   gconstpointer data,
                                   double least_sd_ns);

/* Probabilities that runs randomly permuted between both groups differ as much: exact if there are no more than 10,000
 * permutations, else from 4,999 of them. */
typedef struct
{
  double u_p;    /* in how often the latencies of one exceed the other's (Mann-Whitney) */
  double ks_p;   /* in the Kolmogorov-Smirnov distance, all runs weighted equally */
  double tail_p; /* in the share of latencies above the limit, all runs weighted equally */
} CulpritRunTests;

CulpritRunTests culprit_test_runs (const GPtrArray *base, const GPtrArray *other, gint64 limit_ns);
