/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recognises latency results and adds them up. Every number is checked: NaN, overflow and text are rejected. */
#include "read-private.h"

#include "budgets.h"
#include "clean.h"
#include "files.h"
#include "units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

G_DEFINE_QUARK (culprit - latency - error, culprit_latency_error)

static void
clear_summary (gpointer data)
{
  g_free (((CulpritNamedSummary *) data)->name);
}

static void
free_profile (gpointer data)
{
  CulpritNamedProfile *profile = data;

  culprit_profile_free (profile->profile);
  g_free (profile);
}

void
culprit_latency_file_free (CulpritLatencyFile *file)
{
  g_ptr_array_unref (file->profiles);
  g_ptr_array_unref (file->beyond);
  g_array_unref (file->summaries);
  g_free (file->read_as);
  g_free (file);
}

CulpritNamedProfile *
reader_profile (const Reader *reader, const char *name)
{
  GPtrArray *profiles = reader->file->profiles;
  CulpritNamedProfile *profile;

  for (guint i = 0; i < profiles->len; i++)
    {
      profile = g_ptr_array_index (profiles, i);
      if (g_strcmp0 (profile->name, name) == 0)
        return profile;
    }
  profile = g_new0 (CulpritNamedProfile, 1);
  profile->name = name;
  profile->profile = culprit_profile_new (1);
  g_ptr_array_add (profiles, profile);
  return profile;
}

gboolean
reader_damaged (const Reader *reader, GError **error, const char *text, ...)
{
  va_list arguments;
  g_autofree char *message = NULL;
  g_autofree char *clean = NULL;

  va_start (arguments, text);
  message = g_strdup_vprintf (text, arguments);
  va_end (arguments);
  clean = culprit_clean_line (message); /* Names in JSON may contain line breaks. */
  if (reader->line > 0)
    g_set_error (error, CULPRIT_LATENCY_ERROR, CULPRIT_LATENCY_ERROR_DAMAGED, "%s: line %u: %s", reader->path,
                 reader->line, clean);
  else
    g_set_error (error, CULPRIT_LATENCY_ERROR, CULPRIT_LATENCY_ERROR_DAMAGED, "%s: %s", reader->path, clean);
  return FALSE;
}

gboolean
reader_add_summary (const Reader *reader, const char *name, const CulpritSummary *summary, GError **error)
{
  CulpritNamedSummary named = { NULL,
                                { summary->mean_ns * reader->unit_ns, summary->sd_ns * reader->unit_ns, summary->n } };

  if (!isfinite (summary->mean_ns) || !isfinite (summary->sd_ns) || summary->sd_ns < 0 || !(summary->n >= 2) ||
      summary->n != floor (summary->n) || summary->n > MAX_SUM)
    return reader_damaged (reader, error, "%g, %g, %g are not a valid mean, standard deviation and number of latencies",
                           summary->mean_ns, summary->sd_ns, summary->n);
  if (reader->file->summaries->len == MAX_SUMMARIES)
    return reader_damaged (reader, error, "more than %d results; import them from several files", MAX_SUMMARIES);
  named.name = *name ? g_strdup (name) : NULL;
  g_array_append_val (reader->file->summaries, named);
  return TRUE;
}

gboolean
reader_add (const Reader *reader, CulpritNamedProfile *profile, double latency, double count, GError **error)
{
  double latency_ns = latency * reader->unit_ns;

  if (!isfinite (latency_ns) || fabs (latency_ns) > MAX_LATENCY_NS)
    return reader_damaged (reader, error, "%g is not a valid latency", latency);
  if (!isfinite (count) || count < 0 || count != floor (count) || count > (double) G_MAXINT64)
    return reader_damaged (reader, error, "%g is not a valid count", count);
  /* The largest sum itself may be a larger number, rounded. */
  return (count < MAX_SUM && culprit_profile_add (profile->profile, llround (latency_ns), count) &&
          profile->profile->n <= MAX_SUM) ||
         reader_damaged (reader, error, "more samples than can be counted");
}

/* Up to rt-tests 2.4, oslat calls the row of a latency after that latency, in whole us, as its minimum and maximum are:
 * rounded up. Since 2.5, which can choose the width (-W), it calls a row after the end of its bin: the row has what is
 * below that by one width at most, and by one unit at least, in latencies rounded as the minimum and maximum are: up or
 * down, depending on the version. Its average is that of the ends. So the minimum is the name of the lowest row, or
 * less; but with --bias it can be less in all versions: then only the version tells. 2.10 is also what 2.1 says. */
static OslatNames
names_of_version (const char *version)
{
  double number = version ? g_ascii_strtod (version, NULL) : 0;
  long hundredths = number > 0 && number < 100 ? lround (number * 100) : 0;

  if (hundredths == 0 || hundredths == 210)
    return OSLAT_UNKNOWN;
  return hundredths <= 240 && hundredths % 10 == 0 ? OSLAT_LATENCIES : OSLAT_ENDS;
}

gint64
reader_oslat_width (const Reader *reader)
{
  return reader->oslat.names == OSLAT_ENDS ? reader->oslat.width_ns : NS_PER_US;
}

gint64
reader_oslat_unit (const Reader *reader)
{
  return reader_oslat_width (reader) % NS_PER_US == 0 ? NS_PER_US : 1;
}

double
reader_oslat_mean (const Reader *reader, double average)
{
  return reader->oslat.names == OSLAT_ENDS ? NAN : average;
}

gboolean
reader_begin_oslat_bin (const Reader *reader, double name_us, double *begin_us, GError **error)
{
  gint64 width_ns = reader_oslat_width (reader);

  *begin_us = name_us;
  if (reader->oslat.names != OSLAT_ENDS)
    return TRUE;
  if (fmod (round (name_us * NS_PER_US), width_ns) != 0 || round (name_us * NS_PER_US) < width_ns)
    return reader_damaged (reader, error,
                           "its row of %g us is not at a positive multiple of the %g us that its bins are wide: bins "
                           "that begin elsewhere are not read; measure without --bias",
                           name_us, (double) width_ns / NS_PER_US);
  *begin_us = (round (name_us * NS_PER_US) - width_ns) / NS_PER_US;
  return TRUE;
}

gboolean
reader_take_oslat_core (Reader *reader, double lowest_us, double min_us, GError **error)
{
  OslatRows *oslat = &reader->oslat;
  gboolean tells = !isnan (min_us) && !oslat->is_biased;
  OslatNames names = names_of_version (oslat->version);
  double lowest_ns = round (lowest_us * NS_PER_US);
  double min_ns = round (min_us * NS_PER_US);

  if (tells)
    names = min_ns < lowest_ns ? OSLAT_ENDS : OSLAT_LATENCIES;
  if (names == OSLAT_UNKNOWN)
    return reader_damaged (reader, error,
                           "neither its minimum nor its version tells whether its rows are latencies or ends of bins; "
                           "save the whole output");
  if (names == OSLAT_ENDS && (oslat->width_ns < 1 || oslat->width_ns > MAX_WIDTH_NS))
    return reader_damaged (reader, error,
                           "it does not tell how wide its bins are, up to one second; save the whole output, without "
                           "--zero-omit");
  if ((oslat->names != OSLAT_UNKNOWN && oslat->names != names) ||
      (tells && names == OSLAT_ENDS && min_ns < lowest_ns - oslat->width_ns) ||
      (tells && names == OSLAT_LATENCIES && min_ns > lowest_ns))
    return reader_damaged (reader, error,
                           "its minimum of %g us is not among the latencies of its lowest row, %g us; save the whole "
                           "output of one run",
                           min_us, lowest_us);
  oslat->names = names;
  return TRUE;
}

gboolean
reader_without_histogram (const Reader *reader, const char *advice, GError **error)
{
  g_set_error (error, CULPRIT_LATENCY_ERROR, CULPRIT_LATENCY_ERROR_DAMAGED, "%s: %s", reader->path, advice);
  return FALSE;
}

static gboolean
unknown (const Reader *reader, GError **error)
{
  g_set_error (error, CULPRIT_LATENCY_ERROR, CULPRIT_LATENCY_ERROR_UNKNOWN,
               "%s: neither a capture nor a latency result; expected the output of " CULPRIT_LATENCY_TOOLS
               ", a table of latency and count, a latency on each line, or mean, standard deviation and number",
               reader->path);
  return FALSE;
}

/* stress-ng --yaml has the number of wake-ups, but nothing about their latencies. */
static gboolean
is_stress_ng_yaml (const char *text)
{
  return g_str_has_prefix (text, "---") && strstr (text, "stress-ng-version:");
}

/* Whether all lines end as one expects: one inside of another would be a column of it. */
static gboolean
check_line_ends (Reader *reader, const char *text, GError **error)
{
  guint line = 1;

  for (const char *at = strpbrk (text, "\r\n"); at; at = strpbrk (at + 1, "\r\n"))
    if (*at == '\n')
      line++;
    else if (at[1] != '\n' && at[1] != '\0')
      {
        reader->line = line;
        return reader_damaged (reader, error, "a carriage return inside the line; end each line with a line feed");
      }
  return TRUE;
}

static gboolean
read_text (Reader *reader, char *text, gsize length, GError **error)
{
  GError *problem = NULL;
  gboolean good;

  if (g_str_has_prefix (text, "\xff\xfe") || g_str_has_prefix (text, "\xfe\xff"))
    return reader_damaged (reader, error, "its text is in UTF-16; convert it with iconv -f UTF-16 -t UTF-8");
  if (strlen (text) != length)
    return unknown (reader, error);
  if (is_stress_ng_yaml (text))
    return reader_damaged (reader, error,
                           "stress-ng's YAML contains no latencies; save its printed output, with --cyclic-dist 1000");
  if (text[strspn (text, " \t\r\n")] == '{')
    good = read_json (reader, text, length, &problem);
  else
    good = check_line_ends (reader, text, &problem) && read_lines (reader, text, &problem);
  if (g_cancellable_set_error_if_cancelled (reader->cancellable, error))
    {
      g_clear_error (&problem);
      return FALSE;
    }
  if (good)
    return TRUE;
  if (!problem)
    return unknown (reader, error);
  g_propagate_error (error, problem);
  return FALSE;
}

/* The end of the terminal sequence that begins at @text with ESC: colours and the like, a title, or two characters. */
static const char *
skip_sequence (const char *text, const char *end)
{
  const char *at = text + 1;

  if (at < end && *at == '[')
    {
      for (at++; at < end && *at >= 0x20 && *at < 0x40; at++)
        ;
      return MIN (at + 1, end);
    }
  if (at < end && *at == ']')
    {
      for (at++; at < end && *at != '\a' && *at != '\033' && *at != '\n'; at++)
        ;
      return at < end && *at == '\a' ? at + 1 : at;
    }
  for (; at < end && *at >= 0x20 && *at < 0x30; at++)
    ;
  return at < end && *at >= 0x30 ? at + 1 : at;
}

/* Removes terminal sequences from @text, and a byte order mark. */
static gsize
strip (char *text, gsize length)
{
  const char *end = text + length;
  char *to = text;

  for (const char *from = g_str_has_prefix (text, "\xef\xbb\xbf") ? text + 3 : text; from < end;)
    if (*from == '\033')
      from = skip_sequence (from, end);
    else
      *to++ = *from++;
  *to = '\0';
  return to - text;
}

/* Whether @profile has every latency exactly: none is above its end, or somewhere between its bins. */
static gboolean
is_whole (const CulpritNamedProfile *profile, gint64 unit_ns)
{
  const CulpritPrinted *printed = profile->profile->printed;

  return profile->profile->beyond == 0 && profile->profile->n > 0 && profile->profile->width_ns <= unit_ns &&
         printed->min_ns == culprit_profile_bin (profile->profile, 0)->latency_ns &&
         printed->max_ns == culprit_profile_rank (profile->profile, G_MAXUINT64);
}

/* Whether the figures printed for its threads cannot be those of the latencies in the histogram. */
static gboolean
is_contradicted (const CulpritNamedProfile *profile, gint64 unit_ns)
{
  const CulpritPrinted *printed = profile->profile->printed;

  return profile->profile->n > 0 &&
         (printed->min_ns > culprit_profile_bin (profile->profile, 0)->latency_ns + profile->profile->width_ns ||
          printed->max_ns < culprit_profile_rank (profile->profile, G_MAXUINT64) ||
          printed->mean_ns < printed->min_ns - unit_ns || printed->mean_ns > printed->max_ns + unit_ns);
}

/* A mean that is cut off may lie further away than what is above the histogram's end could move it: with the rows, and
 * the maximum for those, it is told closer. */
static void
refine_mean (const CulpritNamedProfile *named, gint64 unit_ns)
{
  const CulpritProfile *profile = named->profile;
  CulpritPrinted *printed = profile->printed;
  double n = (double) profile->n + profile->beyond;
  double sum_ns = 0;
  double low_ns;
  double high_ns;

  if (!printed || !named->cut_mean || profile->beyond == 0 || profile->width_ns > unit_ns)
    return;
  for (guint i = 0; i < profile->bins->len; i++)
    sum_ns += (double) culprit_profile_bin (profile, i)->latency_ns * culprit_profile_bin (profile, i)->count;
  low_ns = fmax (printed->mean_ns, (sum_ns + (double) profile->beyond * profile->end_ns) / n);
  high_ns = fmin (printed->mean_ns + unit_ns, (sum_ns + profile->beyond * printed->max_ns) / n);
  if (low_ns <= high_ns)
    printed->mean_ns = (low_ns + high_ns) / 2;
}

/* Removes empty profiles, and sets those apart of which latencies are only known to be beyond. If a histogram has every
 * latency, the figures printed for its threads are rounded versions of the same, and dropped, as they are if they
 * contradict it. */
static gboolean
drop_empty (CulpritLatencyFile *file, gint64 unit_ns)
{
  for (guint i = file->profiles->len; i-- > 0;)
    {
      CulpritNamedProfile *profile = g_ptr_array_index (file->profiles, i);

      culprit_profile_finish (profile->profile);
      if (profile->figures_n != 0 && (is_whole (profile, unit_ns) || is_contradicted (profile, unit_ns)))
        g_clear_pointer (&profile->profile->printed, culprit_printed_free);
      refine_mean (profile, unit_ns);
      if (profile->profile->n > 0)
        continue;
      profile = g_ptr_array_steal_index (file->profiles, i);
      if (profile->profile->beyond > 0)
        g_ptr_array_insert (file->beyond, 0, profile);
      else
        free_profile (profile);
    }
  return file->profiles->len > 0;
}

static char *
say_read_as (const Reader *reader)
{
  g_autofree char *unit = culprit_time_format (reader->unit_ns);
  const char *times = reader->file->summaries->len > 0 ? "times" : "latencies";

  if (reader->columns)
    return g_strdup_printf ("%s; %s", reader->file->format, reader->columns);
  return g_strdup_printf ("%s; %s in %s%s%s", reader->file->format, times, unit,
                          reader->missed ? "; the tool missed events, so that latencies may be wrong or missing" : "",
                          reader->is_cut ? "; its last line may be cut off, as no line feed ends it, and is left out"
                                         : "");
}

CulpritLatencyFile *
culprit_latency_parse (
    const char *path, char *text, gsize length, gint64 unit_ns, GCancellable *cancellable, GError **error)
{
  g_autoptr (CulpritLatencyFile) file = g_new0 (CulpritLatencyFile, 1);
  Reader reader = { .path = path,
                    .cancellable = cancellable,
                    .unit_ns = unit_ns > 0 ? unit_ns : NS_PER_US,
                    .unit_is_given = unit_ns > 0,
                    .file = file };
  g_autofree char *columns = NULL;
  gboolean good;

  file->profiles = g_ptr_array_new_with_free_func (free_profile);
  file->beyond = g_ptr_array_new_with_free_func (free_profile);
  file->summaries = g_array_new (FALSE, FALSE, sizeof (CulpritNamedSummary));
  g_array_set_clear_func (file->summaries, clear_summary);
  reader.threads = reader_profile (&reader, NULL);
  good = read_text (&reader, text, strip (text, length), error);
  columns = reader.columns;
  if (!good)
    return NULL;
  file->read_as = say_read_as (&reader);
  if (drop_empty (file, reader.unit_ns) || file->summaries->len > 0)
    return g_steal_pointer (&file);
  g_set_error (error, CULPRIT_LATENCY_ERROR, CULPRIT_LATENCY_ERROR_DAMAGED, "%s: contains no latencies%s", path,
               file->beyond->len > 0 ? " but those above the histogram's end; measure with a longer histogram" : "");
  return NULL;
}

/* Devices have no end, and no latency result is as long as a capture. */
CulpritLatencyFile *
culprit_latency_read (const char *path, gint64 unit_ns, GCancellable *cancellable, GError **error)
{
  GError *problem = NULL;
  gsize length;
  g_autofree char *text = culprit_load (path, MAX_LATENCY_FILE, &length, &problem);

  if (text)
    return culprit_latency_parse (path, text, length, unit_ns, cancellable, error);
  if (g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE) ||
      g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_MESSAGE_TOO_LARGE))
    g_set_error (error, CULPRIT_LATENCY_ERROR, CULPRIT_LATENCY_ERROR_UNKNOWN,
                 "%s: neither a capture nor a latency result of up to 1 GB in a regular file", path);
  else
    g_set_error (error, CULPRIT_LATENCY_ERROR, CULPRIT_LATENCY_ERROR_OPEN, "%s: cannot be read: %s", path,
                 problem->message);
  g_error_free (problem);
  return NULL;
}
