/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oslat's output: a row for each microsecond, with a column for each core. Its last row also counts anything longer. */
#include "read-private.h"

#include <math.h>
#include <string.h>

#define UNIT "(us):"
#define LAST_ROW "(including overflows)"

typedef struct
{
  Reader *reader;
  double n[READ_MAX_COLUMNS];       /* of each core, over all rows */
  double last_us;                   /* the last row, which is not added until the maximum latencies are known */
  double last[READ_MAX_COLUMNS];    /* its counts */
  double minimum[READ_MAX_COLUMNS]; /* as printed, in us */
  double average[READ_MAX_COLUMNS];
  double maximum[READ_MAX_COLUMNS];
  guint cores;
} Oslat;

gboolean
read_is_oslat (const char *text)
{
  return strstr (text, "Counter Freq:") && strstr (text, UNIT);
}

/* The numbers of a line after its title, one for each core, followed by a unit or a remark. */
static guint
read_cores (const char *numbers, double *cores)
{
  guint n = 0;
  char *end;

  for (; n < READ_MAX_COLUMNS; n++, numbers = end)
    {
      double number = g_ascii_strtod (numbers, &end);

      if (end == numbers)
        break;
      cores[n] = number;
    }
  return n;
}

static gboolean
take_row (Oslat *oslat, const char *line, const char *unit, GError **error)
{
  const char *counts = unit + strlen (UNIT);
  gboolean last = strstr (counts, LAST_ROW) != NULL;
  double numbers[READ_MAX_COLUMNS];
  double us = g_ascii_strtod (line, NULL);
  guint n = read_cores (counts, numbers);

  if (n == 0 || (oslat->cores > 0 && n != oslat->cores))
    return reader_damaged (oslat->reader, error, "expected a count for each core, found \"%.40s\"", line);
  oslat->cores = n;
  for (guint core = 0; core < n; core++)
    {
      oslat->n[core] += numbers[core];
      if (last)
        oslat->last[core] = numbers[core];
      else if (!reader_add (oslat->reader, oslat->reader->threads, us, numbers[core], error))
        return FALSE;
    }
  oslat->last_us = last ? us : oslat->last_us;
  return TRUE;
}

static gboolean
take_line (Oslat *oslat, const char *line, GError **error)
{
  const char *unit = strstr (line, UNIT);
  const struct
  {
    const char *title;
    double *cores;
  } told[] = { { "Minimum:", oslat->minimum }, { "Average:", oslat->average }, { "Maximum:", oslat->maximum } };

  if (unit)
    return take_row (oslat, line, unit, error);
  for (guint i = 0; i < G_N_ELEMENTS (told); i++)
    if (strstr (line, told[i].title))
      read_cores (strstr (line, told[i].title) + strlen (told[i].title), told[i].cores);
  return TRUE;
}

/* Adds the last row for cores that had nothing longer; for others, it is only known that these latencies are no
 * shorter. */
static gboolean
finish (Oslat *oslat, GError **error)
{
  for (guint core = 0; core < oslat->cores; core++)
    {
      gboolean longer = oslat->maximum[core] > oslat->last_us;
      const ThreadTold told = { .n = oslat->n[core],
                                .min = oslat->minimum[core],
                                .mean = oslat->average[core],
                                .max = oslat->maximum[core],
                                .above = longer ? oslat->last[core] : 0 };

      if (!longer && !reader_add (oslat->reader, oslat->reader->threads, oslat->last_us, oslat->last[core], error))
        return FALSE;
      reader_tell (oslat->reader, oslat->reader->threads, &told);
    }
  return TRUE;
}

gboolean
read_oslat (Reader *reader, char *text, GError **error)
{
  g_autofree Oslat *oslat = g_new0 (Oslat, 1);

  oslat->reader = reader;
  reader->file->format = "oslat histogram";
  reader->unit_ns = reader->threads->profile->width_ns = 1000;
  for (char *line = text; line;)
    {
      char *next = strchr (line, '\n');

      if (next)
        *next++ = '\0';
      reader->line++;
      if (!take_line (oslat, line, error))
        return FALSE;
      line = next;
    }
  return finish (oslat, error);
}
