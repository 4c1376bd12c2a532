/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles are stored as counts, without loss. */
#include "profiles.h"

#include "budgets.h"
#include "runs.h"
#include "series.h"
#include "statement-private.h"

#include <math.h>

/* A profile is stored first and then compared with those of its name, so that SQL does the comparing. */

static gboolean
store_latencies (CulpritStudy *study, gint64 run, const CulpritProfile *profile, GError **error)
{
  g_autoptr (Statement) statement = statement_new (study, "INSERT INTO run_latency VALUES (?, 0, ?, ?)", error);

  for (guint i = 0; statement && i < profile->bins->len; i++)
    {
      const CulpritBin *bin = culprit_profile_bin (profile, i);

      statement_bind (statement, "iiu", run, bin->latency_ns, bin->count);
      if (!statement_run (study, statement, error))
        return FALSE;
    }
  return statement != NULL;
}

/* Creates a run called @run_name for @profile; @run: its number. If that is not @name, which is taken, it gets a series
 * of its own, as do all results that are only a summary (NULL). @apart: whether it gets one though its name is free. */
static gboolean
store_name (CulpritStudy *study,
            const char *name,
            const char *run_name,
            const CulpritProfile *profile,
            gboolean *apart,
            gint64 *run,
            GError **error)
{
  gint64 series = 0;
  gint64 turn = -1;

  if (!study_check_name (study, run_name, error))
    return FALSE;
  if (profile && g_str_equal (run_name, name))
    {
      if (!series_of_file (study, name, &series, &turn, error))
        return FALSE;
      *apart = series == 0;
    }
  return study_run (study, run, error,
                    "INSERT INTO run (name, source, series_id, turn) "
                    "VALUES (?, 'profile', NULLIF (?, 0), NULLIF (?, -1))",
                    "tii", run_name, series, turn);
}

/* Stores @profile, or @summary if it is NULL, as a run called @run_name since @name, valid UTF-8, may be taken. */
static gboolean
store_run (CulpritStudy *study,
           const char *name,
           const char *run_name,
           const CulpritProfile *profile,
           const CulpritSummary *summary,
           gboolean *apart,
           gint64 *run,
           GError **error)
{
  g_autofree char *printed = NULL;

  if (!store_name (study, name, run_name, profile, apart, run, error))
    return FALSE;
  if (profile)
    printed = culprit_printed_to_json (profile->printed, profile->beyond, profile->end_ns);
  if (profile)
    return study_run (study, NULL, error, "UPDATE run SET cycles = ?, resolution_ns = ?, told = ? WHERE run_id = ?",
                      "uiti", profile->n, profile->width_ns, printed, *run) &&
           store_latencies (study, *run, profile, error) && study_check_sums (study, profile->n, error);
  return study_run (study, NULL, error,
                    "UPDATE run SET summary_mean_ns = ?, summary_sd_ns = ?, summary_samples = ? WHERE run_id = ?",
                    "rrii", summary->mean_ns, summary->sd_ns, (gint64) summary->n, *run);
}

static gboolean
is_known (CulpritStudy *study, gint64 run, const char *name, gboolean *known, GError **error)
{
  g_autoptr (Statement) statement = NULL;
  gboolean row;

  if (!study_change (study, error, "profile-contents", "i:run", run) ||
      !(statement = statement_named (study, "profile-known", error)))
    return FALSE;
  statement_bind_named (statement, "i:run t:name", run, name);
  if (!statement_step (study, statement, &row, error))
    return FALSE;
  *known = row;
  return TRUE;
}

static gboolean
add (CulpritStudy *study,
     const char *name,
     const CulpritProfile *profile,
     const CulpritSummary *summary,
     CulpritStoredProfiles *stored,
     GError **error)
{
  g_autofree char *valid = g_strdelimit (g_utf8_make_valid (name, -1), "\n", ' '); /* a file's, perhaps */
  g_autofree char *run_name = culprit_study_new_run_name (study, valid, error);
  gboolean apart = FALSE;
  gboolean same = FALSE;
  gint64 run;

  if (!run_name || !store_run (study, valid, run_name, profile, summary, &apart, &run, error) ||
      !is_known (study, run, valid, &same, error) ||
      (same && !study_run (study, NULL, error, "DELETE FROM run WHERE run_id = ?", "i", run)))
    return FALSE;
  stored->added += !same;
  stored->known += same;
  stored->apart += apart && !same;
  if (!same && !g_str_equal (run_name, valid))
    g_ptr_array_add (stored->renamed, g_steal_pointer (&run_name));
  return TRUE;
}

void
culprit_stored_profiles_clear (CulpritStoredProfiles *stored)
{
  g_clear_pointer (&stored->renamed, g_ptr_array_unref);
}

char *
culprit_study_profile_name (const char *name, const CulpritNamedProfile *profile)
{
  return profile->name ? g_strconcat (name, "-", profile->name, NULL) : g_strdup (name);
}

static gboolean
add_all (CulpritStudy *study,
         const char *name,
         const CulpritLatencyFile *file,
         CulpritStoredProfiles *stored,
         GError **error)
{
  for (guint i = 0; i < file->profiles->len; i++)
    {
      const CulpritNamedProfile *profile = g_ptr_array_index (file->profiles, i);
      g_autofree char *full_name = culprit_study_profile_name (name, profile);

      if (!add (study, full_name, profile->profile, NULL, stored, error))
        return FALSE;
    }
  for (guint i = 0; i < file->summaries->len; i++)
    {
      const CulpritNamedSummary *summary = &g_array_index (file->summaries, CulpritNamedSummary, i);

      if (!add (study, summary->name ? summary->name : name, NULL, &summary->summary, stored, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
culprit_study_add_profiles (CulpritStudy *study,
                            const char *name,
                            const CulpritLatencyFile *file,
                            CulpritStoredProfiles *stored,
                            GError **error)
{
  *stored = (CulpritStoredProfiles) { .renamed = g_ptr_array_new_with_free_func (g_free) };
  if (!study_begin (study, error))
    return FALSE;
  if (study_execute_named (study, "profile-begin", error) && add_all (study, name, file, stored, error) &&
      study_commit (study, error))
    return TRUE;
  study_roll_back (study);
  return FALSE;
}

static void
no_such_run (const CulpritStudy *study, const char *name, const char *what, GError **error)
{
  g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND, "%s: no run \"%s\" with %s; see culprit runs",
               study->path, name, what);
}

/* A profile of the rows (latency, count, resolution) of @statement, those of @label; NULL with an error. It may be
 * empty. */
static CulpritProfile *
read_profile (CulpritStudy *study, Statement *statement, const char *label, GError **error)
{
  g_autoptr (CulpritProfile) profile = culprit_profile_new (1);
  gboolean row = TRUE;

  while (row)
    {
      gint64 latency_ns;
      gint64 width_ns;

      if (!statement_step (study, statement, &row, error))
        return NULL;
      if (!row)
        break;
      latency_ns = sqlite3_column_int64 (statement, 0);
      width_ns = sqlite3_column_int64 (statement, 2);
      if (latency_ns < -MAX_LATENCY_NS || latency_ns > MAX_LATENCY_NS || width_ns > MAX_WIDTH_NS ||
          !culprit_profile_add (profile, latency_ns, sqlite3_column_int64 (statement, 1)))
        {
          g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_STUDY,
                       "%s: not a study, or a damaged one: the latencies of %s are too large to be shown; import other "
                       "files into a new study",
                       study->path, label);
          return NULL;
        }
      profile->width_ns = MAX (profile->width_ns, width_ns);
    }
  culprit_profile_finish (profile);
  culprit_profile_take_middles (profile);
  return g_steal_pointer (&profile);
}

/* The query @name for @label, at its first row; @row: whether it has one. */
static Statement *
first_row (CulpritStudy *study, const char *name, const char *label, gboolean *row, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, name, error);

  if (!statement)
    return NULL;
  statement_bind_named (statement, "t:label", label);
  return statement_step (study, statement, row, error) ? g_steal_pointer (&statement) : NULL;
}

/* What the tool printed about the run that @label means, nothing if it means several; and how many latencies are
 * beyond, and of the first end. */
static gboolean
read_told (CulpritStudy *study, const char *label, CulpritProfile *profile, GError **error)
{
  gint64 end_ns;
  gboolean row;
  g_autoptr (Statement) statement = first_row (study, "profile-told", label, &row, error);

  if (!statement)
    return FALSE;
  if (row)
    {
      profile->printed = culprit_printed_from_json (statement_text (statement, 0));
      profile->beyond = CLAMP (sqlite3_column_double (statement, 1), 0, MAX_SUM);
      end_ns = CLAMP (sqlite3_column_double (statement, 2), -MAX_LATENCY_NS, MAX_LATENCY_NS);
      if (profile->beyond > 0 && profile->n > 0)
        culprit_profile_end (profile, MAX (end_ns + profile->middle_ns, culprit_profile_rank (profile, 0)));
    }
  return TRUE;
}

CulpritProfile *
culprit_study_profile (CulpritStudy *study, const char *label, gint64 cpu, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "profile", error);
  g_autoptr (CulpritProfile) profile = NULL;

  if (!statement)
    return NULL;
  statement_bind_named (statement, "t:label i:cpu", label, cpu);
  profile = read_profile (study, statement, label, error);
  /* A tool's figures are about all CPUs; but its run has only one. */
  if (profile && !read_told (study, label, profile, error))
    return NULL;
  if (!profile || profile->n > 0)
    return g_steal_pointer (&profile);
  no_such_run (study, label, "latencies", error);
  return NULL;
}

/* Divides the samples of a row of study/sql/samples.sql among @blocks. Returns how many there are. */
static guint64
divide_samples (Statement *statement, gint64 floor_ns, GArray *blocks)
{
  double begin = sqlite3_column_double (statement, 0);
  double total = sqlite3_column_double (statement, 1);
  gint64 cycles = sqlite3_column_int64 (statement, 2);
  const guint8 *at = sqlite3_column_blob (statement, 3);
  const guint8 *end = at + sqlite3_column_bytes (statement, 3);
  gint64 latency_ns;
  gint64 i;

  for (i = 0; i < cycles && culprit_samples_next (&at, end, &latency_ns); i++)
    {
      double place = (begin + i) * blocks->len / total;
      guint index = fmin (fmax (place, 0), blocks->len - 1.0); /* A stranger's cycles may make NaN of it. */
      CulpritTailBlock *block = &g_array_index (blocks, CulpritTailBlock, index);

      block->n++;
      if (latency_ns > floor_ns)
        culprit_profile_add (block->late, latency_ns, 1);
    }
  return i;
}

/* The worst wake-ups of @profile, that of @label on all CPUs, by blocks of consecutive cycles: those above @floor_ns,
 * see culprit_tail_floor(). @blocks, which the caller owns: NULL if the order of the wake-ups is not stored. FALSE with
 * an error. */
static gboolean
read_blocks (CulpritStudy *study,
             const char *label,
             const CulpritProfile *profile,
             gint64 floor_ns,
             GArray **blocks,
             GError **error)
{
  gboolean row;
  g_autoptr (Statement) statement = first_row (study, "samples", label, &row, error);
  g_autoptr (GArray) divided = culprit_tail_blocks_new ();
  guint64 n = 0;

  *blocks = NULL;
  if (!statement)
    return FALSE;
  while (row)
    {
      n += divide_samples (statement, floor_ns, divided);
      if (!statement_step (study, statement, &row, error))
        return FALSE;
    }
  if (n != profile->n)
    return TRUE;
  for (guint i = 0; i < divided->len; i++)
    culprit_profile_finish (g_array_index (divided, CulpritTailBlock, i).late);
  *blocks = g_steal_pointer (&divided);
  return TRUE;
}

CulpritRunTail *
culprit_study_tail (CulpritStudy *study, const char *name, const CulpritTailAsked *asked, GError **error)
{
  g_autoptr (CulpritRunTail) tail = g_new0 (CulpritRunTail, 1);
  CulpritTailAsked own = *asked;
  g_autoptr (GArray) blocks = NULL;

  if (!culprit_study_profile_facts (study, name, &tail->facts, error))
    return NULL;
  if (!tail->facts.whole)
    return g_steal_pointer (&tail);
  tail->profile = culprit_study_profile (study, name, CULPRIT_ALL_CPUS, error);
  if (!tail->profile ||
      !read_blocks (study, name, tail->profile, culprit_tail_floor (tail->profile, own.threshold_ns), &blocks, error))
    return NULL;
  if (own.deadline_ns == 0)
    own.deadline_ns = MAX (tail->facts.deadline_ns, 0);
  tail->tail = culprit_tail_new (tail->profile, blocks, &own);
  return g_steal_pointer (&tail);
}

void
culprit_run_tail_free (CulpritRunTail *tail)
{
  g_clear_pointer (&tail->profile, culprit_profile_free);
  g_clear_pointer (&tail->tail, culprit_tail_free);
  g_free (tail);
}

/* The texts of the first column of study/sql/@query.sql. */
static GPtrArray *
read_texts (CulpritStudy *study, const char *query, const char *label, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, query, error);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  gboolean row = statement != NULL;

  if (statement)
    statement_bind_named (statement, "t:label", label);
  while (row)
    {
      if (!statement_step (study, statement, &row, error))
        return NULL;
      if (row)
        g_ptr_array_add (names, g_strdup (statement_text (statement, 0)));
    }
  return statement ? g_steal_pointer (&names) : NULL;
}

#define MOST_NAMED 5

gboolean
culprit_study_left_out (CulpritStudy *study, const char *label, char **left_out, GError **error)
{
  g_autoptr (GPtrArray) names = read_texts (study, "profile-left-out", label, error);
  guint named = names ? MIN (names->len, MOST_NAMED) : 0;
  GString *text;

  *left_out = NULL;
  if (named == 0)
    return names != NULL;
  text = g_string_new (NULL);
  g_string_printf (text, "%u run%s left out, as the latencies are too large to be shown: ", names->len,
                   names->len == 1 ? " is" : "s are");
  for (guint i = 0; i < named; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", (const char *) g_ptr_array_index (names, i));
  if (named < names->len)
    g_string_append_printf (text, " and %u more", names->len - named);
  *left_out = g_string_free (text, FALSE);
  return TRUE;
}

/* The names of the runs that study/sql/@query.sql gives; an error if @label has none. */
static GPtrArray *
read_names (CulpritStudy *study, const char *query, const char *label, GError **error)
{
  g_autoptr (GPtrArray) names = read_texts (study, query, label, error);
  g_autofree char *left_out = NULL;

  if (!names || names->len > 0 || !label)
    return g_steal_pointer (&names);
  if (!culprit_study_left_out (study, label, &left_out, error))
    return NULL;
  if (left_out)
    g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND, "%s: %s; see culprit check", study->path,
                 left_out);
  else
    no_such_run (study, label, "latencies", error);
  return NULL;
}

GPtrArray *
culprit_study_profile_names (CulpritStudy *study, const char *name, GError **error)
{
  return read_names (study, "profile-names", name, error);
}

/* The profiles of the runs that study/sql/@query.sql names. */
static GPtrArray *
read_profiles (CulpritStudy *study, const char *query, const char *label, GError **error)
{
  g_autoptr (GPtrArray) names = read_names (study, query, label, error);
  g_autoptr (GPtrArray) profiles = g_ptr_array_new_with_free_func ((GDestroyNotify) culprit_profile_free);

  for (guint i = 0; names && i < names->len; i++)
    {
      CulpritProfile *profile = culprit_study_profile (study, g_ptr_array_index (names, i), CULPRIT_ALL_CPUS, error);

      if (!profile)
        return NULL;
      g_ptr_array_add (profiles, profile);
    }
  return names ? g_steal_pointer (&profiles) : NULL;
}

/* The profiles of the run @label and of all runs with a number appended to it, one each, in order. An array of
 * CulpritProfile that the caller owns; NULL with an error if there are none. */
static GPtrArray *
culprit_study_profile_runs (CulpritStudy *study, const char *label, GError **error)
{
  return read_profiles (study, "profile-runs", label, error);
}

/* The profiles of the run or runs that @label means, one each, in order: those that culprit_study_profile() adds up. An
 * array of CulpritProfile that the caller owns; NULL with an error. */
static GPtrArray *
culprit_study_profile_meant (CulpritStudy *study, const char *label, GError **error)
{
  return read_profiles (study, "profile-meant", label, error);
}

gboolean
culprit_study_run_number (CulpritStudy *study, const char *label, guint *number, GError **error)
{
  gboolean row;
  g_autoptr (Statement) statement = first_row (study, "run-number", label, &row, error);

  if (!statement)
    return FALSE;
  *number = row ? sqlite3_column_int (statement, 0) : 0;
  return TRUE;
}

static gboolean
count (CulpritStudy *study, const char *query, const char *label, guint *n, GError **error)
{
  gboolean row;
  g_autoptr (Statement) statement = first_row (study, query, label, &row, error);

  if (!statement)
    return FALSE;
  *n = sqlite3_column_int64 (statement, 0);
  return TRUE;
}

CulpritProfile *
culprit_study_profile_untraced (CulpritStudy *study, const char *label, guint *ignored, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "profile-untraced", error);
  g_autoptr (CulpritProfile) profile = NULL;

  if (!statement || (ignored && !count (study, "profile-ignored", label, ignored, error)))
    return NULL;
  statement_bind_named (statement, "t:label", label);
  profile = read_profile (study, statement, label, error);
  if (!profile || profile->n > 0)
    return g_steal_pointer (&profile);
  no_such_run (study, label, "captured wake-ups that count", error);
  return NULL;
}

gboolean
culprit_study_profile_facts (CulpritStudy *study, const char *name, CulpritProfileFacts *facts, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "profile-facts", error);
  gboolean row;

  if (!statement)
    return FALSE;
  statement_bind_named (statement, "t:label", name);
  if (!statement_step (study, statement, &row, error))
    return FALSE;
  if (!row)
    {
      no_such_run (study, name, "latencies", error);
      return FALSE;
    }
  *facts =
      (CulpritProfileFacts) { .whole = sqlite3_column_int (statement, 0) != 0,
                              .summary = { sqlite3_column_double (statement, 1), sqlite3_column_double (statement, 2),
                                           sqlite3_column_double (statement, 3) },
                              .period_ns = sqlite3_column_int64 (statement, 4),
                              .deadline_ns = sqlite3_column_int64 (statement, 5) };
  return TRUE;
}

GArray *
culprit_study_profile_cpus (CulpritStudy *study, const char *name, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "profile-cpus", error);
  g_autoptr (GArray) cpus = g_array_new (FALSE, FALSE, sizeof (gint64));
  gboolean row = statement != NULL;

  if (statement)
    statement_bind_named (statement, "t:label", name);
  while (row)
    {
      if (!statement_step (study, statement, &row, error))
        return NULL;
      if (row)
        {
          gint64 cpu = sqlite3_column_int64 (statement, 0);

          g_array_append_val (cpus, cpu);
        }
    }
  return statement ? g_steal_pointer (&cpus) : NULL;
}

/* A profile is always a sum, of one run too: what the tool printed about it is not compared, but for the maximum, since
 * its mean may include latencies that its histogram leaves out, and that are not part of the standard deviation
 * either. */

#define MOST_LATE 0.1 /* of captured wake-ups, for them to be the bulk of all; more move its quartiles */

static gboolean
read_compared (CulpritStudy *study, const char *label, CulpritSideKind kind, CulpritCompared *compared, GError **error)
{
  CulpritProfileFacts facts = { .whole = TRUE };
  GPtrArray *runs = NULL;
  guint late;

  if (kind == CULPRIT_SIDE_MEANT && !culprit_study_profile_facts (study, label, &facts, error))
    return FALSE;
  compared->summary = facts.summary;
  if (!facts.whole)
    return TRUE;
  compared->selected = kind == CULPRIT_SIDE_CAPTURED;
  if (compared->selected)
    {
      if (!count (study, "profile-late", label, &late, error))
        return FALSE;
      compared->profile = culprit_study_profile_untraced (study, label, NULL, error);
      compared->mostly_late = compared->profile && late > MOST_LATE * compared->profile->n;
    }
  else
    compared->runs = runs = kind == CULPRIT_SIDE_RUNS ? culprit_study_profile_runs (study, label, error)
                                                      : culprit_study_profile_meant (study, label, error);
  if (runs)
    compared->profile = culprit_profile_sum (runs);
  if (compared->profile)
    compared->summary = culprit_summarise (compared->profile);
  return compared->profile != NULL;
}

CulpritSide *
culprit_side_new (const char *name, const CulpritSummary *summary)
{
  CulpritSide *side = g_new0 (CulpritSide, 1);

  side->name = g_strdup (name);
  side->compared.summary = *summary;
  return side;
}

CulpritSide *
culprit_side_read (CulpritStudy *study, const char *label, CulpritSideKind kind, const char *name, GError **error)
{
  g_autoptr (CulpritSide) side = culprit_side_new (name, &(CulpritSummary) { 0 });

  return read_compared (study, label, kind, &side->compared, error) ? g_steal_pointer (&side) : NULL;
}

void
culprit_side_free (CulpritSide *side)
{
  g_free (side->name);
  g_free (side->run);
  g_clear_pointer ((CulpritProfile **) &side->compared.profile, culprit_profile_free);
  g_clear_pointer ((GPtrArray **) &side->compared.runs, g_ptr_array_unref);
  g_free (side);
}

gboolean
culprit_side_check (const CulpritSide *side, GError **error)
{
  if (culprit_summary_has_spread (&side->compared.summary))
    return TRUE;
  g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_QUERY,
               "%s has no spread: at least two different latencies are needed to compare", side->name);
  return FALSE;
}

void
culprit_sides_compare (const GPtrArray *sides, const CulpritRules *rules)
{
  g_autofree CulpritCompared *compared = g_new (CulpritCompared, sides->len);
  g_autoptr (GArray) results = NULL;

  for (guint i = 0; i < sides->len; i++)
    compared[i] = culprit_side_at (sides, i)->compared;
  results = culprit_compare (compared, compared + 1, sides->len - 1, rules);
  for (guint i = 1; i < sides->len; i++)
    culprit_side_at (sides, i)->result = g_array_index (results, CulpritComparison, i - 1);
}

CulpritShape *
culprit_sides_shape (const CulpritSide *base, const CulpritSide *side)
{
  return culprit_compare_shapes (&base->compared, &side->compared);
}
