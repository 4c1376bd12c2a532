/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results that consist of lines. Each format is recognised by something unique to it, and has its own function to take
 * a line. */
#include "budgets.h"
#include "clean.h"
#include "read-private.h"
#include "units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The figures that tools print below a histogram for each thread: number of latencies, minimum, mean, maximum, and how
 * many were above the histogram's end, about which nothing else is known. */

/* Tells that @n latencies of the file, if that is a number above 0, are missing from @profile. */
static void
reader_leave_out (CulpritNamedProfile *profile, double n)
{
  profile->profile->beyond = MIN (profile->profile->beyond + (guint64) fmin (fmax (n, 0), MAX_SUM), MAX_SUM);
}

/* @figure, in the reader's unit, in ns; NaN: not known. */
static double
finite_ns (const Reader *reader, double figure)
{
  return isfinite (figure) ? figure * reader->unit_ns : NAN;
}

void
reader_add_figures (const Reader *reader, CulpritNamedProfile *profile, const ThreadFigures *thread)
{
  CulpritPrinted *printed = profile->profile->printed;
  double min_ns = finite_ns (reader, thread->min);
  double mean_ns = finite_ns (reader, thread->mean);
  double max_ns = finite_ns (reader, thread->max);

  reader_leave_out (profile, thread->above);
  if (thread->n == 0)
    return;
  profile->cut_mean = (!printed || profile->cut_mean) && thread->mean == floor (thread->mean);
  if (!printed)
    {
      profile->profile->printed = printed = culprit_printed_new ();
      *printed = (CulpritPrinted) { min_ns, mean_ns, NAN, max_ns, NAN, printed->quantiles };
      profile->figures_n = thread->n;
      return;
    }
  /* What one of its threads lacks is not known of the profile: NaN stays NaN. */
  printed->mean_ns = printed->mean_ns * profile->figures_n + mean_ns * thread->n;
  profile->figures_n += thread->n;
  printed->mean_ns /= profile->figures_n;
  printed->min_ns = isnan (min_ns) || min_ns < printed->min_ns ? min_ns : printed->min_ns;
  printed->max_ns = isnan (max_ns) || max_ns > printed->max_ns ? max_ns : printed->max_ns;
}

/* Until a line tells them, they are not known: a file may end before. */
static void
begin_figures (ThreadFigures columns[READ_MAX_COLUMNS])
{
  for (guint column = 0; column < READ_MAX_COLUMNS; column++)
    columns[column] = (ThreadFigures) { .n = NAN, .min = NAN, .mean = NAN, .max = NAN, .above = NAN };
}

/* Of two results in one file, as `tool >>file` makes it, no figure would be right. Returns FALSE. */
static gboolean
refuse_second (const Reader *reader, GError **error)
{
  return reader_damaged (reader, error,
                         "another result follows the first; save the output of each run in its own file");
}

/* Whether the rows of @column have as many latencies as are @told below them, if that is a number: else some are
 * missing, or there twice. */
static gboolean
check_count (const Reader *reader, guint column, double counted, double told, GError **error)
{
  return isnan (told) || counted == told ||
         reader_damaged (reader, error,
                         "column %u has %.0f latencies, but %.0f are counted in all; save the whole output of one run",
                         column, counted, told);
}

/* Whether a line that begins with @title told how many latencies of @figures were above the histogram's end: else no
 * quantile of theirs is known, as any number of them may have been longer. */
static gboolean
check_end (const Reader *reader, const ThreadFigures *figures, const char *title, GError **error)
{
  return !isnan (figures->above) ||
         reader_damaged (reader, error,
                         "nothing below its rows tells how many latencies were above its end%s; save the whole output, "
                         "with the line \"%s\"",
                         reader->is_cut ? " but perhaps its last line, which no line feed ends" : "", title);
}

/* A tool ends each line: one that ends with a digit may have been cut within a number, and is left out of @text. */
static void
leave_out_cut_line (Reader *reader, char *text)
{
  char *before = strrchr (text, '\n');
  char *last = before ? before + 1 : text;
  gsize length = strlen (last);

  reader->is_cut = length > 0 && (g_ascii_isdigit (last[length - 1]) || last[length - 1] == '.');
  if (reader->is_cut)
    *last = '\0';
}

static gboolean
check_width (const Reader *reader, guint columns, GError **error)
{
  return columns <= READ_MAX_COLUMNS || reader_damaged (reader, error, "it has more than %d columns", READ_MAX_COLUMNS);
}

static gboolean
check_row (const Reader *reader, const char *line, int numbers, guint columns, GError **error)
{
  return numbers == (int) columns ||
         reader_damaged (reader, error, "expected %u columns of numbers, found \"%.40s\"", columns, line);
}

static gboolean
refuse_sample (const Reader *reader, const char *line, GError **error)
{
  return reader_damaged (reader, error, "expected a latency, found \"%.40s\"", line);
}

/* Reads a line below a histogram, with a number for each column from 1 on, into @columns; other lines are ignored. */
static void
read_figures_line (const char *line, const ToldTitles *titles, ThreadFigures *columns)
{
  const struct
  {
    const char *title;
    gsize offset;
  } kinds[] = {
    { titles->n, G_STRUCT_OFFSET (ThreadFigures, n) },         { titles->min, G_STRUCT_OFFSET (ThreadFigures, min) },
    { titles->mean, G_STRUCT_OFFSET (ThreadFigures, mean) },   { titles->max, G_STRUCT_OFFSET (ThreadFigures, max) },
    { titles->above, G_STRUCT_OFFSET (ThreadFigures, above) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      const char *at = g_str_has_prefix (line, kinds[i].title) ? line + strlen (kinds[i].title) : NULL;

      for (guint column = 1; at && column < READ_MAX_COLUMNS; column++)
        {
          char *end;
          double number;

          at += strspn (at, " \t");
          number = g_ascii_strtod (at, &end);
          if (end == at && *at == '-') /* It has no value. */
            at++;
          else if (end != at)
            {
              G_STRUCT_MEMBER (double, &columns[column], kinds[i].offset) = number >= 0 ? number : NAN;
              at = end;
            }
          else
            at = NULL;
        }
    }
}

/* Interprets the header of a table. If in doubt it is rejected: a count taken for a latency would not be noticed. */

#define WORD(words) "(^|[^a-z])(" words ")([^a-z]|$)"

static const char latency_words[] = "delay|latenc|lateness|jitter|wake|" WORD ("lats?");

static const char part_words[] =
    WORD ("cum|cumulative|cdf|percent|percentage|pct|share|total|lost|missed|dropped") "|%";

static const char cpu_words[] = "^(cpu|core|thread|thr|t)[ _:-]?[0-9]+$";

static const char count_words[] = WORD ("counts?|cnt|freq|frequency|n?samples|hits|occurrences|events");

/* Counts if they follow the latency, as in R's tables and CPUs'; before it, they may as well number the rows. */
static const char number_words[] = "^(n|num|number|number of .*|occurrence)$";

static const char other_words[] = WORD ("cpu|core|thread|pid|tid|time|timestamp|stamp");
static const char stamp_words[] = WORD ("timestamp|stamp");

static const char row_words[] =
    WORD ("cycle|date|index|run|id|rank|class|seq|iteration") "|^(sample|event|i|no|nr|loop)$";

static const char statistic_words[] = WORD ("min|max|mean|avg|average|median|sd");

/* Where a bin begins or ends, if it has a unit. */
static const char edge_words[] = WORD ("from|to|start|end|begin|lower|upper|low|high|lo|hi");

/* What counts the latencies of more bins than the row's, if it is a count. */
static const char cumulative_words[] =
    WORD ("below|above|less|more|le|lt|ge|gt|up[ _-]?to|at[ _-]?(most|least)|running|accum(ulat(ed|ing|ive))?|"
          "cumul(ated|ating)?|exceed(s|ed|ing|ances?)?|ccdf") "|(over|under)[^a-z]*$|[<>]|\xe2\x89[\xa4\xa5]";

/* What a bin beside its count is called. */
static const char bin_words[] = "^(bins?|buckets?|values?)$";

/* All that the name of a latency without a unit may consist of. */
#define LATENCY                                                                                                        \
  "((bin|bucket|wake|ups?|timer|irq|interrupt|task|kernel|user|sched(uling|uler|ule)?|response)[ _-]*)*"               \
  "(latenc(y|ies)|delays?|lateness|jitter|lats?|wake[ _-]?ups?|response|bins?|buckets?|values?|"                       \
  "from|start|begin|lower|low|lo)"

/* All that the name of a column may consist of that says which place of bins it tells, but for a unit behind:
 * "end_to_end_us" and "time to wake (us)" are latencies. */
#define BIN_WORD                                                                                                       \
  "(bins?|buckets?|class|range|interval|edge|bound(ary)?|limit|values?|latenc(y|ies)|lats?|delay|jitter|response)"
#define PLACE(words) "^(" BIN_WORD "[^a-z]*)*(" words ")([^a-z]+" BIN_WORD ")*([^a-z]*" ANY_UNIT ")?[^a-z]*$"

/* Rather a column's name than prose; "second" may be the one after the first. */
static const char bare_name[] = "^(?!second$)[a-z_\x80-\xff][a-z0-9_\x80-\xff]*( time)?( ?[([][a-z\x80-\xff]+[])])?$";

#define MICRO "(u|\xc2?\xb5|\xce\xbc)" /* in Latin-1 as well */

/* Units that are none of those that are read, and multiples. */
#define STRANGE                                                                                                        \
  "[pf]s|k?cyc(les?)?|k?ticks?|jiff(y|ies)|clks?|clocks?|(rd)?tsc|minutes?|hours?|log[0-9]+|"                          \
  "(ten|hundred|thousand)(th)?s"

/* The words of any unit, also as Russian, Chinese, Japanese and Korean have them. */
#define ANY_UNIT                                                                                                       \
  "([num]?s|[a-z]*s(ecs?|eks?|econd[a-z]*|ekund[a-z]*|egund[a-z]*)|(pico|nano|mi[ck]ro|mill?i)(s[a-z]*)?|"             \
  "(?<![\x80-\xff])(н|м|мк)с(?![\x80-\xff])|сек|秒|초|" STRANGE ")(?![a-z])"

/* Where a bin ends, or its middle. */
static const char end_words[] = PLACE ("(up[ _-]?)?to|till|until|below|less[ _-]?than|le|lt|end|upper([ _-]?end)?|high|"
                                       "hi|right|mid|middle|midpoint|cent(er|re)");

/* Beside counts it may be the end of a bin as well, or one of so many latencies: that is in doubt. */
static const char greatest_words[] = PLACE ("max|maximum");

/* What a single "s" may be instead: an option, as in "hackbench -s 512", a plural, as lscpu has it, or an author's. */
#define NO_OPTION "(?!(?<=[ \t]-)s(?![a-z]))"
#define NO_PLURAL "(?!(?<=cpu[(]|core[(]|thread[(]|socket[(]|node[(]|cluster[(])s(?![a-z]))"
#define NO_INITIAL "(?!(?<=by |author: |\\b[a-z][.] )(?-i:S[.] ?[A-Z][a-z]))"

/* What is around the unit in a name: words before it, as in "Response time (us)", or a latency's behind, as in
 * "ms_latency". "latency_ns (FIFO)", "log_us", "tens of us" and "1/10 us" are in doubt. */
#define NAME_WORD "(?!(log|ln|x[0-9]+|" ANY_UNIT ")[^a-z])[a-z\x80-\xff][a-z0-9\x80-\xff]*"
#define BEFORE_UNIT "^(" NAME_WORD "([ _.-]+" NAME_WORD ")*[ _.,:/([-]+)?[([]?("
#define AFTER_UNIT ")([ _-]" LATENCY ")?$"

/* What is around the unit in a line that says nothing else, as in "all times are in ns" and "Unit: ns (nano)". */
#define MEASURED "(latenc(y|ies)|delays?|times?|values?|(time[ \t]+)?units?([ \t]+of[ \t]+(latency|time))?)[ \t]*"
#define BEFORE_SAID                                                                                                    \
  "^[# \t]*(" MEASURED "[:=([][ \t]*|((all|the)[ \t]+)*(" MEASURED ")?((is|are|given|measured|in|units of)[ \t]+)+|"   \
  "[([]?(?!second\\b))'?(?<unit>"
#define AFTER_SAID ")[]')]*([ \t]*[([](?&unit)[])])?[. \t]*$"

/* What a comment may call the columns of means, deviations and numbers, and what leaves them in doubt. */
#define FIGURE "(?<![a-z])(min|max|mean|avg|average|median|sd)(?![a-z])"
#define TRIPLE "(mean|avg|average)[^ ,;\t]*[ ,;\t]+(sd|std|dev)[^ ,;\t]*[ ,;\t]+(n|count|samples)[ \t]*$"

typedef enum
{
  COLUMN_UNKNOWN,
  COLUMN_LATENCY,
  COLUMN_COUNT,
  COLUMN_NUMBER, /* of number_words */
  COLUMN_CPU,    /* counts of one CPU */
  COLUMN_OTHER,  /* shares, CPUs, times */
  COLUMN_ROW,    /* what tells the rows apart */
  COLUMN_STATISTIC,
} ColumnKind;

/* What a line is that has a name for each column. */
typedef enum
{
  LINE_PROSE,
  LINE_UNCLEAR, /* a comment that names columns, but not all */
  LINE_COMMENT, /* a comment that is a complete header */
  LINE_HEADER,
} LineKind;

typedef struct
{
  char **names;
  LineKind kind;
  guint line;
  gint64 unit_ns; /* 0: it names none */
  Layout layout;  /* is_named: what the names mean is clear */
} Header;

/* What the text of a file leaves open. */
typedef struct
{
  guint first;    /* the line of the first row */
  gint64 unit_ns; /* that it gives; 0: none; UNIT_STRANGE: two, or one that is not read */
  guint unit;     /* the line that leaves it in doubt; 0: there is none */
  guint columns;  /* likewise */
  guint row;      /* likewise, of the rows */
  guint second;   /* a line where another result begins; 0: there is none */
} Told;

#define UNIT_STRANGE (-1)
#define MAX_WHOLE 256

static void
header_clear (Header *header)
{
  g_strfreev (header->names);
  *header = (Header) { 0 };
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Header, header_clear)

/* The numbers of a line, at most @most. -1: it contains something else as well. */
static int
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
      if (end == line || memchr (line, 'x', end - line) || memchr (line, 'X', end - line) || /* hexadecimal */
          (*end && !strchr (" \t,;|\"\r\n", *end)))
        return -1;
      n++;
      line = end;
    }
}

/* The line of @text after its first; NULL: there is none, or nobody waits for what the lines tell any more. */
static const char *
next_line (const Reader *reader, const char *text)
{
  const char *end = strchr (text, '\n');

  return end && end[1] && !g_cancellable_is_cancelled (reader->cancellable) ? end + 1 : NULL;
}

/* The same where each line is to be a string by itself; the text after a last line feed is one as well. */
static char *
part_line (const Reader *reader, char *text)
{
  char *end = strchr (text, '\n');

  if (end)
    *end++ = '\0';
  return g_cancellable_is_cancelled (reader->cancellable) ? NULL : end;
}

/* Whether @line is empty, or a rule below a header. */
static gboolean
read_is_rule (const char *line)
{
  return line[strspn (line, " \t\r|:+-=_*~")] == '\0';
}

G_LOCK_DEFINE_STATIC (patterns);

/* A file may have very many lines: each pattern, a constant that is known by its address, is compiled once. */
static const GRegex *
compiled (const char *pattern)
{
  static GHashTable *patterns; /* of GRegex */
  GRegex *regex;

  G_LOCK (patterns);
  if (!patterns)
    patterns = g_hash_table_new (NULL, NULL);
  regex = g_hash_table_lookup (patterns, pattern);
  if (!regex)
    {
      regex = g_regex_new (pattern, G_REGEX_CASELESS | G_REGEX_RAW | G_REGEX_OPTIMIZE, 0, NULL);
      g_hash_table_insert (patterns, (gpointer) pattern, regex);
    }
  G_UNLOCK (patterns);
  return regex;
}

static gboolean
has (const char *name, const char *words)
{
  return g_regex_match (compiled (words), name, 0, NULL);
}

/* The same for @words that must match all of @name, which has many ways to be parted into them: a longer one is in
 * doubt, as it would cost too much time, or memory of the matcher. */
static gboolean
is_wholly (const char *name, const char *words)
{
  return strlen (name) <= MAX_WHOLE && has (name, words);
}

static ColumnKind
kind_of (const char *name)
{
  if (!*name)
    return COLUMN_ROW;
  if (has (name, part_words))
    return COLUMN_OTHER;
  if (has (name, cpu_words))
    return COLUMN_CPU;
  if (has (name, number_words))
    return COLUMN_NUMBER;
  if (has (name, count_words))
    return COLUMN_COUNT;
  if (has (name, other_words))
    return COLUMN_OTHER;
  if (has (name, row_words))
    return COLUMN_ROW;
  if (has (name, statistic_words))
    return COLUMN_STATISTIC;
  return has (name, latency_words) ? COLUMN_LATENCY : COLUMN_UNKNOWN;
}

/* @name with a unit apart from the word before, as in "latency_Ns" for "latencyNs", but "uS" and "mSec" whole, and
 * without what follows the last word. */
static char *
words_of (const char *name)
{
  GString *words = g_string_new (NULL);

  for (const char *at = name; *at; at++)
    {
      if (at > name && g_ascii_islower (at[-1]) && strchr ("NUM", *at) && g_ascii_isalpha (at[1]))
        g_string_append_c (words, '_');
      g_string_append_c (words, *at);
    }
  while (words->len > 0 && strchr (")] \t\r:._", words->str[words->len - 1]))
    g_string_truncate (words, words->len - 1);
  return g_string_free (words, FALSE);
}

/* What each unit is called, between the expressions @before and @after. */
#define UNITS(before, after)                                                                                           \
  {                                                                                                                    \
    before "(n|nano[ _-]?)s(ecs?|econds?)?|nanos?" after,                                                              \
        before MICRO "s(ecs?|econds?)?|micro[ _-]?(s|secs?|seconds?)?" after,                                          \
        before "(m|milli[ _-]?)s(ecs?|econds?)?|millis?" after, before "s|secs?|seconds?" after                        \
  }

/* The first unit of which @words have one of @patterns, those of UNITS(); 0: none. */
static gint64
find_unit (const char *words, const char *const patterns[4])
{
  static const gint64 units_ns[] = { 1, 1000, 1000000, 1000000000 };

  for (guint i = 0; strpbrk (words, "sSoOiI") && i < G_N_ELEMENTS (units_ns); i++) /* Every unit has one of these. */
    if (is_wholly (words, patterns[i]))
      return units_ns[i];
  return 0;
}

/* The unit of @name, as in "latency_ns", "Delay (us)" or "ms_latency"; 0: it has none, or not certainly. */
static gint64
unit_of (const char *name)
{
  static const char *const patterns[] = UNITS (BEFORE_UNIT, AFTER_UNIT);
  g_autofree char *words = words_of (name);

  return find_unit (words, patterns);
}

/* Whether @line has the word of a unit, of any one and in any place. */
static gboolean
mentions_unit (const char *line)
{
  g_autofree char *words = words_of (line);

  return has (words, "(?<![a-z])(?<![a-z]')" NO_OPTION NO_PLURAL NO_INITIAL ANY_UNIT);
}

/* The unit of which @line says that times have it, and nothing else; 0: it does not. */
static gint64
said_unit (const char *line)
{
  static const char *const patterns[] = UNITS (BEFORE_SAID, AFTER_SAID);

  if (strlen (line) > MAX_WHOLE)
    return mentions_unit (line) ? UNIT_STRANGE : 0;
  return is_wholly (line, BEFORE_SAID STRANGE AFTER_SAID) ? UNIT_STRANGE : find_unit (line, patterns);
}

/* Whether it is empty or a comment. */
static gboolean
is_blank (const char *line)
{
  return strchr ("#\r\n", line[strspn (line, " \t")]) != NULL;
}

/* Whether @line, which stands between a header and the first row, may be a row that is not just numbers, as in "<1,20"
 * and "0 - 20": it has a number, not just "CPU0", and no unit before, as in a line of units. */
static gboolean
may_be_row (const char *line)
{
  return *line != '#' && has (line, "(?<![a-z0-9_])[0-9]") && !has (line, "^[^0-9]*(?<![a-z])" ANY_UNIT);
}

static gboolean
is_number (const char *name)
{
  char *end;

  g_ascii_strtod (name, &end);
  return *name && !*end;
}

/* The parts of @line between @separators, without surrounding blanks and quotes; NULL if there are not @n, or one is a
 * number. A unit in brackets belongs to the word before it. */
static char **
split_at (const char *line, const char *separator, guint n)
{
  g_auto (GStrv) parts = NULL;
  guint most = 1;

  /* Most lines cannot have so many, which is cheaper to see than to split them. */
  for (const char *at = line; *at; at++)
    most += strchr (separator, *at) != NULL;
  parts = most < n ? NULL : g_regex_split (compiled (separator), line, 0);
  if (!parts || g_strv_length (parts) != n)
    return NULL;
  for (guint i = 0; i < n; i++)
    {
      g_strstrip (g_strdelimit (parts[i], "\"", ' '));
      if (is_number (parts[i]))
        return NULL;
    }
  return g_steal_pointer (&parts);
}

/* The names of @n columns in @line; NULL: it is not such a header. */
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

/* Whether all of @name matches @place, a PLACE(). */
static gboolean
is_place (const char *name, const char *place)
{
  g_autofree char *words = words_of (name);

  return is_wholly (words, place);
}

/* The index of the latency column, which is called so, or else has the only unit, but for another edge of bins, or else
 * is not known to be anything else; -1: not clear. It is where bins begin: one where they end is passed over beside it,
 * and alone leaves doubt. */
static int
find_latency (char *const *names, const ColumnKind *kinds, guint n)
{
  int found = -1;
  gboolean ends = FALSE;

  for (guint way = 0; way < 3 && found < 0 && !ends; way++)
    for (guint i = 0; i < n; i++)
      if (way == 0   ? kinds[i] == COLUMN_LATENCY
          : way == 1 ? kinds[i] != COLUMN_COUNT && !has (names[i], stamp_words) && unit_of (names[i]) > 0 &&
                           (found < 0 || !has (names[i], edge_words))
                     : kinds[i] == COLUMN_UNKNOWN && found < 0)
        {
          if (n > 1 && is_place (names[i], end_words))
            ends = TRUE;
          else
            found = found < 0 ? (int) i : (int) n;
        }
  return found < 0 || found == (int) n || (n > 1 && is_place (names[found], greatest_words)) ? -1 : found;
}

/* The columns with counts, each of a bin alone: those that say so, else those of CPUs. */
static gboolean
find_counts (char *const *names, const ColumnKind *kinds, guint n, Layout *layout)
{
  static const ColumnKind counts[] = { COLUMN_COUNT, COLUMN_NUMBER, COLUMN_CPU };

  for (guint way = 0; way < G_N_ELEMENTS (counts); way++)
    {
      guint found = 0;

      for (guint i = counts[way] == COLUMN_COUNT ? 0 : layout->latency; i < n; i++)
        {
          layout->is_count[i] = i != layout->latency && kinds[i] == counts[way] && unit_of (names[i]) == 0 &&
                                !has (names[i], cumulative_words);
          found += layout->is_count[i];
        }
      if (found > 0)
        return TRUE;
    }
  return n == 1;
}

static char *
say_columns (const Header *header, gint64 unit_ns)
{
  g_autofree char *unit = culprit_time_format (unit_ns);
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "\"%s\" as latency in %s", header->names[header->layout.latency], unit);
  for (guint i = 0; i < header->layout.columns; i++)
    if (header->layout.is_count[i])
      g_string_append_printf (text, ", \"%s\" as count", header->names[i]);
  return culprit_clean_line (text->str);
}

/* Sets what the names of @header mean, if a latency is called by nothing but known words, or has a unit. */
static void
lay_out (Header *header, guint n)
{
  Layout *layout = &header->layout;
  ColumnKind kinds[READ_MAX_COLUMNS];
  int latency;
  const char *name;

  for (guint i = 0; i < n; i++)
    kinds[i] = kind_of (header->names[i]);
  latency = find_latency (header->names, kinds, n);
  name = latency >= 0 ? header->names[latency] : "";
  layout->columns = n;
  layout->latency = MAX (latency, 0);
  header->unit_ns = unit_of (name);
  layout->is_named =
      (header->unit_ns > 0 || is_wholly (name, "^" LATENCY "[ :]*$")) && find_counts (header->names, kinds, n, layout);
  if (!layout->is_named)
    header->unit_ns = 0;
}

/* A comment names columns if it has a word for each, and two are known, not just "latency us", or the first is, and is
 * no latency or statistic, as in "time response", but not "response time", "max load" or "no load": above a list, if it
 * has a unit. It is a header if all are known. */
static LineKind
comment_kind (char **names)
{
  guint n = g_strv_length (names);
  guint known = 0;
  guint others = 0;
  guint units = 0;
  gboolean first = kind_of (*names) >= COLUMN_COUNT && kind_of (*names) <= COLUMN_ROW && !has (*names, "^no$");

  for (guint i = 0; i < n; i++)
    {
      ColumnKind kind = kind_of (names[i]);
      gboolean is_other = kind > COLUMN_LATENCY || has (names[i], edge_words) || is_place (names[i], end_words);
      gboolean has_unit = unit_of (names[i]) > 0;

      if ((i > 0 || *names[i]) && kind != COLUMN_CPU && !has (names[i], bare_name))
        return LINE_PROSE;
      known += is_other || has_unit || kind == COLUMN_LATENCY || has (names[i], bin_words);
      others += is_other;
      units += has_unit;
    }
  if (n == 1 ? units == 0 : !first && (known < 2 || (others == 0 && units < 2)))
    return LINE_PROSE;
  return known == n ? LINE_COMMENT : LINE_UNCLEAR;
}

/* Takes line @number, or a comment behind its numbers, with @names or NULL, for the @header of @n columns if it is one,
 * and what it gives as unit. If it gives none but mentions one, or what others give is different, that leaves doubt. */
static void
take_text (Told *told, Header *header, const char *line, char **names, guint n, guint number)
{
  gint64 said_ns = said_unit (line);
  gint64 unit_ns;
  g_auto (Header) found = { names, LINE_PROSE, number };

  if (n == 0)
    found.kind = has (line, FIGURE ".*" FIGURE) && !has (line, TRIPLE) ? LINE_UNCLEAR : LINE_PROSE;
  else if (said_ns == 0 || (n == 1 && names && kind_of (*names) == COLUMN_LATENCY))
    found.kind = *line != '#' ? LINE_HEADER : names ? comment_kind (names) : LINE_PROSE;
  if (found.kind > LINE_UNCLEAR && names)
    lay_out (&found, n);
  if (found.layout.is_named && found.kind == LINE_HEADER)
    told->row = 0;
  if (found.layout.is_named && header->kind == found.kind) /* They must not differ. */
    found.layout.is_named = header->layout.is_named =
        memcmp (&header->layout, &found.layout, sizeof found.layout) == 0 &&
        (said_ns != 0 || header->unit_ns == found.unit_ns);
  unit_ns = found.unit_ns > 0 ? found.unit_ns : said_ns;
  if (told->unit_ns == 0 && unit_ns > 0)
    told->unit_ns = unit_ns;
  else if (unit_ns != 0 ? unit_ns != told->unit_ns : mentions_unit (line))
    {
      told->unit = told->unit > 0 ? told->unit : number;
      told->unit_ns = unit_ns != 0 ? UNIT_STRANGE : told->unit_ns;
    }
  if (found.kind > LINE_PROSE && number >= told->first)
    told->second = number;
  else if (found.kind > LINE_PROSE && !found.layout.is_named)
    told->columns = number;
  else if (found.kind > header->kind)
    {
      header_clear (header);
      *header = found;
      found = (Header) { 0 };
    }
}

/* Takes all text of a file whose rows have @n numbers: what is above them, and comments. Two empty lines part results,
 * as for gnuplot. */
static Header
find_header (const Reader *reader, const char *text, guint n, Told *told)
{
  Header header = { 0 };
  guint empty = 0;

  for (guint number = 1; text && *text; text = next_line (reader, text), number++)
    {
      g_autofree char *line = g_strndup (text, MIN (strcspn (text, "\r\n"), READ_MAX_LINE));
      const char *begin = line + strspn (line, " \t");
      gboolean is_row = number >= told->first && !is_blank (begin);
      const char *said = is_row ? strchr (begin, '#') : begin;

      if (is_row && empty > 1)
        told->second = number;
      empty = is_row ? 0 : empty + (number > told->first && *begin == '\0');
      if (number < told->first && header.layout.is_named && told->row == 0 && may_be_row (begin))
        told->row = number;
      if (said && !read_is_rule (said))
        take_text (told, &header, said, is_row || n == 0 ? NULL : split_names (line, n), n, number);
    }
  return header;
}

/* The beginning of line @number, as to be told. The caller owns it. */
static char *
quote_line (const char *text, guint number)
{
  for (; number > 1; number--)
    text += strcspn (text, "\n") + 1;
  return g_strndup (text, MIN (strcspn (text, "\r\n"), 40));
}

/* Finds the header among the lines of @text before line @first, the first one of a table of @columns numbers, and sets
 * @layout from it, and the reader's unit, or else from what the text gives alone. 0 columns: there is none. An error if
 * there are lines that are not a header, or if any text leaves columns or unit in doubt. */
static gboolean
read_header (Reader *reader, const char *text, guint first, guint columns, Layout *layout, GError **error)
{
  Told told = { first };
  g_auto (Header) header = find_header (reader, text, columns, &told);
  g_autofree char *line = NULL;
  gboolean has_unit = header.unit_ns > 0 && header.unit_ns == told.unit_ns;

  if (has_unit || (!reader->unit_is_given && told.unit_ns > 0))
    reader->unit_ns = told.unit_ns;
  if (has_unit || reader->unit_is_given)
    told.unit = 0;
  if (header.layout.is_named && (header.kind == LINE_HEADER || header.unit_ns > 0))
    told.columns = 0;
  reader->line = told.second > 0 ? told.second : told.row > 0 ? told.row : told.columns > 0 ? told.columns : told.unit;
  line = quote_line (text, reader->line);
  if (told.second > 0)
    return refuse_second (reader, error);
  if (told.row > 0)
    return columns > 1 ? check_row (reader, line, -1, columns, error) : refuse_sample (reader, line, error);
  if (told.columns > 0)
    return reader_damaged (reader, error, "\"%s\" leaves the columns in doubt; %s", line,
                           columns > 0
                               ? "name them in a line without #, as in latency_us,count, where a bin begins and how "
                                 "many latencies it has, or save the latencies alone"
                               : "only mean, standard deviation and number are read");
  if (told.unit > 0)
    return reader_damaged (reader, error, "\"%s\" leaves the unit in doubt; give it with --unit%s", line,
                           columns > 0 ? ", or in a header without #, as in latency_us" : "");
  *layout = header.layout;
  if (layout->is_named)
    reader->columns = say_columns (&header, reader->unit_ns);
  else
    for (guint i = 1; i < READ_MAX_COLUMNS; i++)
      layout->is_count[i] = TRUE;
  return TRUE;
}

/* oslat's output: a row for each bin, with a column for each core. Its last row also counts anything longer. */

#define VERSION_TITLE "oslat V "
#define BIAS_TITLE "Global bias set to "
#define CLOCK "Counter Freq:" /* in what it prints first */
#define UNIT "(us):"
#define LAST_ROW "(including overflows)"

typedef struct
{
  Reader *reader;
  double n[READ_MAX_COLUMNS];       /* of each core, over all rows */
  double lowest[READ_MAX_COLUMNS];  /* its lowest row with latencies but the last one; NaN: it has none */
  double before_us;                 /* the last row, or the bias: there the next one's bin begins */
  gboolean omitted;                 /* unless there were others between */
  double last_us;                   /* the last row, which is not added until the maximum latencies are known */
  double last[READ_MAX_COLUMNS];    /* its counts */
  double minimum[READ_MAX_COLUMNS]; /* as printed, in us */
  double average[READ_MAX_COLUMNS];
  double maximum[READ_MAX_COLUMNS];
  guint cores;
  guint complete; /* cores whose maximum, the last of these, is known */
} Oslat;

/* Whether oslat printed @text. */
static gboolean
read_is_oslat (const char *text)
{
  return strstr (text, CLOCK) && strstr (text, UNIT);
}

/* The numbers of a line after its title, one for each core, followed by a unit or a remark. Returns how many there are,
 * at most one more than @cores has room for. */
static guint
read_cores (const char *numbers, double *cores)
{
  guint n = 0;
  char *end;

  for (; n <= READ_MAX_COLUMNS; n++, numbers = end)
    {
      double number = g_ascii_strtod (numbers, &end);

      if (end == numbers)
        break;
      if (n < READ_MAX_COLUMNS)
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
  char *end;
  double us = g_ascii_strtod (line, &end);
  guint n = read_cores (counts, numbers);
  OslatRows *rows = &oslat->reader->oslat;
  gint64 distance_ns;

  if (end == line || end + strspn (end, " \t") != unit)
    return reader_damaged (oslat->reader, error,
                           "expected a latency alone before \"" UNIT "\", found \"%.40s\"; save the lines as oslat "
                           "prints them, without a time or a name before each",
                           line);
  if (!check_width (oslat->reader, n, error))
    return FALSE;
  if (n == 0 || (oslat->cores > 0 && n != oslat->cores))
    return reader_damaged (oslat->reader, error, "expected a count for each core, found \"%.40s\"", line);
  oslat->cores = n;
  distance_ns = llround (fmin (fmax ((us - oslat->before_us) * NS_PER_US, -1), MAX_WIDTH_NS + 1.0));
  if (!oslat->omitted)
    rows->width_ns = rows->width_ns == 0 || rows->width_ns == distance_ns ? distance_ns : -1;
  oslat->before_us = us;
  oslat->omitted = FALSE;
  for (guint core = 0; core < n; core++)
    {
      oslat->n[core] += numbers[core];
      if (!last && isnan (oslat->lowest[core]) && numbers[core] > 0)
        oslat->lowest[core] = us;
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
  const char *start = line + strspn (line, " \t");
  const struct
  {
    const char *title;
    double *cores;
  } figures[] = { { "Minimum:", oslat->minimum }, { "Average:", oslat->average }, { "Maximum:", oslat->maximum } };

  if ((oslat->complete > 0 && unit) || (oslat->cores > 0 && strstr (line, CLOCK)))
    return refuse_second (oslat->reader, error);
  if (unit)
    return take_row (oslat, line, unit, error);
  if (g_str_has_prefix (start, VERSION_TITLE))
    oslat->reader->oslat.version = start + strlen (VERSION_TITLE);
  if (g_str_has_prefix (start, BIAS_TITLE))
    {
      oslat->reader->oslat.is_biased = TRUE;
      oslat->before_us = g_ascii_strtod (start + strlen (BIAS_TITLE), NULL);
    }
  oslat->omitted |= g_str_has_prefix (start, "...");
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    if (strstr (line, figures[i].title))
      {
        guint cores = read_cores (strstr (line, figures[i].title) + strlen (figures[i].title), figures[i].cores);

        oslat->complete = figures[i].cores == oslat->maximum ? cores : 0;
      }
  return TRUE;
}

/* The rows are there by their names: moves them to where their bins begin. */
static gboolean
move_rows (Oslat *oslat, GError **error)
{
  Reader *reader = oslat->reader;
  CulpritProfile *profile = reader->threads->profile;
  double begin_us;

  for (guint core = 0; core < oslat->cores; core++)
    {
      /* In the last row a minimum may be longer than its name: it tells nothing then. */
      if (isnan (oslat->lowest[core]) && oslat->last[core] > 0 && oslat->minimum[core] < oslat->last_us)
        oslat->lowest[core] = oslat->last_us;
      if (!isnan (oslat->lowest[core]) &&
          !reader_take_oslat_core (reader, oslat->lowest[core], oslat->minimum[core], error))
        return FALSE;
    }
  profile->width_ns = reader_oslat_width (reader);
  if (reader->oslat.names != OSLAT_ENDS)
    return TRUE;
  for (guint i = 0; i < profile->bins->len; i++)
    {
      CulpritBin *bin = &g_array_index (profile->bins, CulpritBin, i);

      if (!reader_begin_oslat_bin (reader, (double) bin->latency_ns / NS_PER_US, &begin_us, error))
        return FALSE;
      bin->latency_ns -= profile->width_ns;
    }
  if (profile->end_ns > G_MININT64)
    profile->end_ns -= profile->width_ns;
  return reader_begin_oslat_bin (reader, oslat->last_us, &oslat->last_us, error);
}

/* Adds the last row if no core had anything longer; else it is only known that its latencies are no shorter. */
static gboolean
finish (Oslat *oslat, GError **error)
{
  gboolean longer = FALSE;
  double end_us;

  if (oslat->complete < oslat->cores || oslat->cores == 0)
    return reader_damaged (oslat->reader, error,
                           "it ends before the maximum of each core, which tells what the last row counts");
  oslat->reader->line = 0;
  if (!move_rows (oslat, error))
    return FALSE;
  end_us = oslat->last_us + (double) oslat->reader->threads->profile->width_ns / NS_PER_US;
  for (guint core = 0; core < oslat->cores; core++)
    longer |= oslat->maximum[core] >= end_us;
  for (guint core = 0; core < oslat->cores; core++)
    {
      const ThreadFigures figures = { .n = oslat->n[core],
                                      .min = oslat->minimum[core],
                                      .mean = reader_oslat_mean (oslat->reader, oslat->average[core]),
                                      .max = oslat->maximum[core],
                                      .above = longer ? oslat->last[core] : 0 };

      if (!longer && !reader_add (oslat->reader, oslat->reader->threads, oslat->last_us, oslat->last[core], error))
        return FALSE;
      reader_add_figures (oslat->reader, oslat->reader->threads, &figures);
    }
  oslat->reader->unit_ns = reader_oslat_unit (oslat->reader);
  return TRUE;
}

/* Reads that output; modifies @text. */
static gboolean
read_oslat (Reader *reader, char *text, GError **error)
{
  g_autofree Oslat *oslat = g_new0 (Oslat, 1);

  oslat->reader = reader;
  for (guint core = 0; core < READ_MAX_COLUMNS; core++)
    oslat->lowest[core] = oslat->minimum[core] = oslat->average[core] = oslat->maximum[core] = NAN;
  leave_out_cut_line (reader, text);
  reader->file->format = "oslat histogram";
  reader->unit_ns = reader->threads->profile->width_ns = NS_PER_US;
  for (char *line = text; line;)
    {
      char *next = part_line (reader, line);

      reader->line++;
      if (!take_line (oslat, line, error))
        return FALSE;
      line = next;
    }
  return finish (oslat, error);
}

/* The output of rtla timerlat hist and rtla osnoise hist: a row for each bin with latencies, with columns for each CPU.
 * The width of the bins (-b) is not printed. */

#define CHANCE 1e-4 /* that the latencies of all rows share a divisor although bins are one unit wide */

typedef struct
{
  Reader *reader;
  CulpritNamedProfile *profiles[READ_MAX_COLUMNS]; /* NULL: not a column of counts */
  ThreadFigures figures[READ_MAX_COLUMNS];
  double counted[READ_MAX_COLUMNS]; /* in the rows */
  guint columns;                    /* that have names */
  gboolean of_all;                  /* The following figures are for all CPUs together. */
  guint rows;
  double last; /* of which the last begins here */
  double step; /* divides the beginnings of all rows */
} Rtla;

static const ToldTitles titles = { "count:", "min:", "avg:", "max:", "over:" };

/* Whether rtla timerlat hist or rtla osnoise hist printed @text. */
static gboolean
read_is_rtla (const char *text)
{
  return strstr (text, "timerlat histogram") || strstr (text, "osnoise histogram");
}

/* The table's heading: in timerlat a CPU has a column for the interrupt, one for the thread and perhaps one for the
 * return to user mode, in osnoise a single one. */
static gboolean
read_heading (Rtla *rtla, const char *line, GError **error)
{
  static const struct
  {
    const char *heading;
    const char *name;
  } kinds[] = { { "Thr-", NULL }, { "CPU-", NULL }, { "IRQ-", "irq" }, { "Usr-", "user" } };
  g_auto (GStrv) words = g_strsplit_set (line, " \t\r", -1);
  guint column = 0;

  for (char **word = words; *word; word++)
    {
      if (!**word)
        continue;
      for (guint i = 0; i < G_N_ELEMENTS (kinds) && column < READ_MAX_COLUMNS; i++)
        if (g_str_has_prefix (*word, kinds[i].heading))
          rtla->profiles[column] = reader_profile (rtla->reader, kinds[i].name);
      column++;
    }
  rtla->columns = column;
  return check_width (rtla->reader, column, error);
}

static double
greatest_divisor (double a, double b)
{
  return b > 0 ? greatest_divisor (b, fmod (a, b)) : a;
}

static gboolean
take_rtla_line (Rtla *rtla, const char *line, GError **error)
{
  double numbers[READ_MAX_COLUMNS];
  int n = read_numbers (line, numbers, READ_MAX_COLUMNS);

  if (strstr (line, "events missed")) /* "12 (0.05%) events missed", or an unknown number of them. */
    return rtla->reader->missed = TRUE;
  if (g_str_has_prefix (line, "Index") &&
      !(rtla->columns > 0 ? refuse_second (rtla->reader, error) : read_heading (rtla, line, error)))
    return FALSE;
  if (rtla->columns > 0 && g_ascii_isdigit (*line) && !check_row (rtla->reader, line, n, rtla->columns, error))
    return FALSE;
  rtla->of_all |= g_str_has_prefix (line, "ALL");
  if (!rtla->of_all)
    read_figures_line (line, &titles, rtla->figures);
  if (n > 1 && numbers[0] >= 0 && numbers[0] <= G_MAXINT32)
    {
      if (rtla->columns > 0 && numbers[0] < rtla->last)
        return refuse_second (rtla->reader, error);
      rtla->last = numbers[0];
      rtla->step = greatest_divisor (numbers[0], rtla->step);
      rtla->rows++;
    }
  for (int i = 1; i < n; i++)
    {
      if (rtla->profiles[i] && !reader_add (rtla->reader, rtla->profiles[i], numbers[0], numbers[i], error))
        return FALSE;
      rtla->counted[i] += numbers[i];
    }
  return TRUE;
}

/* What is told of the columns with counts. */
static gboolean
check_told (const Rtla *rtla, GError **error)
{
  for (guint column = 1; column < READ_MAX_COLUMNS; column++)
    {
      const ThreadFigures *figures = &rtla->figures[column];

      if (rtla->profiles[column] &&
          !(check_end (rtla->reader, figures, titles.above, error) &&
            check_count (rtla->reader, column, rtla->counted[column], figures->n - figures->above, error)))
        return FALSE;
    }
  return TRUE;
}

/* Whether a minimum or maximum that it printed lies between the rows. */
static gboolean
is_between_rows (const Rtla *rtla)
{
  for (guint column = 1; column < READ_MAX_COLUMNS; column++)
    {
      const ThreadFigures *figures = &rtla->figures[column];

      if (rtla->profiles[column] && figures->n > fmax (figures->above, 0) &&
          (fmod (figures->min, rtla->step) > 0 || (figures->above == 0 && fmod (figures->max, rtla->step) > 0)))
        return TRUE;
    }
  return FALSE;
}

/* If only the first bin has latencies, it is at least as wide as these are long. */
static void
take_first_bin (Rtla *rtla)
{
  double longest = 0;

  for (guint column = 1; column < READ_MAX_COLUMNS; column++)
    if (rtla->profiles[column] && rtla->figures[column].above == 0 && rtla->figures[column].n > 0)
      longest = fmax (longest, rtla->figures[column].max);
  if (rtla->rows > 0 && rtla->step == 0 && longest > 0 && longest < G_MAXINT32)
    rtla->step = longest + 1;
}

static void
take_width (const Rtla *rtla)
{
  const GPtrArray *profiles = rtla->reader->file->profiles;
  gboolean coarse = rtla->step > 1 && rtla->step * rtla->reader->unit_ns <= MAX_WIDTH_NS &&
                    (pow (rtla->step, -(double) rtla->rows) < CHANCE || is_between_rows (rtla));

  for (guint i = 0; i < profiles->len; i++)
    ((CulpritNamedProfile *) g_ptr_array_index (profiles, i))->profile->width_ns =
        rtla->reader->unit_ns * (coarse ? rtla->step : 1);
}

/* Reads that output; modifies @text. */
static gboolean
read_rtla (Reader *reader, char *text, GError **error)
{
  g_autofree Rtla *rtla = g_new0 (Rtla, 1);

  rtla->reader = reader;
  begin_figures (rtla->figures);
  leave_out_cut_line (reader, text);
  reader->file->format = strstr (text, "timerlat histogram") ? "rtla timerlat histogram" : "rtla osnoise histogram";
  reader->unit_ns = strstr (text, "Time unit is nanoseconds") ? 1 : NS_PER_US;
  for (char *line = text; line;)
    {
      char *next = part_line (reader, line);

      reader->line++;
      if (!take_rtla_line (rtla, line, error))
        return FALSE;
      line = next;
    }
  if (rtla->columns == 0)
    return reader_without_histogram (
        reader, "the columns have no names; run rtla hist without --no-header and --no-index", error);
  reader->line = 0;
  if (!check_told (rtla, error))
    return FALSE;
  take_first_bin (rtla);
  take_width (rtla);
  for (guint column = 1; column < READ_MAX_COLUMNS; column++)
    if (rtla->profiles[column])
      reader_add_figures (reader, rtla->profiles[column], &rtla->figures[column]);
  return TRUE;
}

/* Results with only mean, standard deviation and number: triples, one per line, optionally preceded by a name, and the
 * output of stress-ng --cyclic without --cyclic-dist. Other summaries contain too little. */

/* "vanilla 43.483 0.178 10" or "43.483, 0.178, 10". FALSE if @line is something else. */
static gboolean
split_triple (const char *line, char **name, CulpritSummary *summary)
{
  g_autofree char *spaced = g_strdelimit (g_strndup (line, strcspn (line, "#\r\n")), ",;\t", ' ');
  g_auto (GStrv) words = g_strsplit (g_strstrip (spaced), " ", -1);
  double *const numbers[] = { &summary->mean_ns, &summary->sd_ns, &summary->n };
  guint kept = 0;
  char *end;

  for (guint i = 0; words[i]; i++)
    if (*words[i])
      words[kept++] = words[i];
    else
      g_free (words[i]);
  words[kept] = NULL;
  if (kept != 3 && kept != 4)
    return FALSE;
  for (guint i = 0; i < 3; i++)
    {
      *numbers[i] = g_ascii_strtod (words[kept - 3 + i], &end);
      if (*end)
        return FALSE;
    }
  g_ascii_strtod (words[0], &end);
  if (kept == 4 && !*end)
    return FALSE;
  *name = g_strdup (kept == 4 ? words[0] : "");
  return TRUE;
}

/* The first of these lines; 0: @text has none. A table of a latency and two counts has three numbers per line as well,
 * but all of them are whole. */
static guint
find_triple (const Reader *reader, const char *text)
{
  for (guint number = 1; text && *text; text = next_line (reader, text), number++)
    {
      g_autofree char *line = g_strndup (text, MIN (strcspn (text, "\n"), READ_MAX_LINE));
      g_autofree char *name = NULL;
      CulpritSummary summary;

      if (!is_blank (line))
        return split_triple (line, &name, &summary) && (*name || summary.sd_ns != floor (summary.sd_ns)) ? number : 0;
    }
  return 0;
}

/* Reads one such line; a blank one is ignored. */
static gboolean
read_triple (const Reader *reader, const char *line, GError **error)
{
  g_autofree char *name = NULL;
  CulpritSummary summary;

  if (is_blank (line))
    return TRUE;
  return split_triple (line, &name, &summary)
             ? reader_add_summary (reader, name, &summary, error)
             : reader_damaged (reader, error, "expected mean, standard deviation and number, found \"%.40s\"", line);
}

/* The number after @title in @text. */
static gboolean
read_number_after (const char *text, const char *title, double *number)
{
  const char *at = strstr (text, title);
  char *end;

  if (!at)
    return FALSE;
  *number = g_ascii_strtod (at + strlen (title), &end);
  return end != at + strlen (title);
}

#define SAMPLES " ns delay,"

/* Reads the output of stress-ng --cyclic without the distribution. */
static gboolean
read_stress_ng_summary (const Reader *reader, const char *text, GError **error)
{
  const char *samples = strstr (text, SAMPLES);
  CulpritSummary summary;

  if (samples && strstr (samples + 1, SAMPLES))
    return refuse_second (reader, error);
  if (read_number_after (text, SAMPLES, &summary.n) && read_number_after (text, "cyclic:   mean:", &summary.mean_ns) &&
      read_number_after (text, "std.dev.", &summary.sd_ns))
    return reader_add_summary (reader, "", &summary, error);
  return reader_damaged (reader, error, "stress-ng printed no mean, standard deviation and number of samples");
}

/* Whether stress-ng says that it measured nothing, on a line "... cyclic: ... no latency information available". Not as
 * an expression: from each "cyclic:" of a long line that would look at all of it. */
static gboolean
read_is_unmeasured (const char *text)
{
  const char *end;

  for (const char *line = text; *line; line = end + (*end != '\0'))
    {
      const char *cyclic;

      end = line + strcspn (line, "\n");
      cyclic = g_strstr_len (line, end - line, "cyclic:");

      if (cyclic && g_strstr_len (cyclic, end - cyclic, "no latency information available"))
        return TRUE;
    }
  return FALSE;
}

/* What to save instead of @text, which a known tool printed without saying how often each latency occurred. NULL: no
 * such tool. */
static const char *
read_advice (const char *text)
{
  static const struct
  {
    const char *pattern;
    const char *advice;
  } kinds[] = {
    { "^ *Timer Latency *$", "rtla timerlat top prints no histogram; save the output of rtla timerlat hist" },
    { "^ *Operating System Noise *$", "rtla osnoise top prints no histogram; save the output of rtla osnoise hist" },
    { "^over: .*\ncount: ", "the columns have no names; run rtla hist without --no-header" },
    { "^(T: *[0-9]+ |#[0-9]+ -> ).*Min:? *-?[0-9]", READ_ADVICE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_regex_match_simple (kinds[i].pattern, text, G_REGEX_MULTILINE | G_REGEX_RAW, 0))
      return kinds[i].advice;
  return read_is_unmeasured (text) ? "stress-ng measured no latencies; its output says why" : NULL;
}

#define CYCLICTEST_DIGITS 6
#define LEAST_ODD_NS 1000 /* Latencies at smaller distances may be a clock's, read at any phase of it. */
#define EVEN_ROWS 8       /* of a table */
#define STRESS_NG_DISTRIBUTION "cyclic: latency distribution"

/* The lines of a file, one after another. */
typedef struct
{
  Reader *reader;
  Layout layout;
  guint rows;    /* of a table, without those between two that came before */
  double last;   /* the latency of its last row */
  double low_ns; /* the least and the greatest latency of its rows */
  double high_ns;
  double step_ns; /* divides all distances between its rows */
  gint64 fine_ns; /* the reader's unit, or the decimal part of it that divides all latencies */
  double samples; /* from stress-ng, which may show its first bins only */
  guint first;    /* the first line of numbers of a table or list; anything above it is the header */
  ThreadFigures figures[READ_MAX_COLUMNS]; /* by cyclictest's columns */
  double counted[READ_MAX_COLUMNS];        /* likewise, in the rows */
  guint threads;                           /* in cyclictest's columns */
} Lines;

typedef gboolean (*TakeLine) (Lines *lines, const char *line, GError **error);

static const ToldTitles cyclictest_titles = { "# Total:", "# Min Latencies:", "# Avg Latencies:", "# Max Latencies:",
                                              "# Histogram Overflows:" };

/* cyclictest's total excludes latencies above the end. */
static gboolean
take_printed (Lines *lines, GError **error)
{
  for (guint column = 1; column <= lines->threads; column++)
    {
      ThreadFigures *figures = &lines->figures[column];

      if (!check_end (lines->reader, figures, cyclictest_titles.above, error) ||
          !check_count (lines->reader, column, lines->counted[column], figures->n, error))
        return FALSE;
      figures->n += figures->above;
      reader_add_figures (lines->reader, lines->reader->threads, figures);
    }
  return TRUE;
}

/* A latency and, for each thread, how often it occurred. What does not begin with a digit is skipped, as cyclictest and
 * the shell tell much else among it: the total below shows whether any latency was lost. */
static gboolean
take_cyclictest (Lines *lines, const char *line, GError **error)
{
  double numbers[READ_MAX_COLUMNS];
  int n = read_numbers (line, numbers, READ_MAX_COLUMNS);

  line += strspn (line, " \t");
  read_figures_line (line, &cyclictest_titles, lines->figures);
  if (!g_ascii_isdigit (*line))
    return TRUE;
  if (!check_row (lines->reader, line, n, lines->layout.columns, error))
    return FALSE;
  if (numbers[0] < lines->last)
    return refuse_second (lines->reader, error);
  lines->last = numbers[0];
  for (guint i = 1; i <= lines->threads; i++)
    {
      if (!reader_add (lines->reader, lines->reader->threads, numbers[0], numbers[i], error))
        return FALSE;
      lines->counted[i] += numbers[i];
    }
  return TRUE;
}

/* The distances between the latencies of a table determine the width of its bins. */
static void
take_step (Lines *lines, double latency)
{
  double ns = round (latency * lines->reader->unit_ns);

  lines->last = latency;
  if (lines->rows == 0)
    {
      lines->low_ns = lines->high_ns = ns;
      lines->fine_ns = lines->reader->unit_ns;
    }
  while (lines->fine_ns > 1 && fmod (ns, lines->fine_ns) != 0)
    lines->fine_ns = MAX (lines->fine_ns / 10, 1);
  lines->step_ns = greatest_divisor (fabs (ns - lines->low_ns), lines->step_ns);
  lines->rows += lines->rows == 0 || ns < lines->low_ns || ns > lines->high_ns;
  lines->low_ns = fmin (lines->low_ns, ns);
  lines->high_ns = fmax (lines->high_ns, ns);
}

/* Single latencies may have a common distance by chance; of many rows, it is the width of bins. */
static gboolean
take_known_width (const Lines *lines, GError **error)
{
  gint64 *width_ns = &lines->reader->threads->profile->width_ns;
  guint distances = lines->rows - 1;
  gboolean unlikely = pow (lines->step_ns / lines->fine_ns, -(double) distances) < CHANCE;
  gboolean even = lines->high_ns - lines->low_ns == distances * lines->step_ns;
  gboolean from_0 = fmod (lines->low_ns, lines->step_ns) == 0;

  *width_ns = lines->fine_ns;
  if (lines->rows < EVEN_ROWS || lines->step_ns <= lines->fine_ns || lines->step_ns > MAX_WIDTH_NS ||
      !(unlikely || even))
    return TRUE;
  if (from_0)
    *width_ns = lines->step_ns;
  else if (unlikely && lines->step_ns >= LEAST_ODD_NS)
    {
      g_autofree char *step = culprit_time_format (lines->step_ns);

      return reader_damaged (lines->reader, error,
                             "its latencies are %s apart, but not multiples of that: bins that begin elsewhere are not "
                             "read; if these are the middles of bins, write where each begins",
                             step);
    }
  return TRUE;
}

/* Whether commas stand between digits although something else parts the numbers: "0,5\t12" or "1,000;4". */
static gboolean
has_commas_within (const char *line)
{
  gboolean comma = FALSE;
  gboolean parted = FALSE;

  for (const char *at = line; *at && *at != '#'; at++)
    {
      gsize gap = g_ascii_isdigit (*at) ? strspn (at + 1, " \t;|\"") : 0;

      comma |= g_ascii_isdigit (*at) && at[1] == ',' && g_ascii_isdigit (at[2]);
      parted |= gap > 0 && (g_ascii_isdigit (at[1 + gap]) || at[1 + gap] == '-');
    }
  return comma && parted;
}

static gboolean
take_table (Lines *lines, const char *line, GError **error)
{
  const Layout *layout = &lines->layout;
  double numbers[READ_MAX_COLUMNS];
  int n = read_numbers (line, numbers, READ_MAX_COLUMNS);

  if (n == 0 || lines->reader->line < lines->first || read_is_rule (line))
    return TRUE;
  if (layout->columns > 0 && !check_row (lines->reader, line, n, layout->columns, error))
    return FALSE;
  if (n < 2)
    return reader_damaged (lines->reader, error, "expected a latency and its count, found \"%.40s\"", line);
  if (!layout->is_named && has_commas_within (line))
    return reader_damaged (lines->reader, error, "\"%.40s\" may have commas within numbers; write points, or none",
                           line);
  if (!layout->is_named && lines->rows > 0 && numbers[0] <= lines->last)
    return reader_damaged (lines->reader, error,
                           "its first column does not ascend, as the latencies of a histogram do; name its columns "
                           "in a first line, such as latency_us,count");
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
                : refuse_sample (lines->reader, line, error);
}

/* cyclictest -v: "thread: cycle: latency". The latency's place; NULL: it is no such line, or cut short before. Stays
 * within the line: it may be followed by a million others. */
static const char *
find_cycle (const char *line)
{
  for (guint i = 0; i < 2; i++)
    {
      gsize digits;

      line += strspn (line, " \t");
      digits = strspn (line, "0123456789");
      if (digits == 0 || line[digits] != ':')
        return NULL;
      line += digits + 1;
    }
  line += strspn (line, " \t");
  return strchr ("\r\n", *line) ? NULL : line;
}

static gboolean
read_cycle (const char *place, double *latency)
{
  char *end;

  *latency = g_ascii_strtod (place, &end);
  return end != place && strchr ("\r\n", *end);
}

/* Other lines describe the threads. */
static gboolean
take_verbose (Lines *lines, const char *line, GError **error)
{
  const char *place = find_cycle (line);
  double latency;

  if (place && !read_cycle (place, &latency))
    return refuse_sample (lines->reader, place, error);
  return !place || reader_add (lines->reader, lines->reader->threads, latency, 1, error);
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

  if (!profile->printed)
    profile->printed = culprit_printed_new ();
  read_number_after (line, "cyclic:   mean:", &profile->printed->mean_ns);
  read_number_after (line, "mode:", &profile->printed->mode_ns);
  read_number_after (line, "cyclic:   min:", &profile->printed->min_ns);
  read_number_after (line, "max:", &profile->printed->max_ns);
  read_number_after (line, "std.dev.", &profile->printed->sd_ns);
  read_number_after (line, SAMPLES, &lines->samples);
  if (per_cent && cyclic && read_number_after (cyclic, "cyclic:", &p) && read_number_after (per_cent, "%:", &ns) &&
      p > 0 && p < 100)
    culprit_printed_add_quantile (profile->printed, lround (p * 1e4), ns);
}

static gboolean
take_stress_ng (Lines *lines, const char *line, GError **error)
{
  static const char title[] = STRESS_NG_DISTRIBUTION " (";
  const char *heading = strstr (line, title);
  const char *cyclic = strstr (line, "cyclic:");
  const char *row = cyclic ? cyclic + strlen ("cyclic:") : "";
  gint64 width_ns = heading ? g_ascii_strtoll (heading + strlen (title), NULL, 10) : 0;
  double numbers[2];

  if (lines->samples > 0 && strstr (line, SAMPLES))
    return refuse_second (lines->reader, error);
  if (heading && (width_ns < 1 || width_ns > MAX_WIDTH_NS))
    return reader_damaged (lines->reader, error, "its intervals are not a number of ns up to one second");
  if (heading)
    lines->reader->threads->profile->width_ns = width_ns;
  take_stress_ng_told (lines, line);
  row += strspn (row, " \t");
  if (!*row || !strchr ("-0123456789", *row) || row[strspn (row, "0123456789.")] == '%')
    return TRUE;
  return check_row (lines->reader, row, read_numbers (row, numbers, 2), 2, error) &&
         reader_add (lines->reader, lines->reader->threads, numbers[0], numbers[1], error);
}

/* Whether @ns, which may be unknown, is not outside of what @printed says of all latencies. */
static gboolean
is_among (double ns, const CulpritPrinted *printed)
{
  return !(ns < printed->min_ns || ns > printed->max_ns || isinf (ns));
}

/* Figures that no latencies can have, or not those of the rows, which may be fewer than the samples. */
static gboolean
check_stress_ng_printed (const Lines *lines, GError **error)
{
  const Reader *reader = lines->reader;
  const CulpritProfile *profile = reader->threads->profile;
  const CulpritPrinted *printed = profile->printed;
  GHashTableIter iter;
  gpointer ns;
  gboolean good = !printed || !(printed->min_ns > printed->max_ns || printed->sd_ns < 0);

  if (printed)
    g_hash_table_iter_init (&iter, printed->quantiles);
  while (printed && g_hash_table_iter_next (&iter, NULL, &ns))
    good = good && !isnan (*(const double *) ns) && is_among (*(const double *) ns, printed);
  good = good && (!printed || (is_among (printed->mean_ns, printed) && is_among (printed->mode_ns, printed)));
  for (guint i = 0; printed && i < profile->bins->len; i++)
    {
      gint64 from_ns = culprit_profile_bin (profile, i)->latency_ns;

      good = good && !(from_ns + profile->width_ns <= printed->min_ns || from_ns > printed->max_ns);
    }
  if (lines->samples > 0 && profile->n > lines->samples)
    return check_count (reader, 2, profile->n, lines->samples, error);
  return good || reader_damaged (reader, error,
                                 "the mean, mode, minimum, maximum, deviation and percentiles that it tells "
                                 "cannot be those of its rows, or of any latencies");
}

/* Whether cyclictest's histogram begins with the row @line of @text: its latencies have leading zeros. Without these,
 * six digits may be a table's, in ns. */
static gboolean
is_cyclictest_row (const char *line, const char *text)
{
  line += strspn (line, " \t");
  return strspn (line, "0123456789") == CYCLICTEST_DIGITS && (*line == '0' || strstr (text, cyclictest_titles.above));
}

/* The number of numbers in the first line that contains nothing else, which line that is, and whether it is from
 * cyclictest; 0: there is no such line. */
static int
count_columns (const Reader *reader, const char *text, guint *first, gboolean *cyclictest)
{
  double numbers[READ_MAX_COLUMNS];

  *first = 0;
  for (; text && *text; text = next_line (reader, text))
    {
      g_autofree char *line = g_strndup (text, MIN (strcspn (text, "\n"), READ_MAX_LINE));
      int n = read_numbers (line, numbers, READ_MAX_COLUMNS);

      ++*first;
      *cyclictest = n > 0 && is_cyclictest_row (line, text);
      if (n > 0)
        return n;
    }
  return 0;
}

/* Whether the last column of cyclictest's histogram is the sum of the others in each row, as with --histofall. */
static gboolean
has_sums (const Reader *reader, const char *text)
{
  double numbers[READ_MAX_COLUMNS];
  double all = 0;

  for (; text && *text; text = next_line (reader, text))
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
is_verbose (const Reader *reader, const char *text)
{
  double latency;

  for (; text && *text; text = next_line (reader, text))
    if (find_cycle (text) && read_cycle (find_cycle (text), &latency))
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

/* Takes the unit that a comment in what cyclictest printed gives alone, as nothing else there tells of -N. */
static gboolean
take_commented_unit (Reader *reader, const char *text, GError **error)
{
  gint64 unit_ns = 0;

  for (guint number = 1; text && *text && !reader->unit_is_given; text = next_line (reader, text), number++)
    {
      g_autofree char *line = g_strndup (text, MIN (strcspn (text, "\n"), READ_MAX_LINE));
      gint64 said_ns = *line == '#' ? said_unit (line) : 0;

      reader->line = number;
      if (said_ns == UNIT_STRANGE || (said_ns > 0 && unit_ns > 0 && said_ns != unit_ns))
        return reader_damaged (reader, error, "\"%.40s\" leaves the unit in doubt; give it with --unit", line);
      unit_ns = said_ns > 0 ? said_ns : unit_ns;
    }
  reader->line = 0;
  reader->unit_ns = unit_ns > 0 ? unit_ns : reader->unit_ns;
  return TRUE;
}

/* A table or list, with or without a header. NULL without an error if @text has no line of numbers. */
static TakeLine
recognise_table (Lines *lines, const char *text, GError **error)
{
  Reader *reader = lines->reader;
  gboolean cyclictest;
  int columns = count_columns (reader, text, &lines->first, &cyclictest);
  const char *advice;

  if (columns > 1 && cyclictest)
    {
      lines->layout.columns = columns;
      lines->threads = has_sums (reader, text) ? columns - 2 : columns - 1;
      if (!take_commented_unit (reader, text, error))
        return NULL;
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
  lines->first = find_triple (reader, text);
  if (lines->first > 0)
    return read_header (reader, text, lines->first, 0, &lines->layout, error)
               ? set_kind (reader, "mean, standard deviation and number", reader->unit_ns, 1, take_triple)
               : NULL;
  if (is_verbose (reader, text))
    return take_commented_unit (reader, text, error)
               ? set_kind (reader, "cyclictest stream", reader->unit_ns, reader->unit_ns, take_verbose)
               : NULL;
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
  begin_figures (lines->figures);
  if (strstr (text, "cyclic: latency percentiles") && !strstr (text, STRESS_NG_DISTRIBUTION))
    {
      set_kind (reader, "stress-ng cyclic summary", 1, 1, NULL);
      return read_stress_ng_summary (reader, text, error);
    }
  take = recognise (lines, text, error);
  if (take == take_cyclictest || take == take_verbose || take == take_stress_ng)
    leave_out_cut_line (reader, text);
  for (char *line = text; take && line;)
    {
      char *next = part_line (reader, line);

      reader->line++;
      if (!take (lines, line, error))
        return FALSE;
      line = next;
    }
  reader->line = 0;
  if (take == take_stress_ng && !check_stress_ng_printed (lines, error))
    return FALSE;
  if (take == take_cyclictest && !take_printed (lines, error))
    return FALSE;
  if (take == take_table && lines->rows > 0 && !take_known_width (lines, error))
    return FALSE;
  reader_leave_out (reader->threads, lines->samples - reader->threads->profile->n);
  return take != NULL;
}
