/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The probability that an ordinary wake-up has as much of something as a late one had: measured as far as there are
 * ordinary wake-ups, and beyond by a tail fitted to the upper fifth of them. */
#pragma once

#include "spread.h"

typedef struct
{
  guint64 ran;     /* ordinary wake-ups in which it occurs */
  guint64 windows; /* out of this many */
  guint64 max;
  double from;  /* beginning of the tail */
  double scale; /* of the generalized Pareto distribution beyond it */
  double shape;
} Tail;

/* With fewer ordinary wake-ups in which something occurs, no tail can be fitted. */
#define TAIL_LEAST_RAN 8

/* The tail of @spread, which occurs in some of @windows. @shape: how heavy it is, 0 is exponential. @least_scale: by
 * how much two equal wake-ups may differ. */
Tail tail_fit (const CulpritSpread *spread, guint64 windows, double shape, double least_scale);

/* The probability that an ordinary wake-up has at least @value. */
double tail_probability (const Tail *tail, double value);

/* The shape of the tail of @spread, by its probability-weighted moments; NaN if there are too few values. */
double tail_shape (const CulpritSpread *spread);
