/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Peaks come from the untraced latencies, captures from what was recorded for them, and the answers from a verdict
 * each. */
#include "explanation.h"

#include "latency/comparison/path-proof.h"
#include "latency/description.h"
#include "study/profiles.h"
#include "study/statement-private.h"
#include "units.h"

#include <math.h>

static void
peak_free (gpointer data)
{
  CulpritExplainedPeak *peak = data;

  g_array_unref (peak->captures);
  g_clear_pointer (&peak->cards, g_ptr_array_unref);
  g_clear_pointer (&peak->verdict, culprit_verdict_free);
  g_free (peak->recording);
  g_free (peak->label);
  g_free (peak->words);
  g_free (peak);
}

void
culprit_explanation_free (CulpritExplanation *explanation)
{
  g_ptr_array_unref (explanation->peaks);
  g_free (explanation->run);
  g_free (explanation->series);
  g_free (explanation->target);
  g_free (explanation->configuration);
  g_free (explanation);
}

const char *
culprit_peak_answer_name (CulpritPeakAnswer answer)
{
  static const char *const names[] = { "lowest", "hidden", "open", "nothing-in-common", "explained" };

  return names[answer];
}

/* The latencies. */

static char *
text_or_null (Statement *row, int column)
{
  return sqlite3_column_type (row, column) == SQLITE_TEXT ? g_utf8_make_valid (statement_text (row, column), -1) : NULL;
}

static gboolean
find_run (CulpritStudy *study, const char *run, CulpritExplanation *explanation, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "explained-run", error);
  gboolean row;

  if (!statement)
    return FALSE;
  statement_bind_named (statement, "t:run", run);
  if (!statement_step (study, statement, &row, error))
    return FALSE;
  if (!row)
    {
      g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND,
                   run ? "%s: no run \"%s\" with latencies without tracing; see culprit runs"
                       : "%s: no run without tracing was recorded yet",
                   culprit_study_path (study), run);
      return FALSE;
    }
  explanation->run = text_or_null (statement, 0);
  explanation->series = text_or_null (statement, 1);
  explanation->period_ns = MAX (sqlite3_column_int64 (statement, 2), 0);
  explanation->target = text_or_null (statement, 3);
  explanation->configuration = text_or_null (statement, 4);
  return TRUE;
}

/* All latencies of @series with @tracing, "on" or "off". NULL with an error; it may be empty. */
static CulpritProfile *
read_arm (CulpritStudy *study, const char *series, const char *tracing, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "explained-arm", error);
  g_autoptr (GPtrArray) profiles = g_ptr_array_new_with_free_func ((GDestroyNotify) culprit_profile_free);
  gboolean row = statement != NULL;

  if (!statement)
    return NULL;
  statement_bind_named (statement, "t:series t:tracing", series, tracing);
  while (row)
    {
      CulpritProfile *profile;

      if (!statement_step (study, statement, &row, error))
        return NULL;
      profile = row ? culprit_study_profile (study, statement_text (statement, 0), CULPRIT_ALL_CPUS, error) : NULL;
      if (row && !profile)
        return NULL;
      if (profile)
        g_ptr_array_add (profiles, profile);
    }
  return profiles->len > 0 ? culprit_profile_sum (profiles) : culprit_profile_new (1);
}

static int
compare_prominences (gconstpointer a, gconstpointer b)
{
  double left = *(const double *) a;
  double right = *(const double *) b;

  return (left < right) - (left > right);
}

/* The peaks of @profile that are not weak, or of too many the most prominent ones: an array of CulpritPeak, by latency,
 * that the caller owns. */
static GArray *
find_strong (const CulpritProfile *profile)
{
  g_autoptr (CulpritDescription) description = culprit_describe_values (profile, culprit_quantiles_usual);
  g_autoptr (GArray) prominences = g_array_new (FALSE, FALSE, sizeof (double));
  GArray *strong = g_array_new (FALSE, FALSE, sizeof (CulpritPeak));
  double least = 0;

  for (guint i = 0; i < description->peaks->len; i++)
    g_array_append_val (prominences, g_array_index (description->peaks, CulpritPeak, i).prominence);
  g_array_sort (prominences, compare_prominences);
  if (prominences->len > CULPRIT_EXPLAIN_MOST)
    least = g_array_index (prominences, double, CULPRIT_EXPLAIN_MOST - 1);
  for (guint i = 0; i < description->peaks->len; i++)
    {
      const CulpritPeak *peak = &g_array_index (description->peaks, CulpritPeak, i);

      if (!peak->weak && peak->prominence >= least && strong->len < CULPRIT_EXPLAIN_MOST)
        g_array_append_val (strong, *peak);
    }
  return strong;
}

static void
add_peak (CulpritExplanation *explanation, const CulpritProfile *off, gint64 at_ns, CulpritBand band)
{
  CulpritExplainedPeak *peak = g_new0 (CulpritExplainedPeak, 1);
  CulpritBandCount count = culprit_band_count (off, band.low_ns, band.high_ns);

  peak->number = explanation->peaks->len + 1;
  peak->at_ns = at_ns;
  peak->band = band;
  peak->share = (double) count.inside / count.n;
  peak->captures = g_array_new (FALSE, FALSE, sizeof (gint64));
  peak->answer = explanation->peaks->len > 0 ? CULPRIT_PEAK_OPEN : CULPRIT_PEAK_LOWEST;
  g_ptr_array_add (explanation->peaks, peak);
}

/* The last one of several, though, ends at the first gap above it: what is beyond is no part of it. */
static void
add_peaks (CulpritExplanation *explanation, const CulpritProfile *off)
{
  g_autoptr (GArray) strong = find_strong (off);

  if (strong->len > 1)
    culprit_late_find_above (off, g_array_index (strong, CulpritPeak, strong->len - 1).at_ns, &explanation->apart);
  for (guint i = 0; i < strong->len; i++)
    {
      const CulpritPeak *peak = &g_array_index (strong, CulpritPeak, i);
      const gint64 from_ns = i > 0 ? peak->from_ns : G_MININT64;
      const gint64 to_ns =
          i + 1 < strong->len ? peak[1].from_ns - 1 : culprit_profile_rank (off, off->n - explanation->apart.count - 1);

      add_peak (explanation, off, peak->at_ns, (CulpritBand) { MAX (from_ns, culprit_profile_rank (off, 0)), to_ns });
    }
}

/* And what is below the first one. */
static gboolean
add_bands (CulpritStudy *study,
           CulpritExplanation *explanation,
           const CulpritProfile *off,
           const GArray *bands,
           GError **error)
{
  const gint64 first_ns = g_array_index (bands, CulpritBand, 0).low_ns;
  const guint64 lowest = culprit_profile_count_to (off, first_ns - 1);

  if (lowest > 0)
    add_peak (explanation, off, culprit_profile_rank (off, (lowest - 1) / 2),
              (CulpritBand) { culprit_profile_rank (off, 0), first_ns - 1 });
  for (guint i = 0; i < bands->len; i++)
    {
      const CulpritBand *band = &g_array_index (bands, CulpritBand, i);
      CulpritBandCount count = culprit_band_count (off, band->low_ns, band->high_ns);
      guint64 below = culprit_profile_count_to (off, band->low_ns - 1);

      if (count.inside == 0 || below == 0)
        {
          g_autofree char *range = culprit_time_format_range (band->low_ns, band->high_ns);

          g_set_error (
              error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
              count.inside == 0
                  ? "no latency of \"%s\" is known to be in the band from %s; culprit latency shows where they are"
                  : "no latency of \"%s\" is below the band from %s, to be compared with it; begin the band higher",
              explanation->run, range);
          return FALSE;
        }
      add_peak (explanation, off, culprit_profile_rank (off, below + (count.inside - 1) / 2), *band);
    }
  return TRUE;
}

/* A latency that its wake-ups have with tracing, where something separates them from those below among the latencies of
 * which @strong are the peaks: a gap, or a peak of its own, with no more below it than without tracing. That begins at
 * its valley, whatever the ranks, as tracing may make it rarer; a band that was given begins where it was. 0: nothing
 * does. */
static gint64
tell_apart (CulpritExplainedPeak *peak, const GArray *strong, gboolean given)
{
  CulpritMappedTrigger *traced = &peak->traced;

  for (guint i = 1; i < MIN (strong->len, peak->number) && !traced->separate && !given; i++)
    {
      const CulpritPeak *own = &g_array_index (strong, CulpritPeak, i);

      if (own->at_ns <= traced->low_ns || (!traced->open && own->at_ns > traced->high_ns))
        continue;
      traced->low_ns = MAX (traced->low_ns, own->from_ns);
      return own->at_ns;
    }
  return traced->separate ? traced->late_ns : 0;
}

/* The end of the last bin of @profile in @band. */
static gint64
end_of (const CulpritProfile *profile, const CulpritBand *band)
{
  const guint64 up_to = culprit_profile_count_to (profile, band->high_ns);

  return MAX (band->high_ns, culprit_profile_last (profile, culprit_profile_rank (profile, up_to - 1)));
}

static void
end_traced (CulpritExplainedPeak *peak, gint64 high_ns)
{
  peak->traced.open = FALSE;
  peak->traced.high_ns = MAX (high_ns, peak->traced.low_ns);
}

/* A threshold would let in what is above the band up to @high_ns: with tracing, that ends where such wake-ups begin. */
static void
close_band (CulpritExplainedPeak *peak, gint64 high_ns, const CulpritProfile *off, const CulpritProfile *on)
{
  CulpritMappedTrigger above;

  if (peak->traced.open && high_ns < G_MAXINT64 && culprit_map_trigger (off, on, high_ns + 1, G_MAXINT64, &above))
    end_traced (peak, above.low_ns - 1);
}

/* Whether a gap divides its wake-ups without tracing. */
static gboolean
is_divided (const CulpritExplainedPeak *peak, const CulpritProfile *off)
{
  const guint64 below = culprit_profile_count_to (off, peak->band.low_ns - 1);
  CulpritLate late;

  return culprit_late_find_above (off, culprit_profile_rank (off, below), &late) && late.from_ns <= peak->band.high_ns;
}

/* What no gap divides has none with tracing either: there it ends at the first one above @at_ns, however few are above
 * it without. Returns what is beyond that. */
static CulpritLate
end_at_gap (CulpritExplainedPeak *peak, gint64 at_ns, const CulpritProfile *on)
{
  CulpritLate apart;

  if (culprit_late_find_above (on, MAX (at_ns, peak->traced.low_ns), &apart) &&
      (peak->traced.open || peak->traced.high_ns >= apart.from_ns))
    end_traced (peak, apart.from_ns - 1);
  return apart;
}

static void
map_peaks (CulpritExplanation *explanation, const CulpritProfile *off, const CulpritProfile *on, gboolean given)
{
  g_autoptr (GArray) strong = find_strong (on);

  for (guint i = 0; i < explanation->peaks->len; i++)
    {
      CulpritExplainedPeak *peak = culprit_explanation_peak (explanation, i);
      const gint64 high_ns = end_of (off, &peak->band);
      gint64 at_ns;

      peak->mapped = culprit_map_trigger (off, on, peak->band.low_ns, high_ns, &peak->traced);
      if (!peak->mapped)
        continue;
      close_band (peak, high_ns, off, on);
      if (peak->answer == CULPRIT_PEAK_LOWEST)
        continue;
      at_ns = tell_apart (peak, strong, given);
      if (given && !is_divided (peak, off))
        end_at_gap (peak, at_ns, on);
      else if (!given && at_ns > 0)
        explanation->traced_apart = end_at_gap (peak, at_ns, on);
      else if (!given)
        peak->answer = CULPRIT_PEAK_HIDDEN;
    }
}

/* A peak, but not a band that was given, reaches up to the next one that is not hidden, and is hidden if it would begin
 * where that does; the lowest has all below it. */
static void
join_bands (CulpritExplanation *explanation, const CulpritProfile *on, gboolean given)
{
  gint64 next_ns = G_MAXINT64;

  for (guint i = explanation->peaks->len; i > 0; i--)
    {
      CulpritExplainedPeak *peak = culprit_explanation_peak (explanation, i - 1);
      gboolean lowest = peak->answer == CULPRIT_PEAK_LOWEST;
      CulpritBandCount count;

      if (!lowest && !given && peak->mapped && peak->traced.low_ns >= next_ns)
        peak->answer = CULPRIT_PEAK_HIDDEN;
      if (!peak->mapped || peak->answer == CULPRIT_PEAK_HIDDEN)
        continue;
      if (lowest)
        peak->traced = (CulpritMappedTrigger) { .low_ns = 1, .high_ns = 1, .open = TRUE };
      if ((lowest || !given) && next_ns < G_MAXINT64)
        {
          peak->traced.open = FALSE;
          peak->traced.high_ns = MAX (next_ns - 1, peak->traced.low_ns);
        }
      next_ns = peak->traced.low_ns;
      count = culprit_band_count (on, next_ns, peak->traced.open ? G_MAXINT64 : peak->traced.high_ns);
      peak->traced_share = (double) count.inside / count.n;
    }
}

static gboolean
find_peaks (CulpritStudy *study, CulpritExplanation *explanation, const GArray *bands, GError **error)
{
  g_autoptr (CulpritProfile) off = read_arm (study, explanation->series, "off", error);
  g_autoptr (CulpritProfile) on = off ? read_arm (study, explanation->series, "on", error) : NULL;

  if (!on)
    return FALSE;
  if (off->n == 0)
    {
      g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND,
                   "%s: run \"%s\" is of a machine that is not known, unlike others of its series; record it again",
                   culprit_study_path (study), explanation->run);
      return FALSE;
    }
  explanation->n = off->n + off->beyond;
  explanation->beyond = off->beyond;
  explanation->traced_n = on->n + on->beyond;
  explanation->traced_beyond = on->beyond;
  if (!bands)
    add_peaks (explanation, off);
  else if (!add_bands (study, explanation, off, bands, error))
    return FALSE;
  if (on->n > 0)
    {
      map_peaks (explanation, off, on, bands != NULL);
      join_bands (explanation, on, bands != NULL);
    }
  return TRUE;
}

/* The captures. */

/* Whether it has no wake-up with such a latency with tracing, though one may have been recorded for it. */
static gboolean
is_above (const CulpritExplainedPeak *peak, gint64 latency_ns)
{
  return peak->mapped && !peak->traced.open && latency_ns > peak->traced.high_ns;
}

/* The peak of the untraced latency @at_ns; NULL: there is none. */
static CulpritExplainedPeak *
peak_at (const CulpritExplanation *explanation, gint64 at_ns)
{
  for (guint i = 0; i < explanation->peaks->len; i++)
    {
      CulpritExplainedPeak *peak = culprit_explanation_peak (explanation, i);

      if (at_ns >= peak->band.low_ns && at_ns <= peak->band.high_ns)
        return peak;
    }
  return NULL;
}

/* And of a latency with tracing. */
static CulpritExplainedPeak *
peak_at_traced (const CulpritExplanation *explanation, gint64 latency_ns)
{
  for (guint i = explanation->peaks->len; i > 0; i--)
    {
      CulpritExplainedPeak *peak = culprit_explanation_peak (explanation, i - 1);

      if (peak->mapped && peak->answer == CULPRIT_PEAK_OPEN && latency_ns >= peak->traced.low_ns &&
          !is_above (peak, latency_ns))
        return peak;
    }
  return NULL;
}

static gboolean
read_recordings (CulpritStudy *study, CulpritExplanation *explanation, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "explained-recordings", error);
  gboolean row = statement != NULL;

  if (!statement)
    return FALSE;
  statement_bind_named (statement, "t:series", explanation->series);
  while (row)
    {
      CulpritExplainedPeak *peak;

      if (!statement_step (study, statement, &row, error))
        return FALSE;
      peak = row ? peak_at (explanation, sqlite3_column_int64 (statement, 1)) : NULL;
      if (!peak)
        continue;
      g_free (peak->recording);
      peak->recording = g_strdup (statement_text (statement, 0));
      peak->recorded = CLAMP (sqlite3_column_int64 (statement, 2), 0, G_MAXINT);
    }
  return TRUE;
}

static gboolean
read_captures (CulpritStudy *study, CulpritExplanation *explanation, GArray *ordinary, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "explained-captures", error);
  gboolean row = statement != NULL;

  if (!statement)
    return FALSE;
  statement_bind_named (statement, "t:series", explanation->series);
  while (row)
    {
      CulpritExplainedPeak *peak;
      gint64 capture;
      gint64 latency_ns;

      if (!statement_step (study, statement, &row, error))
        return FALSE;
      if (!row)
        break;
      capture = sqlite3_column_int64 (statement, 0);
      latency_ns = sqlite3_column_int64 (statement, 1);
      peak = sqlite3_column_type (statement, 2) != SQLITE_NULL
                 ? peak_at (explanation, sqlite3_column_int64 (statement, 2))
                 : peak_at_traced (explanation, latency_ns);
      if (!peak || peak->answer == CULPRIT_PEAK_HIDDEN || is_above (peak, latency_ns))
        continue;
      g_array_append_val (peak->captures, capture);
      g_array_index (ordinary, guint64, peak->number - 1) += MAX (sqlite3_column_int64 (statement, 3), 0);
    }
  return TRUE;
}

/* Tells each peak what it is compared with; @ordinary: the ordinary wake-ups in its captures. */
static void
order_peaks (CulpritExplanation *explanation, const GArray *ordinary)
{
  const CulpritExplainedPeak *below = NULL;

  for (guint i = 0; i < explanation->peaks->len; i++)
    {
      CulpritExplainedPeak *peak = culprit_explanation_peak (explanation, i);

      if (peak->answer == CULPRIT_PEAK_HIDDEN)
        continue;
      peak->wanted = below != NULL;
      peak->lower = below ? below->number : 0;
      if (below && below->answer == CULPRIT_PEAK_LOWEST)
        {
          if (peak->captures->len == 0 || g_array_index (ordinary, guint64, i) >= CULPRIT_LEAST_OWN_BASE)
            peak->lower = 0;
          culprit_explanation_peak (explanation, 0)->wanted = peak->lower > 0;
        }
      below = peak;
    }
}

/* The answers. */

/* "qh_completions × 500", "scan_periodic × 40, 20.0 us each", "flush_endpoints, 2.511 ms". The caller owns it. */
static char *
say_label (const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  gboolean several = culprit->calls >= 1.5 && culprit->kind != CULPRIT_CAUSE_TASK;
  g_autofree char *calls =
      culprit->calls >= 10 ? g_strdup_printf ("%.0f", culprit->calls) : culprit_calls_format (culprit->calls);
  g_autofree char *each = several ? culprit_time_format (llround (culprit->per_call_ns)) : NULL;
  g_autofree char *excess = culprit_time_format (llround (culprit->excess_ns));
  g_autofree char *part = 2 * culprit->captures < verdict->stands_out
                              ? g_strdup_printf (" (%u of %u)", culprit->captures, verdict->stands_out)
                              : g_strdup ("");

  if (culprit->kind == CULPRIT_CAUSE_TIMER)
    return g_strdup_printf ("late timer, %s%s", excess, part);
  if (!several)
    return g_strdup_printf ("%s, %s%s", culprit->name, excess, part);
  if (culprit->class == CULPRIT_CLASS_TOO_OFTEN)
    return g_strdup_printf ("%s × %s%s", culprit->name, calls, part);
  return g_strdup_printf ("%s × %s, %s each%s", culprit->name, calls, each, part);
}

/* What its wake-ups are compared with. */
static char *
say_lower (const CulpritExplainedPeak *peak)
{
  return peak->lower > 0 ? g_strdup_printf ("those of peak %u", peak->lower) : g_strdup ("ordinary ones");
}

static char *
say_answer (const CulpritExplainedPeak *peak)
{
  const guint captures = peak->captures->len;
  const CulpritCard *suspect = peak->cards && peak->cards->len > 0 ? g_ptr_array_index (peak->cards, 0) : NULL;
  g_autofree char *lower = say_lower (peak);

  switch (peak->answer)
    {
    case CULPRIT_PEAK_LOWEST:
      return g_strdup ("What is lowest: the others are compared with it.");
    case CULPRIT_PEAK_HIDDEN:
      return g_strdup ("With tracing, it cannot be told from what is next to it.");
    case CULPRIT_PEAK_OPEN:
      return captures == 0    ? g_strdup ("It has no captures yet.")
             : !peak->verdict ? g_strdup_printf ("It has captures, but peak %u, which it is to be compared with, has "
                                                 "less than %u.",
                                                 peak->lower, CULPRIT_EXPLAIN_LEAST)
                              : g_strdup_printf ("It has only %u capture%s, which do%s not tell enough.", captures,
                                                 culprit_plural (captures), captures == 1 ? "es" : "");
    case CULPRIT_PEAK_NOTHING:
      if (suspect)
        return g_strdup_printf ("Its captures have nothing in common that %s have not; %s%s is in %s, which may be "
                                "coincidence.",
                                lower, suspect->culprit->name, suspect->aside, suspect->captures);
      return g_strdup_printf ("Its captures have nothing in common that %s have not.", lower);
    case CULPRIT_PEAK_EXPLAINED:
    default:
      return g_strdup_printf ("%s%s, in %s that stand%s out from %s. %s", peak->card->culprit->name, peak->card->aside,
                              peak->card->captures, peak->verdict->stands_out == 1 ? "s" : "", lower,
                              peak->card->finding);
    }
}

/* Compares the captures of @peak with those of @lower, or with their own ordinary wake-ups if it is NULL. */
static gboolean
judge (CulpritStudy *study, CulpritExplainedPeak *peak, const CulpritExplainedPeak *lower, GError **error)
{
  const CulpritFilter late = { .captures = (const gint64 *) (gpointer) peak->captures->data,
                               .n_captures = peak->captures->len };
  const CulpritFilter below = { .captures = lower ? (const gint64 *) (gpointer) lower->captures->data : NULL,
                                .n_captures = lower ? lower->captures->len : 0 };
  const CulpritEvidenceOptions options = { .filter = &late, .lower = lower ? &below : NULL, .apart = TRUE };

  if (late.n_captures == 0 || (lower && below.n_captures < CULPRIT_EXPLAIN_LEAST))
    return TRUE;
  peak->verdict = culprit_verdict_new (study, &options, error);
  if (!peak->verdict)
    return FALSE;
  peak->cards = culprit_verdict_cards (peak->verdict);
  if (peak->verdict->culprits->len > 0)
    {
      peak->card = g_ptr_array_index (peak->cards, 0);
      peak->answer = CULPRIT_PEAK_EXPLAINED;
      peak->label = say_label (peak->verdict, peak->card->culprit);
    }
  else if (late.n_captures >= CULPRIT_EXPLAIN_LEAST)
    {
      peak->answer = CULPRIT_PEAK_NOTHING;
      peak->label = g_strdup ("nothing in common");
    }
  return TRUE;
}

CulpritExplanation *
culprit_study_explanation (CulpritStudy *study, const char *run, const GArray *bands, GError **error)
{
  g_autoptr (CulpritExplanation) explanation = g_new0 (CulpritExplanation, 1);
  g_autoptr (GArray) ordinary = g_array_new (FALSE, TRUE, sizeof (guint64)); /* wake-ups in the captures of each peak */

  explanation->peaks = g_ptr_array_new_with_free_func (peak_free);
  if (!find_run (study, run, explanation, error) || !find_peaks (study, explanation, bands, error))
    return NULL;
  g_array_set_size (ordinary, explanation->peaks->len);
  if (!read_recordings (study, explanation, error) || !read_captures (study, explanation, ordinary, error))
    return NULL;
  order_peaks (explanation, ordinary);
  for (guint i = 0; i < explanation->peaks->len; i++)
    {
      CulpritExplainedPeak *peak = culprit_explanation_peak (explanation, i);
      const CulpritExplainedPeak *lower =
          peak->lower > 0 ? culprit_explanation_peak (explanation, peak->lower - 1) : NULL;

      if (peak->answer == CULPRIT_PEAK_OPEN && !judge (study, peak, lower, error))
        return NULL;
      peak->words = say_answer (peak);
    }
  return g_steal_pointer (&explanation);
}
