/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares each late wake-up with ordinary ones: its own, or those of its population if it has too few. */
#include "evidence.h"

#include "each.h"
#include "evidence-private.h"
#include "excess.h"
#include "seeded-hash.h"
#include "suspects-private.h"

#include <math.h>

#define LIKELY_PARTS 160 /* per capture */
#define LIKELY_HOLDERS 8

static void
clear_case (gpointer data)
{
  CulpritCase *one = data;

  g_array_unref (one->parts);
  g_array_unref (one->holders);
}

void
culprit_evidence_free (CulpritEvidence *evidence)
{
  g_array_unref (evidence->cases);
  g_array_unref (evidence->populations);
  g_hash_table_unref (evidence->keys);
  g_string_chunk_free (evidence->texts);
  g_ptr_array_unref (evidence->more_texts);
  g_free (evidence);
}

static void
clear_population (gpointer data)
{
  g_array_unref (((CulpritPopulation *) data)->suspects);
}

static CulpritEvidence *
evidence_new (void)
{
  CulpritEvidence *evidence = g_new0 (CulpritEvidence, 1);

  evidence->cases = g_array_new (FALSE, FALSE, sizeof (CulpritCase));
  g_array_set_clear_func (evidence->cases, clear_case);
  evidence->populations = g_array_new (FALSE, FALSE, sizeof (CulpritPopulation));
  g_array_set_clear_func (evidence->populations, clear_population);
  evidence->keys = g_hash_table_new_full (culprit_hash_number, g_int64_equal, g_free, g_free);
  evidence->texts = g_string_chunk_new (16 * 1024);
  evidence->more_texts = g_ptr_array_new_with_free_func ((GDestroyNotify) g_string_chunk_free);
  return evidence;
}

/* Makes a case of each outlier of @table. */
static void
begin_cases (Reading *reading, const CulpritTable *table)
{
  for (guint i = 0; i < culprit_table_rows (table); i++)
    {
      CulpritCase one = { .capture = culprit_table_integer (table, i, "capture"), .own_base = TRUE };
      gint64 *capture = g_new (gint64, 1);

      one.parts = g_array_sized_new (FALSE, FALSE, sizeof (CulpritPart), LIKELY_PARTS);
      one.holders = g_array_sized_new (FALSE, FALSE, sizeof (CulpritHolder), LIKELY_HOLDERS);
      one.stretch.name = "";
      g_array_append_val (reading->evidence->cases, one);
      g_ptr_array_add (reading->own, g_array_new (FALSE, FALSE, sizeof (double)));
      *capture = one.capture;
      g_hash_table_insert (reading->indices, capture, GUINT_TO_POINTER (reading->evidence->cases->len));
    }
  reading->to = reading->evidence->cases->len;
}

static void
reading_begin (Reading *reading, CulpritStudy *study, const CulpritEvidenceOptions *options)
{
  *reading = (Reading) { .study = study, .options = options, .evidence = evidence_new () };
  reading->texts = reading->evidence->texts;
  reading->room = g_string_chunk_new (ROOM_BLOCK);
  reading->rooms = g_ptr_array_new_with_free_func ((GDestroyNotify) g_string_chunk_free);
  g_ptr_array_add (reading->rooms, reading->room);
  reading->stop = g_new0 (gint, 1);
  reading->names = g_hash_table_new_full (culprit_hash_number, g_int64_equal, g_free, NULL);
  reading->indices = g_hash_table_new_full (culprit_hash_number, g_int64_equal, g_free, NULL);
  reading->kept = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, NULL);
  reading->known = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, NULL);
  reading->own = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  reading->pools = g_ptr_array_new_with_free_func ((GDestroyNotify) base_free);
}

static void
reading_clear (Reading *reading)
{
  g_clear_pointer (&reading->evidence, culprit_evidence_free);
  g_free (reading->stop);
  g_hash_table_unref (reading->names);
  g_hash_table_unref (reading->indices);
  g_hash_table_unref (reading->kept);
  g_hash_table_unref (reading->known);
  g_ptr_array_unref (reading->own);
  g_ptr_array_unref (reading->pools);
  g_clear_pointer (&reading->rooms, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reading, reading_clear)

/* The ordinary wake-ups of all captures of the run @name that count; these may not be among the cases. */
static Base *
read_base_run (Reading *reading, const char *name, GError **error)
{
  const CulpritFilter filter = { .run = name, .counted = TRUE };
  const CulpritEvidenceOptions options = { .filter = &filter, .raw = reading->options->raw };
  g_autoptr (CulpritTable) captures = culprit_query_captures (reading->study, &filter, error);
  g_auto (Reading) other;

  reading_begin (&other, reading->study, &options);
  other.texts = reading->texts;
  if (!captures)
    return NULL;
  g_ptr_array_add (other.pools, base_new ());
  begin_cases (&other, captures);
  if (other.to > 0 && !evidence_read_ordinary (&other, error))
    return NULL;
  reading->evidence->base_captures = other.own->len;
  g_ptr_array_extend_and_steal (reading->rooms, g_steal_pointer (&other.rooms));
  base_finish (g_ptr_array_index (other.pools, 0));
  return g_ptr_array_steal_index (other.pools, 0);
}

/* What each part of @one does when it ordinarily runs: in the wake-ups of @pool, else elsewhere in the captures. */
static void
apply_references (const Base *pool, CulpritCase *one)
{
  const BaseSums *stretched = base_find_part (pool, one->stretch.function, one->stretch.context);

  one->stretch.ordinary_ns = stretched ? stretched->spreads[BASE_STRETCH_NS].max : 0;
  for (guint i = 0; i < one->parts->len; i++)
    {
      CulpritPart *part = &g_array_index (one->parts, CulpritPart, i);
      const BaseSums *sums = base_find_part (pool, part->function, part->context);
      gboolean ran = sums && sums->calls > 0;
      const BaseSums *elsewhere = ran ? NULL : base_find_elsewhere (pool, part->function);

      part->reference_calls = ran ? sums->calls / sums->windows : 0;
      part->reference_per_call_ns = ran         ? sums->self_ns / sums->calls
                                    : elsewhere ? elsewhere->self_ns / elsewhere->calls
                                                : NAN;
    }
}

GPtrArray *
culprit_evidence_members (const CulpritEvidence *evidence)
{
  GPtrArray *members = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);

  for (guint i = 0; i < evidence->populations->len; i++)
    g_ptr_array_add (members, g_ptr_array_new ());
  for (guint i = 0; i < evidence->cases->len; i++)
    {
      CulpritCase *one = &g_array_index (evidence->cases, CulpritCase, i);

      g_ptr_array_add (g_ptr_array_index (members, one->population), one);
    }
  return members;
}

/* What the cases are compared with. */
typedef struct
{
  const Reading *reading;
  const Base *named; /* NULL: the ordinary wake-ups of each population */
  GPtrArray *members;
} Comparing;

static const Base *
base_at (const Comparing *comparing, guint population)
{
  return comparing->named ? comparing->named : g_ptr_array_index (comparing->reading->pools, population);
}

static void
finish_pool (gpointer data, guint population)
{
  base_finish (g_ptr_array_index (((Comparing *) data)->reading->pools, population));
}

static void
compare_case (gpointer data, guint index)
{
  const Comparing *comparing = data;
  CulpritCase *one = reading_case (comparing->reading, index);
  const Base *base = base_at (comparing, one->population);

  if (!one->own_base)
    base_apply (base, one, comparing->reading->names);
  apply_references (base, one);
  culprit_case_explain (one);
}

static void
compare_population (gpointer data, guint index)
{
  const Comparing *comparing = data;
  const Base *base = base_at (comparing, index);
  CulpritPopulation *population = &g_array_index (comparing->reading->evidence->populations, CulpritPopulation, index);

  population->ordinary = base->usual.n;
  population->spread_windows = base->spread_windows;
  suspects_find (population, g_ptr_array_index (comparing->members, index), base);
}

/* Compares each case with the base @named or, if it has too few ordinary wake-ups, with its population's. */
static void
compare_all (Reading *reading, const Base *named)
{
  CulpritEvidence *evidence = reading->evidence;
  g_autoptr (GPtrArray) members = culprit_evidence_members (evidence);
  Comparing comparing = { reading, named, members };

  culprit_each (evidence->populations->len, finish_pool, &comparing);
  culprit_each (evidence->cases->len, compare_case, &comparing);
  if (!named)
    culprit_each (evidence->populations->len, compare_population, &comparing);
  for (guint i = 0; named && i < evidence->populations->len; i++)
    compare_population (&comparing, i); /* They count the spreads of the same base when they need them. */
}

static gboolean
read_all (Reading *reading, GError **error)
{
  const CulpritEvidenceOptions *options = reading->options;
  const CulpritFilter everything = { 0 };
  g_autoptr (CulpritTable) table =
      culprit_query_outliers (reading->study, options->filter ? options->filter : &everything, error);
  g_autoptr (Base) named = NULL;

  if (!table)
    return FALSE;
  begin_cases (reading, table);
  if (!evidence_read_names (reading, error) || !evidence_read_outliers (reading, error) ||
      !evidence_read_portions (reading, error))
    return FALSE;
  if (options->base && !(named = read_base_run (reading, options->base, error)))
    return FALSE;
  compare_all (reading, named);
  return TRUE;
}

CulpritEvidence *
culprit_evidence_read (CulpritStudy *study, const CulpritEvidenceOptions *options, GError **error)
{
  g_auto (Reading) reading;

  reading_begin (&reading, study, options);
  return read_all (&reading, error) ? g_steal_pointer (&reading.evidence) : NULL;
}
