/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rank tests of few values, exact for any distribution, including ties. */
#pragma once

#include <glib.h>

/* Wilcoxon's rank sum test (Mann-Whitney), two-sided: the probability that @m values of @a differ this much from the @n
 * of @b by chance. */
double culprit_rank_sum_p (const double *a, guint m, const double *b, guint n);
