/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and compares profiles. Runs that belong together are added up, but their shapes are compared run by run. */
#include "compare/comparing.h"

#include "compare/sides.h"
#include "study/profiles.h"

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
}

void
comparing_unref (Comparing *comparing)
{
  g_atomic_rc_box_release_full (comparing, comparing_clear);
}

const CulpritComparison *
comparing_result (const Comparing *comparing, guint place)
{
  return place > 0 ? &comparing_side (comparing, place)->result : NULL;
}

gboolean
comparing_has_shape (const Comparing *comparing, guint place)
{
  return place > 0 && comparing_side (comparing, 0)->compared.runs && comparing_side (comparing, place)->compared.runs;
}

static CulpritSide *
read_side (CulpritStudy *study, const CompareChoice *choice, GError **error)
{
  static const CulpritSideKind kinds[] = { [COMPARE_RUN] = CULPRIT_SIDE_MEANT,
                                           [COMPARE_RUNS] = CULPRIT_SIDE_RUNS,
                                           [COMPARE_MEMBER] = CULPRIT_SIDE_MEANT,
                                           [COMPARE_CAPTURED] = CULPRIT_SIDE_CAPTURED };
  g_autoptr (CulpritSide) side = culprit_side_read (study, choice->label, kinds[choice->kind], choice->name, error);

  if (!side || !culprit_side_check (side, error) ||
      !culprit_study_run_number (study, choice->label, &side->number, error))
    return NULL;
  side->run = g_strdup (choice->run);
  return g_steal_pointer (&side);
}

/* Whether @choice, without the tracer's time, is what @base is recorded as. */
static CulpritAsked
find_asked (const CompareChoice *base, const CompareChoice *choice)
{
  return base->untraced && choice->traced && *base->system && g_str_equal (base->system, choice->system)
             ? CULPRIT_ASKED_TRACING
             : CULPRIT_ASKED_DIFFERENCE;
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

  comparing->sides = g_ptr_array_new_with_free_func ((GDestroyNotify) culprit_side_free);
  for (guint i = 0; i < question->choices->len; i++)
    {
      CulpritSide *side = NULL;

      if (!g_cancellable_set_error_if_cancelled (cancellable, error))
        side = read_side (study, g_ptr_array_index (question->choices, i), error);
      if (!side)
        return NULL;
      side->asked = find_asked (g_ptr_array_index (question->choices, 0), g_ptr_array_index (question->choices, i));
      g_ptr_array_add (comparing->sides, side);
    }
  culprit_sides_compare (comparing->sides, &question->rules);
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
  ComparedShape *found = compared_shape_new (asked->comparing, asked->place);

  found->shape =
      culprit_sides_shape (comparing_side (asked->comparing, 0), comparing_side (asked->comparing, asked->place));
  return found;
}
