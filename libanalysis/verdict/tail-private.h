/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How probable it is that an ordinary wake-up has as much of something as a late one had: measured up to where there
 * are ordinary wake-ups, and beyond that by a tail fitted to the upper fifth of them. */
#pragma once

#include "spread.h"

typedef struct
{
  guint64 ran;     /* ordinary wake-ups in which it occurs */
  guint64 windows; /* of so many */
  guint64 max;
  double from;  /* the tail begins here */
  double scale; /* of the generalized Pareto distribution beyond it */
  double shape;
} Tail;

/* With fewer ordinary wake-ups in which it occurs, a tail cannot be fitted. */
#define TAIL_LEAST_RAN 8

/* The tail of @spread, counted in some of @windows. @shape: how heavy, 0 is exponential. @least_scale: what two equal
 * wake-ups may differ by. */
Tail tail_fit (const CulpritSpread *spread, guint64 windows, double shape, double least_scale);

/* The probability that an ordinary wake-up has at least @value. */
double tail_probability (const Tail *tail, double value);

/* The shape of what lies beyond the beginning of the tail of @spread, by its probability-weighted moments; NaN if
 * there are too few. */
double tail_shape (const CulpritSpread *spread);
