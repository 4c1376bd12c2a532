/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results that consist of lines. Each format is recognised by something unique to it, and has its own function to take
 * a line. */
#include "read-private.h"

#include "units.h"

#include <math.h>
#include <string.h>

#define CYCLICTEST_DIGITS 6
#define EVEN_ROWS 8 /* of a table, at equal distances */
#define STRESS_NG_DISTRIBUTION "cyclic: latency distribution"

/* The lines of a file, one after another. */
typedef struct
{
  Reader *reader;
  Layout layout;
  guint rows;                        /* of a table */
  double last;                       /* the latency of its last row */
  double step;                       /* between rows; 0: it varies */
  gboolean is_fine;                  /* There are latencies finer than the unit. */
  double samples;                    /* from stress-ng, which may show its first bins only */
  guint first;                       /* the first line of numbers of a table or list; anything above it is the header */
  ThreadTold told[READ_MAX_COLUMNS]; /* by cyclictest's columns */
  guint threads;                     /* in cyclictest's columns */
} Lines;

typedef gboolean (*TakeLine) (Lines *lines, const char *line, GError **error);

static const ToldTitles cyclictest_titles = { "# Total:", "# Min Latencies:", "# Avg Latencies:", "# Max Latencies:",
                                              "# Histogram Overflows:" };
/* cyclictest's total excludes latencies above the end. */
static void
take_told (Lines *lines)
{
  for (guint column = 1; column <= lines->threads; column++)
    {
      lines->told[column].n += lines->told[column].above;
      reader_tell (lines->reader, lines->reader->threads, &lines->told[column]);
    }
}

/* A latency and, for each thread, how often it occurred. Other output of cyclictest is skipped. */
static gboolean
take_cyclictest (Lines *lines, const char *line, GError **error)
{
  double numbers[READ_MAX_COLUMNS];
  int n = read_numbers (line, numbers, READ_MAX_COLUMNS);

  read_told_line (line, &cyclictest_titles, lines->told);
  if (n == 0 || g_str_has_prefix (line, "T:") || g_str_has_prefix (line, "policy:") || g_str_has_prefix (line, "/dev/"))
    return TRUE;
  if (n < 2)
    return reader_damaged (lines->reader, error, "expected a latency and its count, found \"%.40s\"", line);
  for (int i = 1; i < MIN (n, (int) lines->threads + 1); i++)
    if (!reader_add (lines->reader, lines->reader->threads, numbers[0], numbers[i], error))
      return FALSE;
  return TRUE;
}

/* The distance between the latencies of a table determines the width of its bins. */
static void
take_step (Lines *lines, double latency)
{
  double step = latency - lines->last;

  lines->is_fine |= latency != floor (latency);
  if (lines->rows == 1)
    lines->step = step;
  else if (lines->rows > 1 && step != lines->step)
    lines->step = 0;
  lines->last = latency;
  lines->rows++;
}

/* A list of single latencies may be evenly spaced by chance; one with many rows is a histogram. */
static void
take_width (const Lines *lines)
{
  CulpritProfile *profile = lines->reader->threads->profile;

  if (lines->is_fine)
    profile->width_ns = 1;
  else if (lines->rows >= EVEN_ROWS && lines->step > 1 && fmod (lines->last, lines->step) == 0 &&
           lines->step * lines->reader->unit_ns < G_MAXINT32)
    profile->width_ns = lines->step * lines->reader->unit_ns;
}

static gboolean
take_table (Lines *lines, const char *line, GError **error)
{
  const Layout *layout = &lines->layout;
  double numbers[READ_MAX_COLUMNS];
  int n = read_numbers (line, numbers, READ_MAX_COLUMNS);

  if (n == 0 || lines->reader->line < lines->first || read_is_rule (line))
    return TRUE;
  if (layout->columns > 0 && n != (int) layout->columns)
    return reader_damaged (lines->reader, error, "expected %u columns of numbers, found \"%.40s\"", layout->columns,
                           line);
  if (n < 2)
    return reader_damaged (lines->reader, error, "expected a latency and its count, found \"%.40s\"", line);
  take_step (lines, numbers[layout->latency]);
  for (int i = 0; i < n; i++)
    if (layout->is_count[i] &&
        !reader_add (lines->reader, lines->reader->threads, numbers[layout->latency], numbers[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
take_sample (Lines *lines, const char *line, GError **error)
{
  double number;
  int n = read_numbers (line, &number, 1);

  if (n == 0 || lines->reader->line < lines->first || read_is_rule (line))
    return TRUE;
  return n == 1 ? reader_add (lines->reader, lines->reader->threads, number, 1, error)
                : reader_damaged (lines->reader, error, "expected a latency, found \"%.40s\"", line);
}

/* cyclictest -v: "thread: cycle: latency". Stays within the line: it may be followed by a million others. */
static gboolean
read_cycle (const char *line, double *latency)
{
  char *end;

  for (guint i = 0; i < 2; i++)
    {
      gsize digits;

      line += strspn (line, " \t");
      digits = strspn (line, "0123456789");
      if (digits == 0 || line[digits] != ':')
        return FALSE;
      line += digits + 1;
    }
  line += strspn (line, " \t");
  if (strchr ("\r\n", *line))
    return FALSE;
  *latency = g_ascii_strtod (line, &end);
  return end != line && strchr ("\r\n", *end);
}

/* Other lines describe the threads. */
static gboolean
take_verbose (Lines *lines, const char *line, GError **error)
{
  double latency;

  return !read_cycle (line, &latency) || reader_add (lines->reader, lines->reader->threads, latency, 1, error);
}

/* stress-ng --cyclic-dist: "cyclic: 2000 1045" is the number of latencies from 2000 ns on. */
/* Its statistics of all latencies, which precede the bins. */
static void
take_stress_ng_told (Lines *lines, const char *line)
{
  CulpritProfile *profile = lines->reader->threads->profile;
  const char *per_cent = strstr (line, "%:");
  const char *cyclic = strstr (line, "cyclic:");
  double p;
  double ns;

  if (!profile->told)
    profile->told = culprit_told_new ();
  read_number_after (line, "cyclic:   mean:", &profile->told->mean_ns);
  read_number_after (line, "mode:", &profile->told->mode_ns);
  read_number_after (line, "cyclic:   min:", &profile->told->min_ns);
  read_number_after (line, "max:", &profile->told->max_ns);
  read_number_after (line, "std.dev.", &profile->told->sd_ns);
  read_number_after (line, " ns delay,", &lines->samples);
  if (per_cent && cyclic && read_number_after (cyclic, "cyclic:", &p) && read_number_after (per_cent, "%:", &ns) &&
      p > 0 && p < 100)
    culprit_told_add_quantile (profile->told, lround (p * 1e4), ns);
}

static gboolean
take_stress_ng (Lines *lines, const char *line, GError **error)
{
  static const char title[] = STRESS_NG_DISTRIBUTION " (";
  const char *heading = strstr (line, title);
  const char *row = strstr (line, "cyclic:");
  gint64 width_ns = heading ? g_ascii_strtoll (heading + strlen (title), NULL, 10) : 0;
  double numbers[2];

  if (width_ns > 0)
    lines->reader->threads->profile->width_ns = width_ns;
  take_stress_ng_told (lines, line);
  return !row || read_numbers (row + strlen ("cyclic:"), numbers, 2) != 2 ||
         reader_add (lines->reader, lines->reader->threads, numbers[0], numbers[1], error);
}

/* The number of numbers in the first line that contains nothing else, which line that is, and whether it is from
 * cyclictest; 0: there is no such line. */
static int
count_columns (const char *text, guint *first, gboolean *cyclictest)
{
  double numbers[READ_MAX_COLUMNS];

  *first = 0;
  for (; text && *text; text = strchr (text, '\n') ? strchr (text, '\n') + 1 : NULL)
    {
      g_autofree char *line = g_strndup (text, MIN (strcspn (text, "\n"), READ_MAX_LINE));
      int n = read_numbers (line, numbers, READ_MAX_COLUMNS);

      ++*first;
      *cyclictest = strspn (line, "0123456789") == CYCLICTEST_DIGITS;
      if (n > 0)
        return n;
    }
  return 0;
}

/* Whether the last column of cyclictest's histogram is the sum of the others in each row, as with --histofall. */
static gboolean
has_sums (const char *text)
{
  double numbers[READ_MAX_COLUMNS];
  double all = 0;

  for (; text && *text; text = strchr (text, '\n') ? strchr (text, '\n') + 1 : NULL)
    {
      g_autofree char *line = g_strndup (text, MIN (strcspn (text, "\n"), READ_MAX_LINE));
      int n = read_numbers (line, numbers, READ_MAX_COLUMNS);
      double sum = 0;

      for (int i = 1; i < n - 1; i++)
        sum += numbers[i];
      if (n > 0 && (n < 4 || numbers[n - 1] != sum))
        return FALSE;
      all += sum;
    }
  return all > 0;
}

/* Whether @text contains a line of cyclictest -v. */
static gboolean
is_verbose (const char *text)
{
  double latency;

  for (; text && *text; text = strchr (text, '\n') ? strchr (text, '\n') + 1 : NULL)
    if (read_cycle (text, &latency))
      return TRUE;
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
  reader->threads->profile->width_ns = width_ns;
  return take;
}

/* A table or list, with or without a header. NULL without an error if @text has no line of numbers. */
static TakeLine
recognise_table (Lines *lines, const char *text, GError **error)
{
  Reader *reader = lines->reader;
  gboolean cyclictest;
  int columns = count_columns (text, &lines->first, &cyclictest);
  const char *advice;

  if (columns > 1 && cyclictest)
    {
      lines->threads = has_sums (text) ? columns - 2 : READ_MAX_COLUMNS - 1;
      return set_kind (reader, "cyclictest histogram", reader->unit_ns, reader->unit_ns, take_cyclictest);
    }
  advice = read_advice (text);
  if (advice)
    reader_without_histogram (reader, advice, error);
  if (columns == 0 || advice)
    return NULL;
  if (!read_header (reader, text, lines->first, columns, &lines->layout, error))
    return NULL;
  if (columns == 1)
    return set_kind (reader, "a latency on each line", reader->unit_ns, 1, take_sample);
  return set_kind (reader, "table", reader->unit_ns, reader->unit_ns, take_table);
}

/* The function to take the lines of @text; NULL: the format is not known, or there is an error. */
static TakeLine
recognise (Lines *lines, const char *text, GError **error)
{
  Reader *reader = lines->reader;

  if (strstr (text, STRESS_NG_DISTRIBUTION))
    return set_kind (reader, "stress-ng cyclic distribution", 1, 1, take_stress_ng);
  if (read_knows_triples (text))
    return set_kind (reader, "mean, standard deviation and number", reader->unit_ns, 1, take_triple);
  if (is_verbose (text))
    return set_kind (reader, "cyclictest stream", reader->unit_ns, reader->unit_ns, take_verbose);
  return recognise_table (lines, text, error);
}

gboolean
read_lines (Reader *reader, char *text, GError **error)
{
  g_autofree Lines *lines = g_new0 (Lines, 1);
  TakeLine take = NULL;

  if (read_is_rtla (text))
    return read_rtla (reader, text, error);
  if (read_is_oslat (text))
    return read_oslat (reader, text, error);
  lines->reader = reader;
  if (strstr (text, "cyclic: latency percentiles") && !strstr (text, STRESS_NG_DISTRIBUTION))
    {
      set_kind (reader, "stress-ng cyclic summary", 1, 1, NULL);
      return read_stress_ng_summary (reader, text, error);
    }
  take = recognise (lines, text, error);
  for (char *line = text; take && line;)
    {
      char *next = strchr (line, '\n');

      if (next)
        *next++ = '\0';
      reader->line++;
      if (!take (lines, line, error))
        return FALSE;
      line = next;
    }
  if (take == take_cyclictest)
    take_told (lines);
  if (take == take_table)
    take_width (lines);
  reader_leave_out (reader->threads, lines->samples - reader->threads->profile->n);
  return take != NULL;
}
