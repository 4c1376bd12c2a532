/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and compares profiles: runs that belong together are added up, and their shapes are compared run by run. */
#include "compare/comparing.h"

#include "compare/choices.h"

static void
side_free (gpointer data)
{
  CompareSide *side = data;

  g_free (side->name);
  g_clear_pointer (&side->profile, culprit_profile_free);
  g_clear_pointer (&side->runs, g_ptr_array_unref);
  g_free (side);
}

Comparing *
comparing_ref (Comparing *comparing)
{
  return g_atomic_rc_box_acquire (comparing);
}

static void
comparing_clear (gpointer data)
{
  Comparing *comparing = data;

  g_ptr_array_unref (comparing->sides);
  g_clear_pointer (&comparing->comparisons, g_array_unref);
}

void
comparing_unref (Comparing *comparing)
{
  g_atomic_rc_box_release_full (comparing, comparing_clear);
}

const CulpritComparison *
comparing_result (const Comparing *comparing, guint place)
{
  return place > 0 ? &g_array_index (comparing->comparisons, CulpritComparison, place - 1) : NULL;
}

gboolean
comparing_has_shape (const Comparing *comparing, guint place)
{
  return place > 0 && comparing_side (comparing, 0)->runs && comparing_side (comparing, place)->runs;
}

static gboolean
read_runs (CulpritStudy *study, const CompareChoice *choice, CompareSide *side, GError **error)
{
  if (choice->kind == COMPARE_RUNS)
    {
      side->runs = culprit_study_profile_runs (study, choice->label, error);
      side->profile = side->runs ? culprit_profile_sum (side->runs) : NULL;
      return side->profile != NULL;
    }
  side->profile = culprit_study_profile (study, choice->label, CULPRIT_ALL_CPUS, error);
  if (!side->profile)
    return FALSE;
  side->runs = g_ptr_array_new ();
  g_ptr_array_add (side->runs, side->profile);
  return TRUE;
}

static gboolean
read_known (CulpritStudy *study, const CompareChoice *choice, CompareSide *side, GError **error)
{
  CulpritProfileFacts facts = { .whole = TRUE };

  if (choice->kind == COMPARE_CAPTURED)
    {
      side->profile = culprit_study_profile_untraced (study, choice->label, NULL, error);
      return side->profile != NULL;
    }
  if (choice->kind != COMPARE_RUNS && !culprit_study_profile_facts (study, choice->label, &facts, error))
    return FALSE;
  side->summary = facts.summary;
  return !facts.whole || read_runs (study, choice, side, error);
}

static CompareSide *
read_side (CulpritStudy *study, const CompareChoice *choice, GError **error)
{
  CompareSide *side = g_new0 (CompareSide, 1);
  gboolean good;

  side->name = g_strdup (choice->name);
  good =
      culprit_study_run_number (study, choice->label, &side->number, error) && read_known (study, choice, side, error);
  if (side->profile)
    side->summary = culprit_summarise (side->profile);
  if (good && (side->summary.n < 2 || !(side->summary.sd_ns > 0)))
    {
      g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_QUERY,
                   "%s has no spread: at least two different latencies are needed to compare", side->name);
      good = FALSE;
    }
  if (good)
    return side;
  side_free (side);
  return NULL;
}

static GArray *
compare (const GPtrArray *sides, const CulpritRules *rules)
{
  g_autoptr (GArray) compared = g_array_new (FALSE, FALSE, sizeof (CulpritCompared));

  for (guint i = 0; i < sides->len; i++)
    {
      const CompareSide *side = g_ptr_array_index (sides, i);
      const CulpritCompared one = { side->summary, side->profile, side->runs };

      g_array_append_val (compared, one);
    }
  return culprit_compare (&g_array_index (compared, CulpritCompared, 0), &g_array_index (compared, CulpritCompared, 1),
                          compared->len - 1, rules);
}

CompareQuestion *
compare_question_new (GPtrArray *choices, const CulpritRules *rules)
{
  CompareQuestion *question = g_new (CompareQuestion, 1);

  *question = (CompareQuestion) { choices, *rules };
  return question;
}

void
compare_question_free (CompareQuestion *question)
{
  g_ptr_array_unref (question->choices);
  g_free (question);
}

gpointer
comparing_read (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error)
{
  const CompareQuestion *question = data;
  g_autoptr (Comparing) comparing = g_atomic_rc_box_new0 (Comparing);

  comparing->sides = g_ptr_array_new_with_free_func (side_free);
  for (guint i = 0; i < question->choices->len; i++)
    {
      CompareSide *side = NULL;

      if (!g_cancellable_set_error_if_cancelled (cancellable, error))
        side = read_side (study, g_ptr_array_index (question->choices, i), error);
      if (!side)
        return NULL;
      g_ptr_array_add (comparing->sides, side);
    }
  comparing->comparisons = compare (comparing->sides, &question->rules);
  return g_steal_pointer (&comparing);
}

ComparedShape *
compared_shape_new (Comparing *comparing, guint place)
{
  ComparedShape *shape = g_new (ComparedShape, 1);

  *shape = (ComparedShape) { comparing_ref (comparing), place, NULL };
  return shape;
}

void
compared_shape_free (ComparedShape *shape)
{
  g_clear_pointer (&shape->shape, culprit_shape_free);
  comparing_unref (shape->comparing);
  g_free (shape);
}

gpointer
comparing_read_shape (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error)
{
  const ComparedShape *asked = data;
  const GPtrArray *base = comparing_side (asked->comparing, 0)->runs;
  const GPtrArray *other = comparing_side (asked->comparing, asked->place)->runs;
  ComparedShape *found = compared_shape_new (asked->comparing, asked->place);

  found->shape = culprit_shape_compare ((const CulpritProfile *const *) base->pdata, base->len,
                                        (const CulpritProfile *const *) other->pdata, other->len);
  return found;
}
