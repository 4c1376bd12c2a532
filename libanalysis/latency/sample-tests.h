/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of two samples whose values are independent of each other. */
#pragma once

#include <glib.h>

/* The probability that samples of @m and @n independent values of one distribution are at least @d apart. Exact for
 * m n up to 10^6; where values are equal it is somewhat too great, never too small. */
double culprit_smirnov_p (double d, guint64 m, guint64 n);

/* Fisher's exact test, two-sided: how probable it is that the parts @a of @m and @b of @n differ so much. */
double culprit_fisher_p (guint64 a, guint64 m, guint64 b, guint64 n);

/* Mann and Whitney's, two-sided: of @u, by the normal distribution, corrected for continuity and for @ties, the sum of
 * t^3 - t over all values that occur t times. culprit_rank_sum_p() is exact where values are few. */
double culprit_mann_whitney_p (double u, guint64 m, guint64 n, double ties);
