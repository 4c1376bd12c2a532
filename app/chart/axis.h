/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Axes: the position of values, and the values of ticks and labels. */
#pragma once

#include <glib.h>

typedef enum
{
  AXIS_LINEAR, /* ticks at 1, 2, 5 times powers of ten */
  AXIS_LOG,    /* ticks at powers of ten, or at 1, 2, 5 times these */
  AXIS_SCALED, /* for latencies, see latency/histogram.h: logarithmic on both sides of zero, including 0 */
  AXIS_NAMES,  /* of names: the place of each is from its index to the next */
  AXIS_NINES,  /* of probabilities p, given as -log10 (1 - p): ticks at 90, 99, 99.9 per cent */
} AxisScale;

typedef struct
{
  AxisScale scale;
  double low;
  double high;
  double knee; /* of AXIS_SCALED */
  double unit; /* Labels show values divided by this. */
  gboolean times;
  char *title;  /* including the unit; owned by the axis */
  char **names; /* of AXIS_NAMES; owned by the axis */
} Axis;

typedef struct
{
  double value;
  char label[24]; /* empty for a minor tick */
} AxisTick;

/* An axis from @low to @high, widened if they are equal; takes ownership of @title. */
Axis axis_make (AxisScale scale, double low, double high, double unit, char *title);

/* An axis of times in ns, in a unit that suits them, which is appended to @what. */
Axis axis_make_times (AxisScale scale, double low_ns, double high_ns, const char *what);

/* The same for AXIS_SCALED with @knee_ns. */
Axis axis_make_scaled (double knee_ns, double low_ns, double high_ns, const char *what);

/* An axis of @n @names, which are copied; takes ownership of @title. */
Axis axis_make_names (const char *const *names, guint n, char *title);

/* The name at @value of AXIS_NAMES. */
const char *axis_name (const Axis *axis, double value);

/* The position of @value: 0 at the low end, 1 at the high end; on a logarithmic axis, what is
 * not above zero is at the low end. */
double axis_position (const Axis *axis, double value);

/* The value at the position @place. */
double axis_value (const Axis *axis, double place);

/* Ticks in ascending order, about @most of them labelled. An array of AxisTick that the caller owns. */
GArray *axis_ticks (const Axis *axis, guint most);

void axis_clear (Axis *axis);
