/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of two groups of runs. Latencies of one run depend on each other, runs do not: they are what is counted. */
#pragma once

#include "tests.h"

/* At least so many runs of each are needed for a test. */
#define CULPRIT_TEST_RUNS 6

/* Whether @base_n latencies in @base_runs runs and the others' are in runs of which neither are more than twice as long
 * as the other, on average: only then may runs be exchanged. */
gboolean culprit_have_like_lengths (guint64 base_n, guint base_runs, guint64 other_n, guint other_runs);

/* What is measured of each run. @data is the caller's. */
typedef double (*CulpritRunValue) (const CulpritProfile *run, gconstpointer data);

/* Mean, standard deviation and number of what @measure gives of @runs (of CulpritProfile), at least two. The deviation
 * is at least @least_sd_ns, for what so coarse a clock hides. */
CulpritSummary culprit_run_values (const GPtrArray *runs,
                                   CulpritRunValue measure,
                                   gconstpointer data,
                                   double least_sd_ns);

/* How probable it is that runs exchanged between both groups at random differ as much: exact where no more than 10,000
 * exchanges are possible, else by 4,999 of them. */
typedef struct
{
  double u_p;    /* in how often the latencies of one are greater than the other's (Mann and Whitney) */
  double ks_p;   /* in Kolmogorov and Smirnov's distance, each run counted alike */
  double tail_p; /* in the part of the latencies above the limit, each run counted alike */
} CulpritRunTests;

CulpritRunTests culprit_test_runs (const GPtrArray *base, const GPtrArray *other, gint64 limit_ns);
