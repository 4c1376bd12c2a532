/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results that are lines. Each kind is known by something that only it has, and has its own way to take a line. */
#include "read-private.h"

#include <stdio.h>
#include <string.h>

#define MAX_COLUMNS 1024
#define CYCLICTEST_DIGITS 6
#define STRESS_NG_DISTRIBUTION "cyclic: latency distribution"

/* The lines of a file, as they come. */
typedef struct
{
  Reader *reader;
  gboolean wanted[MAX_COLUMNS]; /* of rtla's columns: it tells how late a thread was */
} Lines;

typedef gboolean (*TakeLine) (Lines *lines, const char *line, GError **error);

/* The numbers of a line, at most @most. -1: it holds something else as well. */
static int
split_numbers (const char *line, double *numbers, int most)
{
  int n = 0;

  for (;;)
    {
      char *end;

      line += strspn (line, " \t,;\r");
      if (*line == '\0' || *line == '#' || *line == '\n')
        return n;
      if (n == most)
        return -1;
      numbers[n] = g_ascii_strtod (line, &end);
      if (end == line || (*end && !strchr (" \t,;\r\n", *end)))
        return -1;
      n++;
      line = end;
    }
}

/* Counts what follows @title: samples above the end of the histogram, a number for each column. */
static void
read_overflows (Lines *lines, const char *line, const char *title, gboolean all)
{
  const char *at = strstr (line, title);

  at = at ? at + strlen (title) : NULL;
  for (guint column = 1; at && column < MAX_COLUMNS; column++)
    {
      char *end;
      guint64 number = g_ascii_strtoull (at, &end, 10);

      if (end == at)
        return;
      lines->reader->file->overflows += all || lines->wanted[column] ? number : 0;
      at = end;
    }
}

/* A latency and, for each thread, how often it occurred. What cyclictest writes besides is passed over. */
static gboolean
take_table (Lines *lines, const char *line, GError **error)
{
  double numbers[MAX_COLUMNS];
  int n = split_numbers (line, numbers, MAX_COLUMNS);

  read_overflows (lines, line, "Histogram Overflows:", TRUE);
  if (n == 0 || g_str_has_prefix (line, "T:") || g_str_has_prefix (line, "policy:") || g_str_has_prefix (line, "/dev/"))
    return TRUE;
  if (n < 2)
    return reader_damaged (lines->reader, error, "expected a latency and its count, found \"%.40s\"", line);
  for (int i = 1; i < n; i++)
    if (!reader_add (lines->reader, numbers[0], numbers[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
take_sample (Lines *lines, const char *line, GError **error)
{
  double number;
  int n = split_numbers (line, &number, 1);

  if (n == 0)
    return TRUE;
  return n == 1 ? reader_add (lines->reader, number, 1, error)
                : reader_damaged (lines->reader, error, "expected a latency, found \"%.40s\"", line);
}

/* cyclictest -v: "thread: cycle: latency"; other lines tell of the threads. */
static gboolean
take_verbose (Lines *lines, const char *line, GError **error)
{
  double latency;

  return sscanf (line, "%*d:%*d:%lf", &latency) != 1 || reader_add (lines->reader, latency, 1, error);
}

/* stress-ng --cyclic-dist: "cyclic: 2000 1045" is how many were from 2000 ns on. */
static gboolean
take_stress_ng (Lines *lines, const char *line, GError **error)
{
  const char *row = strstr (line, "cyclic:");
  double numbers[2];
  gint64 width_ns;

  row = row ? row + strlen ("cyclic:") : "";
  if (sscanf (row, " latency distribution (%" G_GINT64_FORMAT " ns", &width_ns) == 1 && width_ns > 0)
    lines->reader->file->profile->width_ns = width_ns;
  return split_numbers (row, numbers, 2) != 2 || reader_add (lines->reader, numbers[0], numbers[1], error);
}

/* The heading of rtla's table: of timerlat a CPU has a column for the interrupt, for the thread and perhaps for the
 * return to user mode, of osnoise one. */
static void
read_rtla_heading (Lines *lines, const char *line)
{
  g_auto (GStrv) words = g_strsplit_set (line, " \t", -1);
  guint column = 0;

  for (char **word = words; *word && column < MAX_COLUMNS; word++)
    if (**word)
      lines->wanted[column++] = g_str_has_prefix (*word, "Thr-") || g_str_has_prefix (*word, "CPU-");
}

static gboolean
take_rtla (Lines *lines, const char *line, GError **error)
{
  double numbers[MAX_COLUMNS];
  int n = split_numbers (line, numbers, MAX_COLUMNS);

  if (g_str_has_prefix (line, "Index"))
    read_rtla_heading (lines, line);
  read_overflows (lines, line, "over:", FALSE);
  for (int i = 1; i < n; i++)
    if (lines->wanted[i] && !reader_add (lines->reader, numbers[0], numbers[i], error))
      return FALSE;
  return TRUE;
}

/* How many numbers the first line has that holds nothing else, and whether cyclictest wrote it; 0: there is no such
 * line. */
static int
count_columns (const char *text, gboolean *cyclictest)
{
  double numbers[MAX_COLUMNS];

  for (; text && *text; text = strchr (text, '\n') ? strchr (text, '\n') + 1 : NULL)
    {
      g_autofree char *line = g_strndup (text, MIN (strcspn (text, "\n"), READ_MAX_LINE));
      int n = split_numbers (line, numbers, MAX_COLUMNS);

      *cyclictest = strspn (line, "0123456789") == CYCLICTEST_DIGITS;
      if (n > 0)
        return n;
    }
  return 0;
}

/* Whether a line of cyclictest -v is in @text. */
static gboolean
is_verbose (const char *text)
{
  for (; text && *text; text = strchr (text, '\n') ? strchr (text, '\n') + 1 : NULL)
    {
      int numbers[3];
      int length = 0;

      if (sscanf (text, "%d:%d:%d%n", &numbers[0], &numbers[1], &numbers[2], &length) == 3 &&
          strchr ("\r\n", text[length]))
        return TRUE;
    }
  return FALSE;
}

static gboolean
take_triple (Lines *lines, const char *line, GError **error)
{
  return read_triple (lines->reader, line, error);
}

static TakeLine
set_kind (Reader *reader, const char *format, gint64 unit_ns, gint64 width_ns, TakeLine take)
{
  reader->file->format = format;
  reader->unit_ns = unit_ns;
  reader->file->profile->width_ns = width_ns;
  return take;
}

/* How to take the lines of @text; NULL: it is of no known kind. */
static TakeLine
recognise (Reader *reader, const char *text)
{
  gboolean cyclictest;
  int columns;

  if (strstr (text, STRESS_NG_DISTRIBUTION))
    return set_kind (reader, "stress-ng cyclic distribution", 1, 1, take_stress_ng);
  if (strstr (text, "timerlat histogram"))
    return set_kind (reader, "rtla timerlat histogram", 1000, 1000, take_rtla);
  if (strstr (text, "osnoise histogram"))
    return set_kind (reader, "rtla osnoise histogram", 1000, 1000, take_rtla);
  if (read_knows_triples (text))
    return set_kind (reader, "mean, standard deviation and number", reader->unit_ns, 1, take_triple);
  if (is_verbose (text))
    return set_kind (reader, "cyclictest stream", 1000, 1000, take_verbose);
  columns = count_columns (text, &cyclictest);
  if (columns == 0)
    return NULL;
  if (columns == 1)
    return set_kind (reader, "a latency on each line", reader->unit_ns, 1, take_sample);
  return set_kind (reader, cyclictest ? "cyclictest histogram" : "table", reader->unit_ns, reader->unit_ns, take_table);
}

gboolean
read_lines (Reader *reader, char *text, GError **error)
{
  Lines lines = { .reader = reader };
  TakeLine take = NULL;

  if (strstr (text, "cyclic: latency percentiles") && !strstr (text, STRESS_NG_DISTRIBUTION))
    {
      set_kind (reader, "stress-ng cyclic summary", 1, 1, NULL);
      return read_stress_ng_summary (reader, text, error);
    }
  take = recognise (reader, text);
  for (char *line = text; take && line;)
    {
      char *next = strchr (line, '\n');

      if (next)
        *next++ = '\0';
      reader->line++;
      if (!take (&lines, line, error))
        return FALSE;
      line = next;
    }
  return take != NULL;
}
