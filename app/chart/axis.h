/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Axes: where a value stands, and at which values ticks and labels do. */
#pragma once

#include <glib.h>

typedef enum
{
  AXIS_LINEAR, /* ticks at 1, 2, 5 with zeros */
  AXIS_LOG,    /* ticks at powers of ten, or at 1, 2, 5 of them */
  AXIS_SCALED, /* of latencies, see latency/scale.h: the same on both sides of zero, and 0 */
  AXIS_NINES,  /* of probabilities p, given as -log10 (1 - p): ticks at 90, 99, 99.9 per cent */
} AxisScale;

typedef struct
{
  AxisScale scale;
  double low;
  double high;
  double knee; /* of AXIS_SCALED */
  double unit; /* A label tells the value divided by this. */
  char *title; /* with the unit; the axis owns it */
} Axis;

typedef struct
{
  double value;
  char label[24]; /* empty for a minor tick */
} AxisTick;

/* An axis from @low to @high, widened where they are equal; takes @title. */
Axis axis_make (AxisScale scale, double low, double high, double unit, char *title);

/* An axis of times in ns, in the unit that suits them, which is put behind @what. */
Axis axis_make_times (AxisScale scale, double low_ns, double high_ns, const char *what);

/* The same of AXIS_SCALED with @knee_ns. */
Axis axis_make_scaled (double knee_ns, double low_ns, double high_ns, const char *what);

/* The unit that suits times up to @time_ns, in ns, and its name. */
double axis_time_unit (double time_ns, const char **name);

/* Where @value stands: 0 at the low end, 1 at the high end; a logarithmic axis has nothing outside. */
double axis_place (const Axis *axis, double value);

/* The value that stands at @place. */
double axis_value (const Axis *axis, double place);

/* Ticks in ascending order, about @most of them labelled. An array of AxisTick that the caller owns. */
GArray *axis_ticks (const Axis *axis, guint most);

void axis_clear (Axis *axis);
