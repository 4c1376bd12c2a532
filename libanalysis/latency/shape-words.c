/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts the result of a comparison of shapes into words. */
#include "shape.h"

#include "answer.h"
#include "units.h"

#include <math.h>

const char *
culprit_shape_verdict_name (CulpritShapeVerdict verdict)
{
  static const char *const names[] = { "inconclusive", "same", "different" };

  return names[verdict];
}

/* "on = 1.082 x off + 3.2 us" */
static void
say_line (const CulpritShape *shape, const char *base, const char *other, GString *words)
{
  g_autofree char *shift = culprit_time_format (llround (fabs (shape->shift_ns)));

  g_string_append_printf (words, "%s = %.3f x %s %c %s", other, shape->scale, base, shape->shift_ns < 0 ? '-' : '+',
                          shift);
}

/* How much of a peak was gained or lost, relative to the larger one. */
static double
change_of (const CulpritShapePeak *peak)
{
  return fabs (peak->other_share - peak->base_share) / MAX (peak->other_share, peak->base_share);
}

/* The peak with the largest change, among those whose mass differs. */
static const CulpritShapePeak *
find_changed_peak (const CulpritShape *shape)
{
  const CulpritShapePeak *changed = NULL;

  for (guint i = 0; i < shape->peaks->len; i++)
    {
      const CulpritShapePeak *peak = &g_array_index (shape->peaks, CulpritShapePeak, i);

      if (peak->p * shape->peaks->len < CULPRIT_SHAPE_ALPHA && (!changed || change_of (peak) > change_of (changed)))
        changed = peak;
    }
  return changed;
}

static void
say_different (const CulpritShape *shape, GString *words)
{
  const CulpritShapePeak *peak = find_changed_peak (shape);
  g_autofree char *distance_p = culprit_p_in_words (shape->distance_p);

  if (shape->distance_p < CULPRIT_SHAPE_ALPHA)
    g_string_append_printf (words,
                            "; once aligned the distributions are %.3f apart, more than randomly permuted runs (%s)",
                            shape->distance, distance_p);
  if (peak)
    {
      g_autofree char *place = culprit_time_format (peak->base_ns);
      g_autofree char *other = culprit_small_part_format (peak->other_share);
      g_autofree char *base = culprit_small_part_format (peak->base_share);
      g_autofree char *p = culprit_p_in_words (peak->p);

      g_string_append_printf (words, "; the peak at %s has %s instead of %s (%s)", place, other, base, p);
    }
}

static void
say_inconclusive (const CulpritShape *shape, GString *words)
{
  if (MIN (shape->base_runs, shape->other_runs) < CULPRIT_SHAPE_RUNS)
    g_string_append_printf (words,
                            "; %u and %u runs are too few: at least %u of each are needed, recorded "
                            "alternately",
                            shape->base_runs, shape->other_runs, CULPRIT_SHAPE_RUNS);
  else if (!shape->like_lengths)
    g_string_append (words, "; the runs of one are more than twice as long as those of the other");
  else if (!shape->peaks_match)
    g_string_append (words, "; nothing differs significantly, but their peaks do not match: record longer runs");
  else
    g_string_append_printf (words,
                            "; nothing differs significantly, but they may be up to %.3f apart, above the margin of "
                            "%.3f: record more or longer runs",
                            shape->distance_high, shape->margin);
}

char *
culprit_shape_in_words (const CulpritShape *shape, const char *base, const char *other)
{
  static const char *const verdicts[] = { CULPRIT_NOT_TOLD, "same characteristics", "different" };
  GString *words = g_string_new (NULL);

  g_string_append_printf (words, "%s against %s: %s. ", other, base, verdicts[shape->verdict]);
  say_line (shape, base, other, words);
  if (shape->verdict == CULPRIT_SHAPE_DIFFERENT)
    say_different (shape, words);
  else if (shape->verdict == CULPRIT_SHAPE_INCONCLUSIVE)
    say_inconclusive (shape, words);
  else
    g_string_append_printf (
        words, "; %u and %u runs, %u peak%s in the same place, at most %.3f apart once aligned (margin %.3f)",
        shape->base_runs, shape->other_runs, shape->peaks->len, shape->peaks->len == 1 ? "" : "s", shape->distance_high,
        shape->margin);
  return g_string_free (g_string_append_c (words, '.'), FALSE);
}
