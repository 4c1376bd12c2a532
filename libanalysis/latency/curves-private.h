/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distribution functions of several runs on one grid, so that mixing some of them and measuring how far two mixtures
 * are apart costs the same however long the runs were. Between two edges of the grid a function is a straight line, as
 * it is inside of a profile's bin: a table in us does not jump. */
#pragma once

#include "profile.h"

#define CURVE_EDGES 1281

typedef struct
{
  double edges[CURVE_EDGES]; /* ascending, in ns */
  GArray *parts;             /* of double: for each run the part of its samples below each edge */
  guint n;                   /* runs */
} Curves;

/* y = scale x + shift */
typedef struct
{
  double scale;
  double shift_ns;
} Line;

/* Curves of the @n @runs, each brought back along its line: (y - shift) / scale. */
Curves *curves_new (const CulpritProfile *const *runs, const Line *lines, guint n);

void curves_free (Curves *curves);

/* The mean of the curves of @n runs, each counted alike. @mixed has room for CURVE_EDGES. */
void curves_mix (const Curves *curves, const guint *runs, guint n, double *mixed);

/* Where the curve @mixed reaches @p. */
double curves_quantile (const Curves *curves, const double *mixed, double p);

/* The part of the curve @mixed below @latency_ns. */
double curves_part_below (const Curves *curves, const double *mixed, double latency_ns);

/* The line along which @to lies over @from (Theil and Sen): the median of the slopes between the quantiles .02 to .98,
 * and of what then remains. @correlation of these quantiles; may be NULL. */
Line curves_align (const Curves *curves, const double *from, const double *to, double *correlation);

/* Kolmogorov and Smirnov's distance of @from and @to when @to is brought back along @line. */
double curves_distance (const Curves *curves, const double *from, const double *to, Line line);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Curves, curves_free)
