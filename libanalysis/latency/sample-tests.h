/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of two samples whose values are independent of each other. */
#pragma once

#include <glib.h>

/* The probability that samples of @m and @n independent values of one distribution are at least @d apart. Exact for m n
 * up to 10^6; with ties it is somewhat too large, never too small. */
double culprit_smirnov_p (double d, guint64 m, guint64 n);

/* Fisher's exact test, two-sided: the probability that @a of @m and @b of @n differ this much. */
double culprit_fisher_p (guint64 a, guint64 m, guint64 b, guint64 n);

/* Mann-Whitney test of @u, two-sided, by the normal distribution, corrected for continuity and for @ties, the sum of
 * t^3 - t over all values that occur t times. For few values culprit_rank_sum_p() is exact. */
double culprit_mann_whitney_p (double u, guint64 m, guint64 n, double ties);
