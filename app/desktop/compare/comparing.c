/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and compares profiles: runs that belong together are added up, and their shapes are compared run by run. */
#include "compare/comparing.h"

#include "compare/sides.h"
#include "study/profiles.h"

static void
side_free (gpointer data)
{
  CompareSide *side = data;

  g_free (side->name);
  g_free (side->run);
  culprit_side_clear (&side->compared);
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
  return place > 0 && comparing_side (comparing, 0)->compared.runs && comparing_side (comparing, place)->compared.runs;
}

static CompareSide *
read_side (CulpritStudy *study, const CompareChoice *choice, GError **error)
{
  static const CulpritSideKind kinds[] = { [COMPARE_RUN] = CULPRIT_SIDE_MEANT,
                                           [COMPARE_RUNS] = CULPRIT_SIDE_RUNS,
                                           [COMPARE_MEMBER] = CULPRIT_SIDE_MEANT,
                                           [COMPARE_CAPTURED] = CULPRIT_SIDE_CAPTURED };
  CompareSide *side = g_new0 (CompareSide, 1);
  gboolean good;

  side->name = g_strdup (choice->name);
  side->run = g_strdup (choice->run);
  good = culprit_study_run_number (study, choice->label, &side->number, error) &&
         culprit_study_side (study, choice->label, kinds[choice->kind], &side->compared, error);
  if (good && !culprit_summary_has_spread (&side->compared.summary))
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

/* Whether @choice is what @base is without tracing. */
static CulpritAsked
find_asked (const CompareChoice *base, const CompareChoice *choice)
{
  return base->untraced && choice->traced && *base->system && g_str_equal (base->system, choice->system)
             ? CULPRIT_ASKED_TRACING
             : CULPRIT_ASKED_DIFFERENCE;
}

static GArray *
compare (const GPtrArray *sides, const CulpritRules *rules)
{
  g_autoptr (GArray) compared = g_array_new (FALSE, FALSE, sizeof (CulpritCompared));

  for (guint i = 0; i < sides->len; i++)
    g_array_append_val (compared, ((const CompareSide *) g_ptr_array_index (sides, i))->compared);
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
      side->asked = find_asked (g_ptr_array_index (question->choices, 0), g_ptr_array_index (question->choices, i));
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
  const GPtrArray *base = comparing_side (asked->comparing, 0)->compared.runs;
  const GPtrArray *other = comparing_side (asked->comparing, asked->place)->compared.runs;
  ComparedShape *found = compared_shape_new (asked->comparing, asked->place);

  found->shape = culprit_shape_compare ((const CulpritProfile *const *) base->pdata, base->len,
                                        (const CulpritProfile *const *) other->pdata, other->len);
  return found;
}
