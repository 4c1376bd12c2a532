/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the header of a table says of its columns. In doubt it is refused: a count taken for a latency looks like one.
 */
#include "read-private.h"

#include "units.h"

#include <string.h>

#define WORD(words) "(^|[^a-z])(" words ")([^a-z]|$)"

static const char latency_words[] = "delay|latenc|lateness|jitter|wake";
static const char part_words[] = WORD ("cum|cumulative|percent|percentage|pct|share|total") "|%";
static const char cpu_words[] = "^(cpu|core|thread|thr|t)[ _-]?[0-9]+$";
static const char count_words[] = WORD ("counts?|freq|frequency|number|samples?|n|hits|occurrences?|events");
static const char other_words[] =
    WORD ("cpu|core|thread|pid|tid|time|timestamp|stamp|cycle|date|index|run|min|max|mean|avg|average|median|sd") "|^$";

typedef enum
{
  COLUMN_UNKNOWN,
  COLUMN_LATENCY,
  COLUMN_COUNT,
  COLUMN_CPU, /* counts of one CPU */
  COLUMN_OTHER,
} ColumnKind;

/* A line that may be the header. */
typedef struct
{
  char **names;
  guint line;
  gboolean comment; /* It may as well be prose. */
} Header;

int
read_numbers (const char *line, double *numbers, int most)
{
  int n = 0;

  for (;;)
    {
      char *end;

      line += strspn (line, " \t,;|\"\r");
      if (*line == '\0' || *line == '#' || *line == '\n')
        return n;
      if (n == most)
        return -1;
      numbers[n] = g_ascii_strtod (line, &end);
      if (end == line || (*end && !strchr (" \t,;|\"\r\n", *end)))
        return -1;
      n++;
      line = end;
    }
}

gboolean
read_is_rule (const char *line)
{
  return line[strspn (line, " \t\r|:+-=_*~")] == '\0';
}

static gboolean
has (const char *name, const char *words)
{
  return g_regex_match_simple (words, name, G_REGEX_CASELESS | G_REGEX_RAW, 0);
}

static ColumnKind
kind_of (const char *name)
{
  if (has (name, part_words))
    return COLUMN_OTHER;
  if (has (name, cpu_words))
    return COLUMN_CPU;
  if (has (name, count_words))
    return COLUMN_COUNT;
  if (has (name, other_words))
    return COLUMN_OTHER;
  return has (name, latency_words) ? COLUMN_LATENCY : COLUMN_UNKNOWN;
}

/* The unit that @name ends with, as in "latency_ns" or "Delay (us)"; 0: none. */
static gint64
unit_of (const char *name)
{
  static const struct
  {
    const char *words;
    gint64 ns;
  } units[] = {
    { WORD ("ns|nsecs?|nanosec|nanoseconds?"), 1 },
    { WORD ("us|\xc2\xb5s|\xce\xbcs|usecs?|microsec|microseconds?"), 1000 },
    { WORD ("ms|msecs?|millisec|milliseconds?"), 1000000 },
    { WORD ("s|secs?|seconds?"), 1000000000 },
  };
  g_autofree char *bare = g_strdup (name);

  for (gsize length = strlen (bare); length > 0 && strchr (")] ", bare[length - 1]);)
    bare[--length] = '\0';
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      g_autofree char *at_end = g_strconcat ("(", units[i].words, ")$", NULL);

      if (has (bare, at_end))
        return units[i].ns;
    }
  return 0;
}

/* The parts of @line between @separators, without blanks and quotes around them; NULL if they are not @n. A unit in
 * brackets belongs to the word before it. */
static char **
split_at (const char *line, const char *separator, guint n)
{
  g_auto (GStrv) parts = g_regex_split_simple (separator, line, G_REGEX_RAW, 0);
  char *end;

  if (g_strv_length (parts) != n)
    return NULL;
  for (guint i = 0; i < n; i++)
    {
      g_strstrip (g_strdelimit (parts[i], "\"", ' '));
      g_ascii_strtod (parts[i], &end);
      if (*parts[i] && !*end)
        return NULL;
    }
  return g_steal_pointer (&parts);
}

/* The names of @n columns in @line; NULL: it is no such header. */
static char **
split_names (const char *line, guint n)
{
  static const char *const separators[] = { ",", ";", "\\|", "\t", "[ \t]{2,}|\t", "[ \t]+(?![(\\[])" };
  g_autofree char *bare = g_strdup (line);
  const char *from = bare + strspn (bare, "# \t|");
  gsize length = strlen (from);
  char **names = NULL;

  while (length > 0 && strchr (" \t\r|", from[length - 1]))
    length--;
  bare[from - bare + length] = '\0';
  if (n == 1)
    return split_at (from, "\n", 1);
  for (guint i = 0; i < G_N_ELEMENTS (separators) && !names; i++)
    names = split_at (from, separators[i], n);
  return names;
}

/* The column that holds the latency; -1: that is not clear. */
static int
find_latency (char *const *names, guint n)
{
  int found = -1;
  guint named = 0;

  for (guint i = 0; i < n; i++)
    if (kind_of (names[i]) == COLUMN_LATENCY && ++named)
      found = i;
  if (named > 0)
    return named == 1 ? found : -1;
  for (guint i = 0; i < n; i++)
    if (kind_of (names[i]) != COLUMN_COUNT && unit_of (names[i]) > 0)
      return i;
  for (guint i = 0; i < n; i++)
    if (kind_of (names[i]) == COLUMN_UNKNOWN)
      return i;
  return -1;
}

/* Which columns hold counts: those that say so, else those of CPUs, else the only other one. */
static gboolean
find_counts (char *const *names, guint n, Layout *layout)
{
  static const ColumnKind kinds[] = { COLUMN_COUNT, COLUMN_CPU, COLUMN_UNKNOWN };

  for (guint kind = 0; kind < G_N_ELEMENTS (kinds); kind++)
    {
      guint found = 0;

      for (guint i = 0; i < n && (kinds[kind] != COLUMN_UNKNOWN || n == 2); i++)
        {
          layout->is_count[i] = i != layout->latency && kind_of (names[i]) == kinds[kind];
          found += layout->is_count[i];
        }
      if (found > 0)
        return TRUE;
    }
  return n == 1;
}

static char *
say_columns (char *const *names, guint n, const Layout *layout, gint64 unit_ns)
{
  g_autofree char *unit = culprit_time_format (unit_ns);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "\"%s\" as latency in %s", names[layout->latency], unit);
  for (guint i = 0; i < n; i++)
    if (layout->is_count[i])
      g_string_append_printf (text, ", \"%s\" as count", names[i]);
  return g_string_free (text, FALSE);
}

/* FALSE if it is not clear what @header means. */
static gboolean
take_header (Reader *reader, const Header *header, guint n, Layout *layout)
{
  Layout found = { .columns = n };
  int latency = find_latency (header->names, n);
  gint64 unit_ns;

  if (latency < 0 || (header->comment && !has (header->names[latency], latency_words)))
    return FALSE;
  found.latency = latency;
  if (!find_counts (header->names, n, &found))
    return FALSE;
  unit_ns = unit_of (header->names[latency]);
  reader->unit_ns = unit_ns > 0 ? unit_ns : reader->unit_ns;
  reader->columns = say_columns (header->names, n, &found, reader->unit_ns);
  *layout = found;
  return TRUE;
}

/* The last line before @first that has @n names; of comments only if there is no other. @strange: the last line that
 * is neither that nor a comment, 0: there is none. */
static Header
find_header (const char *text, guint first, guint n, guint *strange)
{
  Header header = { 0 };

  *strange = 0;
  for (guint number = 1; number < first; number++)
    {
      g_autofree char *line = g_strndup (text, MIN (strcspn (text, "\r\n"), READ_MAX_LINE));
      gboolean comment = line[strspn (line, " \t")] == '#';
      char **names = read_is_rule (line) ? NULL : split_names (line, n);

      text += strcspn (text, "\n") + 1;
      if (names && (!header.names || !comment || header.comment))
        {
          g_strfreev (header.names);
          header = (Header) { names, number, comment };
          continue;
        }
      g_strfreev (names);
      if (!comment && !read_is_rule (line))
        *strange = number;
    }
  return header;
}

static const char *
line_at (const char *text, guint number)
{
  while (--number > 0)
    text += strcspn (text, "\n") + 1;
  return text;
}

gboolean
read_header (Reader *reader, const char *text, guint first, guint columns, Layout *layout, GError **error)
{
  guint strange;
  Header header = find_header (text, first, columns, &strange);
  g_auto (GStrv) names = header.names;
  const char *line;
  int length;

  *layout = (Layout) { 0 };
  for (guint i = 1; i < READ_MAX_COLUMNS; i++)
    layout->is_count[i] = TRUE;
  if (names && take_header (reader, &header, columns, layout))
    return TRUE;
  reader->line = names && !header.comment ? header.line : strange;
  if (reader->line == 0)
    return TRUE;
  line = line_at (text, reader->line);
  length = MIN (strcspn (line, "\r\n"), 40);
  if (reader->line == header.line)
    return reader_damaged (reader, error, "expected a header that names a latency and its count, found \"%.*s\"",
                           length, line);
  return reader_damaged (reader, error, "expected a header of %u columns, found \"%.*s\"", columns, length, line);
}
