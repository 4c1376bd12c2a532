/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile is always a sum, of one run too: what the tool printed about it is not compared, since its mean may include
 * latencies that its histogram leaves out, and that are not part of the standard deviation either. */
#include "sides.h"

#include "profiles.h"

gboolean
culprit_study_side (CulpritStudy *study, const char *label, CulpritSideKind kind, CulpritCompared *side, GError **error)
{
  CulpritProfileFacts facts = { .whole = TRUE };
  GPtrArray *runs = NULL;

  *side = (CulpritCompared) { 0 };
  if (kind == CULPRIT_SIDE_MEANT && !culprit_study_profile_facts (study, label, &facts, error))
    return FALSE;
  side->summary = facts.summary;
  if (!facts.whole)
    return TRUE;
  if (kind == CULPRIT_SIDE_CAPTURED)
    side->profile = culprit_study_profile_untraced (study, label, NULL, error);
  else
    side->runs = runs = kind == CULPRIT_SIDE_RUNS ? culprit_study_profile_runs (study, label, error)
                                                  : culprit_study_profile_meant (study, label, error);
  if (runs)
    side->profile = culprit_profile_sum (runs);
  if (side->profile)
    side->summary = culprit_summarise (side->profile);
  return side->profile != NULL;
}

void
culprit_side_clear (CulpritCompared *side)
{
  g_clear_pointer ((CulpritProfile **) &side->profile, culprit_profile_free);
  g_clear_pointer ((GPtrArray **) &side->runs, g_ptr_array_unref);
}
