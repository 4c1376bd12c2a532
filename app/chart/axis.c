/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds ticks at round numbers. */
#include "axis.h"

#include <math.h>

#define OUTSIDE 1e4 /* this many axis lengths away is far enough for drawing */
#define FAR 1e6     /* From here on, labels have no trailing zeros. */

Axis
axis_make (AxisScale scale, double low, double high, double unit, char *title)
{
  if (!(high > low))
    {
      double room = fmax (fabs (low) / 10, unit / 100);

      low -= room;
      high += 2 * room;
    }
  return (Axis) { scale, low, high, unit, title };
}

double
axis_time_unit (double time_ns, const char **name)
{
  static const struct
  {
    double below_ns;
    double ns;
    const char *name;
  } units[] = { { 1e3, 1, "ns" }, { 1e7, 1e3, "us" }, { 1e10, 1e6, "ms" }, { INFINITY, 1e9, "s" } };
  guint i = 0;

  while (time_ns >= units[i].below_ns)
    i++;
  *name = units[i].name;
  return units[i].ns;
}

Axis
axis_make_times (AxisScale scale, double low_ns, double high_ns, const char *what)
{
  const char *name;
  double unit = axis_time_unit (fmax (fabs (low_ns), fabs (high_ns)), &name);

  return axis_make (scale, low_ns, high_ns, unit, g_strdup_printf ("%s (%s)", what, name));
}

double
axis_position (const Axis *axis, double value)
{
  double position = (value - axis->low) / (axis->high - axis->low);

  if (axis->scale == AXIS_LOG)
    return CLAMP (value > 0 ? log (value / axis->low) / log (axis->high / axis->low) : 0, 0, 1);
  return CLAMP (position, -OUTSIDE, OUTSIDE);
}

/* Adds a tick labelled @number with @decimals; without a label if @decimals is negative. */
static void
add_tick (GArray *ticks, double value, double number, int decimals)
{
  AxisTick tick = { .value = value };

  if (decimals >= 0 && fabs (number) >= FAR)
    g_snprintf (tick.label, sizeof tick.label, "%.*g", 12, number);
  else if (decimals >= 0)
    g_snprintf (tick.label, sizeof tick.label, "%.*f", decimals, number);
  g_array_append_val (ticks, tick);
}

static void
add_linear (GArray *ticks, const Axis *axis, guint most)
{
  double wanted = (axis->high - axis->low) / axis->unit / most;
  double decade = pow (10, floor (log10 (wanted)));
  double digit = wanted <= decade ? 1 : wanted <= 2 * decade ? 2 : wanted <= 5 * decade ? 5 : 10;
  double step = digit * decade;
  int decimals = MAX (0, -floor (log10 (step) + 1e-9));
  double first = ceil (axis->low / axis->unit / step - 1e-9);
  double last = floor (axis->high / axis->unit / step + 1e-9);

  for (guint i = 0; i <= last - first; i++)
    add_tick (ticks, (first + i) * step * axis->unit, (first + i) * step, decimals);
}

/* Powers of ten with labels, their multiples without; over less than three decades, 2 and 5 have labels too. */
static void
add_decades (GArray *ticks, const Axis *axis, guint most)
{
  int first = floor (log10 (axis->low / axis->unit));
  int last = floor (log10 (axis->high / axis->unit));
  int every = MAX (1, (last - first + (int) most) / (int) most);

  for (int decade = first; decade <= last; decade++)
    for (int digit = 1; digit <= 9; digit++)
      {
        double number = digit * pow (10, decade);
        gboolean named = digit == 1 ? decade % every == 0 : axis->high / axis->low < 1000 && (digit == 2 || digit == 5);

        if (number * axis->unit >= axis->low * (1 - 1e-9) && number * axis->unit <= axis->high * (1 + 1e-9))
          add_tick (ticks, number * axis->unit, number, named ? MAX (0, -decade) : -1);
      }
}

static void
add_nines (GArray *ticks, const Axis *axis)
{
  add_tick (ticks, 0, 0, 0);
  add_tick (ticks, -log10 (0.5), 50, 0);
  for (int nines = 1; nines <= axis->high; nines++)
    add_tick (ticks, nines, 100 - pow (10, 2 - nines), MAX (0, nines - 2));
}

GArray *
axis_ticks (const Axis *axis, guint most)
{
  GArray *ticks = g_array_new (FALSE, FALSE, sizeof (AxisTick));

  switch (axis->scale)
    {
    case AXIS_LOG:
      add_decades (ticks, axis, most);
      break;
    case AXIS_NINES:
      add_nines (ticks, axis);
      break;
    default:
      add_linear (ticks, axis, most);
    }
  return ticks;
}

void
axis_clear (Axis *axis)
{
  g_free (axis->title);
}
