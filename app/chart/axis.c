/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds ticks at round numbers. */
#include "axis.h"

#include "latency/histogram.h"
#include "units.h"

#include <math.h>

#define OUTSIDE 1e4 /* this many axis lengths away is far enough for drawing */
#define FAR 1e6     /* From here on, labels have no trailing zeros, and powers of ten their exponent. */
#define FEW 0.7     /* decades: fewer may contain only one of 1, 2 and 5 */

Axis
axis_make (AxisScale scale, double low, double high, double unit, char *title)
{
  if (!(high > low))
    {
      double room = fmax (fabs (low) / 10, unit / 100);

      low -= room;
      high += 2 * room;
    }
  return (Axis) { .scale = scale, .low = low, .high = high, .unit = unit, .title = title };
}

Axis
axis_make_times (AxisScale scale, double low_ns, double high_ns, const char *what)
{
  const CulpritUnit *unit = culprit_unit_of_all (fmax (fabs (low_ns), fabs (high_ns)));

  Axis axis = axis_make (scale, low_ns, high_ns, unit->ns, g_strdup_printf ("%s (%s)", what, unit->name));

  axis.times = TRUE;
  return axis;
}

Axis
axis_make_scaled (double knee_ns, double low_ns, double high_ns, const char *what)
{
  Axis axis = axis_make_times (AXIS_SCALED, low_ns, high_ns, what);

  axis.knee = knee_ns;
  return axis;
}

Axis
axis_make_names (const char *const *names, guint n, char *title)
{
  Axis axis = axis_make (AXIS_NAMES, 0, n, 1, title);

  axis.names = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++)
    axis.names[i] = g_strdup (names[i]);
  return axis;
}

const char *
axis_name (const Axis *axis, double value)
{
  guint n = g_strv_length (axis->names);

  return n > 0 ? axis->names[(guint) CLAMP (floor (value), 0, n - 1)] : "";
}

/* Maps @value so that equal distances on the axis are equal differences. */
static double
stretch (const Axis *axis, double value)
{
  switch (axis->scale)
    {
    case AXIS_LOG:
      return value > 0 ? log10 (value) : -INFINITY;
    case AXIS_SCALED:
      return culprit_scale_place (axis->knee, value);
    default:
      return value;
    }
}

double
axis_position (const Axis *axis, double value)
{
  double low = stretch (axis, axis->low);
  double place = (stretch (axis, value) - low) / (stretch (axis, axis->high) - low);

  if (axis->scale == AXIS_LOG && !(value > 0))
    return 0;
  return CLAMP (place, -OUTSIDE, OUTSIDE);
}

double
axis_value (const Axis *axis, double place)
{
  double low = stretch (axis, axis->low);
  double stretched = low + place * (stretch (axis, axis->high) - low);

  switch (axis->scale)
    {
    case AXIS_LOG:
      return pow (10, stretched);
    case AXIS_SCALED:
      return culprit_scale_latency (axis->knee, stretched);
    default:
      return stretched;
    }
}

/* Adds a tick labelled @number with @decimals; without a label if @decimals is negative. */
static void
add_tick (GArray *ticks, double value, double number, int decimals)
{
  AxisTick tick = { .value = value };

  if (decimals >= 0 && number >= FAR && log10 (number) == rint (log10 (number)))
    g_snprintf (tick.label, sizeof tick.label, "10^%.0f", log10 (number));
  else if (decimals >= 0 && fabs (number) >= FAR)
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

/* Which ticks of a logarithmic axis have labels: as many as there is room for. */
typedef struct
{
  gboolean digits; /* label 1, 2 and 5 of each decade; else only 1 */
  int every;       /* label only every this many decades */
} Labels;

static Labels
choose_labels (double decades, guint most)
{
  return (Labels) { 3 * decades <= most, MAX (1, (int) ceil (decades / most)) };
}

/* The ticks from @low to @high, above zero; with @sign -1 their negatives, in descending order of size. */
static void
add_decades (GArray *ticks, const Axis *axis, double low, double high, int sign, Labels labels)
{
  int first = floor (log10 (low / axis->unit) + 1e-9);
  int last = floor (log10 (high / axis->unit) + 1e-9);
  guint n = 9 * (last - first + 1);

  for (guint i = 0; i < n; i++)
    {
      guint place = sign > 0 ? i : n - 1 - i;
      int decade = first + (int) (place / 9);
      int digit = 1 + place % 9;
      double number = digit * pow (10, decade);
      gboolean named = digit == 1 ? decade % labels.every == 0 : labels.digits && (digit == 2 || digit == 5);

      if (number * axis->unit >= low * (1 - 1e-9) && number * axis->unit <= high * (1 + 1e-9))
        add_tick (ticks, sign * number * axis->unit, sign * number, named ? MAX (0, -decade) : -1);
    }
}

/* Up to the knee there is only a tick at zero. A short piece is nearly linear, and has too few round numbers. */
static void
add_scaled (GArray *ticks, const Axis *axis, guint most)
{
  double decades = stretch (axis, axis->high) - stretch (axis, axis->low);
  Labels labels = choose_labels (decades, most);

  if (decades < FEW)
    {
      add_linear (ticks, axis, most);
      return;
    }
  if (axis->low < -axis->knee)
    add_decades (ticks, axis, fmax (axis->knee, -axis->high), -axis->low, -1, labels);
  if (axis->low <= 0 && axis->high >= 0)
    add_tick (ticks, 0, 0, 0);
  if (axis->high > axis->knee)
    add_decades (ticks, axis, fmax (axis->knee, axis->low), axis->high, 1, labels);
}

static void
add_nines (GArray *ticks, const Axis *axis)
{
  add_tick (ticks, 0, 0, 0);
  add_tick (ticks, -log10 (0.5), 50, 0);
  for (int nines = 1; nines <= axis->high; nines++)
    add_tick (ticks, nines, 100 - pow (10, 2 - nines), MAX (0, nines - 2));
}

/* In the middle of the places of names, as many as there is room for. */
static void
add_names (GArray *ticks, const Axis *axis, guint most)
{
  guint first = MAX (floor (axis->low), 0);
  guint last = MIN (ceil (axis->high), g_strv_length (axis->names));
  guint every = MAX ((last - first + most - 1) / most, 1);

  for (guint i = first - first % every; i < last; i += every)
    if (i + 0.5 >= axis->low && i + 0.5 <= axis->high)
      {
        AxisTick tick = { .value = i + 0.5 };

        g_strlcpy (tick.label, axis->names[i], sizeof tick.label);
        g_array_append_val (ticks, tick);
      }
}

GArray *
axis_ticks (const Axis *axis, guint most)
{
  GArray *ticks = g_array_new (FALSE, FALSE, sizeof (AxisTick));

  switch (axis->scale)
    {
    case AXIS_LOG:
      add_decades (ticks, axis, axis->low, axis->high, 1, choose_labels (log10 (axis->high / axis->low), most));
      break;
    case AXIS_SCALED:
      add_scaled (ticks, axis, most);
      break;
    case AXIS_NAMES:
      add_names (ticks, axis, MAX (most, 1));
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
  g_strfreev (axis->names);
}
