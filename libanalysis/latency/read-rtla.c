/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The output of rtla timerlat hist and rtla osnoise hist: a row for each bin with latencies, with columns for each CPU.
 * The width of the bins (-b) is not printed. */
#include "read-private.h"

#include <math.h>
#include <string.h>

#define CHANCE 1e-4 /* that the latencies of all rows share a divisor although bins are one unit wide */

typedef struct
{
  Reader *reader;
  CulpritNamedProfile *profiles[READ_MAX_COLUMNS]; /* NULL: not a column of counts */
  ThreadTold told[READ_MAX_COLUMNS];
  gboolean named;  /* The columns have names. */
  gboolean of_all; /* The following figures are for all CPUs together. */
  guint rows;
  double step; /* divides the beginnings of all rows */
} Rtla;

static const ToldTitles titles = { "count:", "min:", "avg:", "max:", "over:" };

gboolean
read_is_rtla (const char *text)
{
  return strstr (text, "timerlat histogram") || strstr (text, "osnoise histogram");
}

/* The table's heading: in timerlat a CPU has a column for the interrupt, one for the thread and perhaps one for the
 * return to user mode, in osnoise a single one. */
static void
read_heading (Rtla *rtla, const char *line)
{
  static const struct
  {
    const char *heading;
    const char *name;
  } kinds[] = { { "Thr-", NULL }, { "CPU-", NULL }, { "IRQ-", "irq" }, { "Usr-", "user" } };
  g_auto (GStrv) words = g_strsplit_set (line, " \t\r", -1);
  guint column = 0;

  for (char **word = words; *word && column < READ_MAX_COLUMNS; word++)
    {
      if (!**word)
        continue;
      for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
        if (g_str_has_prefix (*word, kinds[i].heading))
          rtla->profiles[column] = reader_profile (rtla->reader, kinds[i].name);
      column++;
    }
}

static double
greatest_divisor (double a, double b)
{
  return b > 0 ? greatest_divisor (b, fmod (a, b)) : a;
}

static gboolean
take_line (Rtla *rtla, const char *line, GError **error)
{
  double numbers[READ_MAX_COLUMNS];
  int n = read_numbers (line, numbers, READ_MAX_COLUMNS);

  if (g_str_has_prefix (line, "Index"))
    {
      read_heading (rtla, line);
      rtla->named = TRUE;
    }
  rtla->of_all |= g_str_has_prefix (line, "ALL");
  if (!rtla->of_all)
    read_told_line (line, &titles, rtla->told);
  if (n > 1 && numbers[0] >= 0 && numbers[0] <= G_MAXINT32)
    {
      rtla->step = greatest_divisor (numbers[0], rtla->step);
      rtla->rows++;
    }
  for (int i = 1; i < n; i++)
    if (rtla->profiles[i] && !reader_add (rtla->reader, rtla->profiles[i], numbers[0], numbers[i], error))
      return FALSE;
  return TRUE;
}

/* Whether a minimum or maximum that it printed lies between the rows. */
static gboolean
is_between_rows (const Rtla *rtla)
{
  for (guint column = 1; column < READ_MAX_COLUMNS; column++)
    {
      const ThreadTold *told = &rtla->told[column];

      if (rtla->profiles[column] && told->n > told->above &&
          (fmod (told->min, rtla->step) != 0 || (told->above == 0 && fmod (told->max, rtla->step) != 0)))
        return TRUE;
    }
  return FALSE;
}

static void
take_width (const Rtla *rtla)
{
  const GPtrArray *profiles = rtla->reader->file->profiles;
  gboolean coarse = rtla->step > 1 && rtla->step * rtla->reader->unit_ns <= G_MAXINT32 &&
                    (pow (rtla->step, -(double) rtla->rows) < CHANCE || is_between_rows (rtla));

  for (guint i = 0; i < profiles->len; i++)
    ((CulpritNamedProfile *) g_ptr_array_index (profiles, i))->profile->width_ns =
        rtla->reader->unit_ns * (coarse ? rtla->step : 1);
}

gboolean
read_rtla (Reader *reader, char *text, GError **error)
{
  g_autofree Rtla *rtla = g_new0 (Rtla, 1);

  rtla->reader = reader;
  reader->file->format = strstr (text, "timerlat histogram") ? "rtla timerlat histogram" : "rtla osnoise histogram";
  reader->unit_ns = strstr (text, "Time unit is nanoseconds") ? 1 : 1000;
  for (char *line = text; line;)
    {
      char *next = strchr (line, '\n');

      if (next)
        *next++ = '\0';
      reader->line++;
      if (!take_line (rtla, line, error))
        return FALSE;
      line = next;
    }
  if (!rtla->named)
    return reader_without_histogram (
        reader, "the columns have no names; run rtla hist without --no-header and --no-index", error);
  take_width (rtla);
  for (guint column = 1; column < READ_MAX_COLUMNS; column++)
    if (rtla->profiles[column])
      reader_tell (reader, rtla->profiles[column], &rtla->told[column]);
  return TRUE;
}
