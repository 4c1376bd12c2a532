/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distribution functions of several runs on a common grid, so that mixing some of them and measuring the distance of
 * two mixtures costs the same however long the runs are. Between grid edges, a function is a straight line, as inside a
 * profile's bin: a table in us does not jump. */
#pragma once

#include "profile.h"

#define CURVE_EDGES 1281

typedef struct
{
  double edges[CURVE_EDGES]; /* ascending, in ns */
  GArray *parts;             /* of double: for each run the share of its samples below each edge */
  guint n;                   /* runs */
} Curves;

/* y = scale x + shift */
typedef struct
{
  double scale;
  double shift_ns;
} Line;

/* Curves of the @n @runs, each mapped back along its line: (y - shift) / scale. */
Curves *curves_new (const CulpritProfile *const *runs, const Line *lines, guint n);

void curves_free (Curves *curves);

/* The mean of the curves of @n runs, with equal weights. @mixed has room for CURVE_EDGES. */
void curves_mix (const Curves *curves, const guint *runs, guint n, double *mixed);

/* Selections of runs, whose curves are added up together: for each eight runs, all of their sums are made once and then
 * looked up. @chosen has a byte for each eight runs and selection, with a bit for each run:
 * chosen[run / RUNS_OF_BYTE * CURVES_TOGETHER + selection] >> run % RUNS_OF_BYTE & 1. @sums: CURVE_EDGES for each of @n
 * selections. */
#define CURVES_TOGETHER 1000
#define RUNS_OF_BYTE 8

void curves_add_chosen (const Curves *curves, const guint8 *chosen, guint n, double *sums);

/* The latency at which the curve @mixed reaches @p. */
double curves_quantile (const Curves *curves, const double *mixed, double p);

/* The value of the curve @mixed at @latency_ns: the share below it. */
double curves_part_below (const Curves *curves, const double *mixed, double latency_ns);

/* CURVE_LINES lines from @from to @to, by Theil and Sen: the median of the slopes between the quantiles .02 to .98, and
 * of the remainders. Of all slopes it is mostly that within the greatest peak; of a narrow one this tells little, in
 * bins nothing, and moves a peak far away off itself. So there are the lines of slopes over half of the range or more,
 * and without a scale, too. @correlation: of these quantiles; may be NULL. */
#define CURVE_LINES 3

void curves_lines (const Curves *curves, const double *from, const double *to, Line *lines, double *correlation);

/* The Kolmogorov-Smirnov distance of @from and @to along that of their lines where it is least. */
double curves_aligned_distance (const Curves *curves, const double *from, const double *to);

/* How far the first @n_from of the @runs and @lines that @curves are of are apart from the others at least, wherever in
 * its bin each latency is. */
double curves_sure_distance (const Curves *curves, const CulpritProfile *const *runs, const Line *lines, guint n_from);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Curves, curves_free)
