/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts the fit of a tail, and what it says about a deadline, into sentences. */
#include "tail.h"

#include "units.h"

#include <math.h>

#define MOST_COUNTED 1e15 /* larger numbers are rounded to powers of ten */
#define LEAST_PART 1e-12  /* of wake-ups, that a prediction names */
#define FEW_BURSTS 0.8    /* of the extremal index: above, wake-ups do not visibly come in bursts */

/* Two digits are enough for what is only estimated. */
static char *
round_count (double count)
{
  double unit = count >= 100 ? pow (10, floor (log10 (count)) - 1) : 1;

  if (count >= MOST_COUNTED)
    return g_strdup_printf ("10^%.0f", floor (log10 (count)));
  return culprit_count_format (llround (count / unit) * unit);
}

static char *
time_or_none (double ns)
{
  return isfinite (ns)
             ? culprit_time_format (llround (CLAMP (ns, -(double) ((gint64) 1 << 62), (double) ((gint64) 1 << 62))))
             : g_strdup ("-");
}

/* "one in 31,000" */
static char *
one_in (double part)
{
  g_autofree char *count = round_count (1 / part);

  return g_strconcat ("one in ", count, NULL);
}

static char *
of_fit (const CulpritTail *tail)
{
  GString *text = g_string_new (NULL);
  g_autofree char *threshold = time_or_none (tail->threshold_ns);
  g_autofree char *exceeding = culprit_count_format (tail->exceeding);
  const CulpritEstimate *shape = &tail->shape;

  g_string_append_printf (text, "Fitted are the %s wake-ups above %s: shape %.3f (%.3f to %.3f), so that they %s.",
                          exceeding, threshold, shape->value, shape->low, shape->high,
                          shape->low > 0    ? "fall off more slowly than exponentially"
                          : shape->high < 0 ? "have an end"
                                            : "fall off about exponentially");
  if (tail->peak_count > 0)
    {
      g_autofree char *peak = culprit_time_format (tail->peak_ns);

      g_string_append_printf (text, " They are those above the peak at %s, without what is below it.", peak);
    }
  if (isnan (tail->extremal))
    g_string_append (
        text, " Only a histogram is known, which does not show whether late wake-ups come in bursts; if they do, "
              "the intervals are too narrow.");
  else if (tail->extremal < FEW_BURSTS)
    {
      g_autofree char *effective = round_count (tail->effective);

      g_string_append_printf (text, " They come in bursts of about %.1f and say as much as %s independent ones.",
                              1 / tail->extremal, effective);
    }
  g_string_append (text, " Causes that did not occur while measuring are not foreseen.");
  return g_string_free (text, FALSE);
}

static char *
of_few (const CulpritTail *tail)
{
  g_autofree char *exceeding = culprit_count_format (tail->exceeding);
  guint needed = culprit_tail_needed (tail);

  if (tail->exceeding >= needed)
    return g_strdup_printf ("Not predicted: %s wake-ups are late enough, but in bursts; as many as %u that are "
                            "independent of each other are needed. Measure longer.",
                            exceeding, needed);
  return g_strdup_printf (
      "Not predicted: %s%s wake-up%s %s, and %u are needed. Measure longer.", tail->exceeding == 0 ? "no" : "only ",
      tail->exceeding == 0 ? "" : exceeding, tail->exceeding <= 1 ? " is" : "s are",
      tail->asked.threshold_ns > 0 ? "above the threshold" : "above the last peak and among the latest tenth", needed);
}

static char *
of_far (const CulpritTail *tail)
{
  g_autofree char *most = time_or_none (tail->max_ns);
  g_autofree char *threshold = time_or_none (tail->threshold_ns);

  return g_strdup_printf (
      "Not predicted: the worst wake-up, %s, is far beyond what the others above %s lead to expect. "
      "It has a cause of its own.",
      most, threshold);
}

static char *
of_group (const CulpritTail *tail)
{
  g_autofree char *peak = culprit_time_format (tail->peak_ns);
  g_autofree char *count = culprit_count_format (tail->peak_count);
  g_autofree char *exceeding = culprit_count_format (tail->exceeding);

  return g_strdup_printf ("Not predicted: %s%s wake-ups, at about %s, are a group of their own, which the others do "
                          "not lead to expect. %s%s lie%s above that group, and %u are needed to fit it on its own.",
                          tail->exceeding == 0 ? "the worst " : "", count, peak,
                          tail->exceeding == 0 ? "None" : "Only ", tail->exceeding == 0 ? "" : exceeding,
                          tail->exceeding <= 1 ? "s" : "", CULPRIT_TAIL_LEAST);
}

static char *
of_cut (const CulpritTail *tail)
{
  g_autofree char *beyond = culprit_count_format (tail->beyond);

  if (tail->beyond == 0)
    return g_strdup (
        "Not predicted: the tool's maximum is above the end of its histogram, so the worst are missing in it. "
        "Measure with a longer one.");
  return g_strdup_printf (
      "Not predicted: %s wake-up%s above the end of the histogram, and how long is not known. Measure "
      "with a longer one.",
      beyond, tail->beyond == 1 ? " is" : "s are");
}

char *
culprit_tail_in_words (const CulpritTail *tail)
{
  switch (tail->outcome)
    {
    case CULPRIT_TAIL_FITTED:
      return of_fit (tail);
    case CULPRIT_TAIL_FEW:
      return of_few (tail);
    case CULPRIT_TAIL_GROUP:
      return of_group (tail);
    case CULPRIT_TAIL_FAR:
      return of_far (tail);
    case CULPRIT_TAIL_COARSE:
      return g_strdup (
          "Not predicted: the late wake-ups are in too few bins to show how they fall off. Measure with finer "
          "ones.");
    case CULPRIT_TAIL_CUT:
      return of_cut (tail);
    default:
      return g_strdup ("Not predicted: the tail is not stable. What lies above a high threshold contradicts what lies "
                       "above lower ones, as if there were several causes, each too rare to be told from the others.");
    }
}

gboolean
culprit_tail_once_in_parse (const char *text, double *once_in)
{
  char *end;

  *once_in = g_ascii_strtod (text, &end);
  return end != text && *end == '\0' && *once_in >= 2 && *once_in <= 1e18;
}

/* The levels. */

const char *const culprit_tail_heads[CULPRIT_TAIL_COLUMNS] = { "once in", "time", "latency", "95 % interval",
                                                               "the worst of so many" };

static char *
time_or_no_limit (double ns)
{
  return isfinite (ns) && fabs (ns) < (double) ((gint64) 1 << 62) ? culprit_time_format (llround (ns))
                                                                  : g_strdup ("no limit");
}

static char *
range_in_words (double low_ns, double high_ns)
{
  g_autofree char *low = time_or_no_limit (low_ns);
  g_autofree char *high = time_or_no_limit (high_ns);

  return g_strdup_printf ("%s to %s", low, high);
}

char **
culprit_tail_level_texts (const CulpritTailLevel *level, gint64 period_ns)
{
  char **texts = g_new0 (char *, CULPRIT_TAIL_COLUMNS + 1);

  texts[CULPRIT_TAIL_ONCE_IN] = culprit_count_format (level->once_in);
  texts[CULPRIT_TAIL_TIME] = period_ns > 0 ? culprit_long_time_format (level->once_in * period_ns) : g_strdup ("");
  texts[CULPRIT_TAIL_LATENCY] = time_or_no_limit (level->ns.value);
  texts[CULPRIT_TAIL_INTERVAL] = range_in_words (level->ns.low, level->ns.high);
  texts[CULPRIT_TAIL_WORST] = range_in_words (level->worst_low_ns, level->worst_high_ns);
  return texts;
}

gboolean
culprit_tail_level_is_usual (const CulpritTailLevel *level)
{
  for (const double *usual = culprit_tail_levels_usual; *usual > 0; usual++)
    if (level->once_in == *usual)
      return TRUE;
  return FALSE;
}

/* Whether it was tested long enough. */
static void
append_answer (GString *text, const CulpritTail *tail, gint64 period_ns)
{
  gboolean fitted = isfinite (tail->late_part.value);
  g_autofree char *asked = round_count (tail->asked.once_in);
  g_autofree char *more = isfinite (tail->more) ? round_count (ceil (tail->more)) : NULL;
  g_autofree char *time = more && period_ns > 0 ? culprit_long_time_format (tail->more * period_ns) : NULL;

  if (tail->more == 0)
    g_string_append_printf (text, " That is at most one in %s: tested long enough.", asked);
  else if (!more && (tail->divided || tail->hidden) && tail->surely_late * tail->asked.once_in < tail->n)
    g_string_append_printf (text,
                            " Whether that is more than one in %s is not known: measure with finer bins, or a longer "
                            "histogram.",
                            asked);
  else if (!more)
    g_string_append_printf (text, " That is probably more than one in %s: longer tests will not help.", asked);
  else
    g_string_append_printf (text, " Not tested long enough for one in %s: %s more wake-ups%s%s%s are needed, if %s.",
                            asked, more, time ? " (" : "", time ? time : "", time ? ")" : "",
                            fitted || tail->late > 0 ? "what is measured stays the same" : "none of them is so late");
}

/* The prediction with its interval. What is rarer than any test can show is not named: neither is how rare it is. */
static void
append_prediction (GString *text, const CulpritEstimate *part)
{
  g_autofree char *high = part->high >= LEAST_PART ? one_in (part->high) : NULL;

  if (part->value >= LEAST_PART)
    {
      g_autofree char *value = one_in (part->value);
      g_autofree char *low = part->low >= LEAST_PART ? one_in (part->low) : NULL;

      g_string_append_printf (text, "predicted is %s%s%s, at most %s (95 %% interval).", value,
                              low ? ", at least " : "", low ? low : "", high);
    }
  else if (high)
    g_string_append_printf (
        text, "predicted is less than one in 10^12, which no test can show; at most %s (95 %% interval).", high);
  else
    g_string_append (text, "predicted is, even at most, less than one in 10^12, which no test can show.");
}

char *
culprit_tail_deadline_in_words (const CulpritTail *tail, gint64 period_ns)
{
  g_autofree char *deadline = culprit_time_format (tail->asked.deadline_ns);
  g_autofree char *late = culprit_count_format (tail->late);
  g_autofree char *n = culprit_count_format (tail->n);
  g_autofree char *counted = one_in (tail->counted.high);
  GString *text;

  if (tail->asked.deadline_ns <= 0)
    return NULL;
  text = g_string_new (NULL);
  g_string_append_printf (
      text, "Late by %s or more: %s%s of %s wake-ups were%s; ", deadline, tail->hidden ? "at least " : "", late, n,
      !tail->divided     ? ""
      : tail->beyond > 0 ? ", or may have been, as that is within a bin of the histogram, or above its end"
                         : ", or may have been, as that is within a bin of the histogram");
  if (tail->hidden)
    g_string_append (text, "how many of those above the end of the histogram is not known.");
  else if (isfinite (tail->late_part.value))
    append_prediction (text, &tail->late_part);
  else
    g_string_append_printf (text, "by counting alone, if they are independent, at most %s (95 %% interval).", counted);
  if (tail->asked.once_in > 0)
    append_answer (text, tail, period_ns);
  return g_string_free (text, FALSE);
}
