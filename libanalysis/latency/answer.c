/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers from the claims of a comparison and, with and without tracing, from the comparison of shapes. */
#include "answer.h"

gboolean
culprit_answer_needs_runs (const CulpritComparison *comparison)
{
  return comparison->units == CULPRIT_UNITS_NONE;
}

static gboolean
any_claim_holds (const CulpritComparison *comparison)
{
  guint claims = comparison->ranked ? CULPRIT_CLAIMS : CULPRIT_CLAIM_MEAN + 1;

  for (guint i = 0; i < claims; i++)
    if (comparison->claims[i].significant)
      return TRUE;
  return FALSE;
}

/* How many runs there are, and what to do. */
static char *
say_too_few (const CulpritComparison *comparison)
{
  static const char advice[] = "record six of each, in turn";

  if (comparison->base_runs == 0 || comparison->other_runs == 0)
    return g_strdup_printf ("Cannot be told from these wake-ups alone: %s.", advice);
  if (comparison->base_runs == 1 && comparison->other_runs == 1)
    return g_strdup_printf ("Cannot be told with one run each: %s.", advice);
  return g_strdup_printf ("Cannot be told with %u and %u runs: %s.", comparison->base_runs, comparison->other_runs,
                          advice);
}

static char *
answer_tracing (const CulpritShape *shape)
{
  switch (shape->verdict)
    {
    case CULPRIT_SHAPE_DIFFERENT:
      return g_strdup ("Tracing changed the system: more than a shift and a scale.");
    case CULPRIT_SHAPE_SAME:
      return g_strdup ("No sign that tracing changed the system, apart from a shift and a scale.");
    default:
      return g_strdup (shape->like_lengths
                           ? "Cannot be told yet whether tracing changed the system: record more or longer runs."
                           : "Cannot be told: the runs of one are more than twice as long as those of the other.");
    }
}

char *
culprit_answer (const CulpritComparison *comparison,
                const CulpritShape *shape,
                CulpritAsked asked,
                const char *base,
                const char *other)
{
  if (culprit_answer_needs_runs (comparison))
    return say_too_few (comparison);
  if (asked == CULPRIT_ASKED_TRACING && shape && MIN (shape->base_runs, shape->other_runs) >= CULPRIT_SHAPE_RUNS)
    return answer_tracing (shape);
  if (any_claim_holds (comparison))
    return g_strdup_printf ("%s differs from %s.", other, base);
  return g_strdup_printf ("No sign that %s differs from %s.", other, base);
}
