/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the spans of functions by name, and steps from one to the next. */
#include "lane-private.h"
#include "names.h"

/* A matching span, with copies of its most used facts: the spans are far apart in memory. */
typedef struct
{
  guint64 start_ns;
  guint32 length_ns; /* LONG_NS: see the span */
  guint32 span;
} Found;

struct _CulpritTimelineMatches
{
  const CulpritTimeline *timeline;
  guint8 *functions; /* by function number: whether it matches */
  guint n_functions;
  guint64 calls;
  GArray **lanes;     /* of Found: the matching spans of each lane, in order */
  GArray **continued; /* of guint: indices of those that only continue a call, likewise */
};

typedef gboolean (*Matcher) (const CulpritFunction *function, const char *text);

static gboolean
name_contains (const CulpritFunction *function, const char *text)
{
  return strcasestr (function->name, text) != NULL;
}

static gboolean
is_known_by (const CulpritFunction *function, const char *text)
{
  g_autofree char *key = NULL;

  if (!g_str_has_prefix (text, function->name))
    return FALSE;
  key = culprit_function_key (function->name, function->module, function->ordinal);
  return g_str_equal (key, text);
}

static void
find_spans (CulpritTimelineMatches *matches, guint lane_index)
{
  const Lane *lane = g_ptr_array_index (matches->timeline->lanes, lane_index);
  GArray *found = g_array_new (FALSE, FALSE, sizeof (Found));
  GArray *continued = g_array_new (FALSE, FALSE, sizeof (guint));

  matches->lanes[lane_index] = found;
  matches->continued[lane_index] = continued;
  if (lane->depth < 0 || matches->n_functions == 0)
    return;
  for (guint32 i = 0; i < lane->spans->len; i++)
    {
      const Span *span = lane_span (lane, i);
      Found one = { span->start_ns, span->length_ns, i };

      if (G_LIKELY (!matches->functions[span_what (span)]))
        continue;
      if (span_begins (span))
        matches->calls++;
      else
        g_array_append_val (continued, found->len);
      g_array_append_val (found, one);
    }
}

static CulpritTimelineMatches *
find_matches (const CulpritTimeline *timeline, const char *text, Matcher matcher)
{
  CulpritTimelineMatches *matches = g_new0 (CulpritTimelineMatches, 1);
  const GArray *functions = timeline->capture->functions;

  matches->timeline = timeline;
  matches->functions = g_new0 (guint8, functions->len);
  matches->lanes = g_new0 (GArray *, timeline->lanes->len + 1);
  matches->continued = g_new0 (GArray *, timeline->lanes->len + 1);
  for (guint i = CULPRIT_FUNCTION_PSEUDO; i < functions->len && *text; i++)
    {
      matches->functions[i] = matcher (&g_array_index (functions, CulpritFunction, i), text);
      matches->n_functions += matches->functions[i];
    }
  for (guint i = 0; i < timeline->lanes->len; i++)
    find_spans (matches, i);
  return matches;
}

CulpritTimelineMatches *
culprit_timeline_search (const CulpritTimeline *timeline, const char *text)
{
  return find_matches (timeline, text, name_contains);
}

CulpritTimelineMatches *
culprit_timeline_match (const CulpritTimeline *timeline, const char *key)
{
  return find_matches (timeline, key, is_known_by);
}

void
culprit_timeline_matches_free (CulpritTimelineMatches *matches)
{
  for (guint i = 0; matches->lanes[i]; i++)
    {
      g_array_unref (matches->lanes[i]);
      g_array_unref (matches->continued[i]);
    }
  g_free (matches->lanes);
  g_free (matches->continued);
  g_free (matches->functions);
  g_free (matches);
}

guint64
culprit_timeline_matches_calls (const CulpritTimelineMatches *matches)
{
  return matches->calls;
}

guint
culprit_timeline_matches_functions (const CulpritTimelineMatches *matches)
{
  return matches->n_functions;
}

gboolean
culprit_timeline_matches_has (const CulpritTimelineMatches *matches, guint function)
{
  return matches->functions[function];
}

static const Lane *
lane_of (const CulpritTimelineMatches *matches, guint lane)
{
  return g_ptr_array_index (matches->timeline->lanes, lane);
}

/* How many of a lane's matches begin before @at_ns, or also at it if @or_at. */
static guint
count_before (const CulpritTimelineMatches *matches, guint lane, guint64 at_ns, gboolean or_at)
{
  guint low = 0;
  guint high = matches->lanes[lane]->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      guint64 start_ns = g_array_index (matches->lanes[lane], Found, middle).start_ns;

      if (start_ns < at_ns || (or_at && start_ns == at_ns))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* How many of a lane's matches begin before @place; with @or_at, including the one there. */
static guint
count_to_place (const CulpritTimelineMatches *matches, guint lane, const CulpritTimelinePlace *place, gboolean or_at)
{
  const GArray *found = matches->lanes[lane];
  guint low = 0;
  guint high = found->len;

  if (lane != place->lane || place->span == CULPRIT_TIMELINE_NONE)
    return count_before (matches, lane, place->start_ns, lane < place->lane || (lane == place->lane && or_at));
  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      guint32 span = g_array_index (found, Found, middle).span;

      if (span < place->span || (or_at && span == place->span))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* The first match from @i on that begins at or after @at_ns; near ones are found quickly. */
static guint
first_from (const GArray *found, guint i, guint64 at_ns)
{
  guint step = 1;
  guint low = i;

  while (i < found->len && g_array_index (found, Found, i).start_ns < at_ns)
    {
      low = i + 1;
      i = found->len - i > step ? i + step : found->len;
      step *= 2;
    }
  while (low < i)
    {
      guint middle = low + (i - low) / 2;

      if (g_array_index (found, Found, middle).start_ns < at_ns)
        low = middle + 1;
      else
        i = middle;
    }
  return low;
}

/* The match @i of @lane, skipping spans that only continue a call in the direction of @step. */
static CulpritTimelinePlace
place_at (const CulpritTimelineMatches *matches, guint lane, gint64 i, gint step)
{
  const GArray *found = matches->lanes[lane];

  for (; i >= 0 && i < found->len; i += step)
    {
      const Found *one = &g_array_index (found, Found, i);

      if (span_begins (lane_span (lane_of (matches, lane), one->span)))
        return (CulpritTimelinePlace) { lane, one->span, one->start_ns };
    }
  return (CulpritTimelinePlace) { lane, CULPRIT_TIMELINE_NONE, 0 };
}

CulpritTimelinePlace
culprit_timeline_matches_next (const CulpritTimelineMatches *matches, CulpritTimelinePlace place)
{
  CulpritTimelinePlace best = { 0, CULPRIT_TIMELINE_NONE, 0 };

  for (guint lane = 0; lane < matches->timeline->lanes->len; lane++)
    {
      guint i = count_to_place (matches, lane, &place, TRUE);
      CulpritTimelinePlace found = place_at (matches, lane, i, 1);

      if (found.span != CULPRIT_TIMELINE_NONE && (best.span == CULPRIT_TIMELINE_NONE || found.start_ns < best.start_ns))
        best = found;
    }
  return best;
}

CulpritTimelinePlace
culprit_timeline_matches_previous (const CulpritTimelineMatches *matches, CulpritTimelinePlace place)
{
  CulpritTimelinePlace best = { 0, CULPRIT_TIMELINE_NONE, 0 };

  for (guint lane = 0; lane < matches->timeline->lanes->len; lane++)
    {
      guint i = count_to_place (matches, lane, &place, FALSE);
      CulpritTimelinePlace found = place_at (matches, lane, (gint64) i - 1, -1);

      if (found.span != CULPRIT_TIMELINE_NONE &&
          (best.span == CULPRIT_TIMELINE_NONE || found.start_ns >= best.start_ns))
        best = found;
    }
  return best;
}

/* Whether a call that matches begins at @place. */
static gboolean
is_match (const CulpritTimelineMatches *matches, const CulpritTimelinePlace *place)
{
  const Span *span;

  if (place->span == CULPRIT_TIMELINE_NONE || lane_of (matches, place->lane)->depth < 0)
    return FALSE;
  span = lane_span (lane_of (matches, place->lane), place->span);
  return matches->functions[span_what (span)] && span_begins (span);
}

guint64
culprit_timeline_matches_rank (const CulpritTimelineMatches *matches, CulpritTimelinePlace place)
{
  guint64 rank = 0;

  for (guint lane = 0; lane < matches->timeline->lanes->len && is_match (matches, &place); lane++)
    {
      guint n = count_to_place (matches, lane, &place, TRUE);
      const GArray *continued = matches->continued[lane];

      rank += n;
      for (guint i = 0; i < continued->len && g_array_index (continued, guint, i) < n; i++)
        rank--;
    }
  return rank;
}

static guint64
found_end_ns (const Lane *lane, const Found *found)
{
  return G_LIKELY (found->length_ns != LONG_NS) ? found->start_ns + found->length_ns : lane_end_ns (lane, found->span);
}

CulpritTimelineSum
culprit_timeline_matches_sum (const CulpritTimelineMatches *matches, guint lane_index, guint64 start_ns, guint64 end_ns)
{
  const Lane *lane = lane_of (matches, lane_index);
  const GArray *found = matches->lanes[lane_index];
  CulpritTimelineSum sum = { .what = CULPRIT_TIMELINE_NONE };

  for (guint i = count_before (matches, lane_index, start_ns, FALSE); i < found->len; i++)
    {
      const Found *one = &g_array_index (found, Found, i);
      const Span *span = lane_span (lane, one->span);

      if (found_end_ns (lane, one) > end_ns)
        break;
      sum.what = sum.spans == 0 || sum.what == span_what (span) ? span_what (span) : CULPRIT_TIMELINE_NONE;
      sum.spans++;
      sum.calls += span_begins (span);
      sum.total_ns += found_end_ns (lane, one) - one->start_ns;
    }
  return sum;
}

/* Reads from the span only what is drawn of one as long as a pixel. */
static CulpritTimelineMark
mark_found (const Lane *lane, const Found *found, guint64 pixel_ns)
{
  CulpritTimelineMark mark = {
    .start_ns = found->start_ns, .end_ns = found_end_ns (lane, found), .span = found->span, .fill = 1, .alone = TRUE
  };
  const Span *span;

  if (found->length_ns < pixel_ns)
    return mark;
  span = lane_span (lane, found->span);
  mark.what = span_what (span);
  mark.marks = span_marks (span);
  mark.context = span_context (span);
  return mark;
}

void
culprit_timeline_matches_query (const CulpritTimelineMatches *matches,
                                guint lane_index,
                                guint64 start_ns,
                                guint64 end_ns,
                                guint pixels,
                                GArray *marks)
{
  const Lane *lane = lane_of (matches, lane_index);
  const GArray *found = matches->lanes[lane_index];
  guint64 pixel_ns = end_ns > start_ns ? MAX ((end_ns - start_ns) / MAX (pixels, 1), 1) : 1;
  guint i = count_before (matches, lane_index, start_ns, FALSE);

  if (i > 0 && found_end_ns (lane, &g_array_index (found, Found, i - 1)) > start_ns)
    i--;
  while (i < found->len && g_array_index (found, Found, i).start_ns < end_ns)
    {
      CulpritTimelineMark mark = mark_found (lane, &g_array_index (found, Found, i), pixel_ns);
      guint next = first_from (found, i + 1, MAX (mark.end_ns, mark.start_ns + pixel_ns));

      g_array_append_val (marks, mark);
      if (next > i + 1 && g_array_index (found, Found, next - 1).length_ns >= pixel_ns)
        next--;
      i = next;
    }
}
