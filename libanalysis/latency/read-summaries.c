/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of which only mean, standard deviation and number are told: triples, one on each line with a name before it
 * if there is one, and what stress-ng --cyclic prints without --cyclic-dist. Others tell too little. */
#include "read-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "vanilla 43.483 0.178 10" or "43.483, 0.178, 10". FALSE if @line is none. */
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

static gboolean
is_blank (const char *line)
{
  return strchr ("#\r\n", line[strspn (line, " \t")]) != NULL;
}

/* A table of a latency and two counts has three numbers in a line as well, but all of them are whole. */
gboolean
read_knows_triples (const char *text)
{
  for (; text && *text; text = strchr (text, '\n') ? strchr (text, '\n') + 1 : NULL)
    {
      g_autofree char *line = g_strndup (text, MIN (strcspn (text, "\n"), READ_MAX_LINE));
      g_autofree char *name = NULL;
      CulpritSummary summary;

      if (!is_blank (line))
        return split_triple (line, &name, &summary) && (*name || summary.sd_ns != floor (summary.sd_ns));
    }
  return FALSE;
}

gboolean
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

gboolean
read_number_after (const char *text, const char *title, double *number)
{
  const char *at = strstr (text, title);
  char *end;

  if (!at)
    return FALSE;
  *number = g_ascii_strtod (at + strlen (title), &end);
  return end != at + strlen (title);
}

gboolean
read_stress_ng_summary (const Reader *reader, const char *text, GError **error)
{
  CulpritSummary summary;

  if (read_number_after (text, " ns delay,", &summary.n) &&
      read_number_after (text, "cyclic:   mean:", &summary.mean_ns) &&
      read_number_after (text, "std.dev.", &summary.sd_ns))
    return reader_add_summary (reader, "", &summary, error);
  return reader_damaged (reader, error, "stress-ng printed no mean, standard deviation and number of samples");
}

const char *
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
    { "cyclic:.*no latency information available", "stress-ng measured no latencies; its output says why" },
    { "^(T: *[0-9]+ |#[0-9]+ -> ).*Min:? *-?[0-9]", READ_ADVICE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_regex_match_simple (kinds[i].pattern, text, G_REGEX_MULTILINE | G_REGEX_RAW, 0))
      return kinds[i].advice;
  return NULL;
}
