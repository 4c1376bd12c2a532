/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of few values by their ranks, exact whatever their distribution, ties included. */
#pragma once

#include <glib.h>

/* Wilcoxon's rank sum (Mann-Whitney), two-sided: how probable it is that @m values of @a lie so far from the @n of @b
 * by chance. */
double culprit_rank_sum_p (const double *a, guint m, const double *b, guint n);
