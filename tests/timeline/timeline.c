/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests buckets, queries, hits and searches against the most obvious implementation. */
#include "timeline/timeline.h"
#include "capture/capture-private.h"
#include "timeline/lane-private.h"

#include <string.h>
#include <sys/resource.h>

#define ORIGIN_NS G_GUINT64_CONSTANT (5000000000)

static const char *capture_path;

/* A lane of @n random spans: bursts of short ones, silence, some long ones, some of no length. */
static CulpritTimelineLane *
draw_lane (GRand *random, guint n)
{
  CulpritTimelineLane *lane = lane_new (0, 0);
  guint64 now_ns = ORIGIN_NS;

  for (guint i = 0; i < n; i++)
    {
      gboolean burst = g_rand_int_range (random, 0, 50) > 0;
      guint64 length_ns = g_rand_int_range (random, 0, 40) == 0 ? (guint64) g_rand_int_range (random, 0, 200000)
                                                                : (guint64) g_rand_int_range (random, 0, 300);

      now_ns += burst ? g_rand_int_range (random, 0, 3) * 40 : g_rand_int_range (random, 0, 400000);
      lane_add (lane, now_ns, now_ns + length_ns, g_rand_int_range (random, 3, 40), length_ns, length_ns / 2);
      now_ns += length_ns;
    }
  return lane;
}

static guint64
part_ns (const CulpritTimelineLane *lane, guint32 span, guint64 start_ns, guint64 end_ns)
{
  guint64 from_ns = MAX (lane_span (lane, span)->start_ns, start_ns);
  guint64 to_ns = MIN (lane_end_ns (lane, span), end_ns);

  return to_ns > from_ns ? to_ns - from_ns : 0;
}

/* Fails unless @bucket summarises the spans from @start_ns to @end_ns. */
static void
check_bucket (const CulpritTimelineLane *lane, const Piece *bucket, guint64 start_ns, guint64 end_ns)
{
  guint64 longest_ns = 0;
  double covered_ns = 0;
  gboolean any = FALSE;

  for (guint32 span = lane_first_ending_after (lane, 0, start_ns > 0 ? start_ns - 1 : 0);
       span < lane->spans->len && lane_span (lane, span)->start_ns < end_ns; span++)
    {
      covered_ns += part_ns (lane, span, start_ns, end_ns);
      longest_ns = MAX (longest_ns, part_ns (lane, span, start_ns, end_ns));
      any = any || part_ns (lane, span, start_ns, end_ns) > 0;
    }
  g_assert_cmpfloat_with_epsilon (bucket->covered_ns, covered_ns, covered_ns * 1e-5 + 1e-3);
  if (any)
    g_assert_cmpuint (part_ns (lane, bucket->dominant, start_ns, end_ns), ==, longest_ns);
}

static void
test_every_bucket_has_the_longest_part (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (guint i = 0; i < 12; i++)
    {
      CulpritTimelineLane *lane = draw_lane (random, g_rand_int_range (random, 1, 5000));

      lane_index (lane, ORIGIN_NS, lane->last_end_ns + 1000);
      for (guint level = 0; level < lane->levels; level++)
        for (guint bucket = 0; bucket < lane->n_buckets >> level; bucket++)
          {
            guint64 start_ns = lane->origin_ns + bucket * (lane->bucket_ns << level);

            check_bucket (lane, &lane->buckets[level][bucket], start_ns, start_ns + (lane->bucket_ns << level));
          }
      lane_free (lane);
    }
}

/* A timeline of one lane, without a capture. */
static CulpritTimeline
timeline_of (CulpritTimelineLane *lane)
{
  CulpritTimeline timeline = { .lanes = g_ptr_array_new_with_free_func ((GDestroyNotify) lane_free) };

  lane_index (lane, ORIGIN_NS, lane->last_end_ns + 1000);
  g_ptr_array_add (timeline.lanes, lane);
  return timeline;
}

/* Whether @marks have @span as one of its own. */
static gboolean
has_alone (const GArray *marks, guint32 span)
{
  for (guint i = 0; i < marks->len; i++)
    {
      const CulpritTimelineMark *mark = &g_array_index (marks, CulpritTimelineMark, i);

      if (mark->span == span && mark->alone)
        return TRUE;
    }
  return FALSE;
}

/* Whether a mark lies less than @within_ns from all of [@start_ns, @end_ns). */
static gboolean
has_mark_at (const GArray *marks, guint64 start_ns, guint64 end_ns, guint64 within_ns)
{
  for (guint i = 0; i < marks->len; i++)
    {
      const CulpritTimelineMark *mark = &g_array_index (marks, CulpritTimelineMark, i);

      if (mark->start_ns < end_ns + within_ns && mark->end_ns + within_ns > start_ns)
        return TRUE;
    }
  return FALSE;
}

static void
check_query (const CulpritTimeline *timeline, guint64 start_ns, guint64 end_ns, guint pixels)
{
  const CulpritTimelineLane *lane = g_ptr_array_index (timeline->lanes, 0);
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (CulpritTimelineMark));
  guint64 pixel_ns = MAX ((end_ns - start_ns) / pixels, 1);
  guint64 before_ns = 0;

  culprit_timeline_query (timeline, 0, start_ns, end_ns, pixels, marks);
  g_assert_cmpuint (marks->len, <=, 4 * pixels + 4);
  for (guint i = 0; i < marks->len; i++)
    {
      const CulpritTimelineMark *mark = &g_array_index (marks, CulpritTimelineMark, i);

      g_assert_cmpuint (mark->start_ns, >=, before_ns);
      g_assert_cmpuint (mark->end_ns, >=, mark->start_ns);
      g_assert_true (mark->fill > 0 && mark->fill <= 1);
      g_assert_cmpuint (mark->start_ns, <, end_ns);
      before_ns = mark->end_ns;
    }
  for (guint32 span = 0; span < lane->spans->len; span++)
    {
      if (part_ns (lane, span, start_ns, end_ns) == 0)
        continue;
      if (lane_length_ns (lane, span) >= pixel_ns && part_ns (lane, span, start_ns, end_ns) >= pixel_ns)
        g_assert_true (has_alone (marks, span));
      g_assert_true (has_mark_at (marks, MAX (start_ns, lane_span (lane, span)->start_ns),
                                  MIN (end_ns, lane_end_ns (lane, span)), pixel_ns));
    }
}

static void
test_what_is_as_long_as_a_pixel_has_its_own_mark (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (2);

  for (guint i = 0; i < 40; i++)
    {
      CulpritTimeline timeline = timeline_of (draw_lane (random, g_rand_int_range (random, 1, 3000)));
      guint64 all_ns = ((const CulpritTimelineLane *) g_ptr_array_index (timeline.lanes, 0))->last_end_ns - ORIGIN_NS;

      check_query (&timeline, ORIGIN_NS, ORIGIN_NS + all_ns + 1, 500);
      for (double zoom = 2; zoom < 1e5; zoom *= 5)
        {
          guint64 length_ns = MAX (all_ns / zoom, 10);
          guint64 start_ns = ORIGIN_NS + g_rand_double_range (random, 0, MAX (all_ns - length_ns, 1));

          check_query (&timeline, start_ns, start_ns + length_ns, g_rand_int_range (random, 1, 800));
        }
      g_ptr_array_unref (timeline.lanes);
    }
}

static void
test_a_sum_is_that_of_the_spans_inside (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (5);

  for (guint i = 0; i < 200; i++)
    {
      CulpritTimelineLane *lane = draw_lane (random, g_rand_int_range (random, 1, 1000));
      CulpritTimeline timeline;
      guint64 length_ns = lane->last_end_ns - ORIGIN_NS;
      guint64 start_ns = ORIGIN_NS + (guint64) (g_rand_double (random) * length_ns / 2);
      guint64 end_ns = start_ns + (guint64) (g_rand_double (random) * length_ns);
      CulpritTimelineSum expected = { .what = CULPRIT_TIMELINE_NONE };
      CulpritTimelineSum sum;

      /* In half of them, most spans are calls of one function. */
      for (guint32 span = 0; i % 2 == 0 && span < lane->spans->len * 2 / 3; span++)
        g_array_index (lane->spans, Span, span).what = 5;
      timeline = timeline_of (lane);
      sum = culprit_timeline_sum (&timeline, 0, start_ns, end_ns);
      for (guint32 span = 0; span < lane->spans->len; span++)
        if (lane_span (lane, span)->start_ns >= start_ns && lane_end_ns (lane, span) <= end_ns)
          {
            guint32 what = span_what (lane_span (lane, span));

            expected.what = expected.spans == 0 || expected.what == what ? what : CULPRIT_TIMELINE_NONE;
            expected.spans++;
            expected.calls += span_begins (lane_span (lane, span));
            expected.total_ns += lane_length_ns (lane, span);
          }
      g_assert_cmpuint (sum.spans, ==, expected.spans);
      g_assert_cmpuint (sum.calls, ==, expected.calls);
      g_assert_cmpuint (sum.total_ns, ==, expected.total_ns);
      g_assert_cmpuint (sum.what, ==, expected.what);
      g_ptr_array_unref (timeline.lanes);
    }
}

static void
test_a_hit_is_the_span_at_that_time_or_the_longest_near_it (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  CulpritTimeline timeline = timeline_of (draw_lane (random, 2000));
  const CulpritTimelineLane *lane = g_ptr_array_index (timeline.lanes, 0);

  for (guint i = 0; i < 5000; i++)
    {
      guint64 at_ns = ORIGIN_NS + g_rand_double_range (random, 0, lane->last_end_ns + 100 - ORIGIN_NS);
      guint64 within_ns = g_rand_int_range (random, 0, 3) * 200;
      guint32 found = culprit_timeline_hit (&timeline, 0, at_ns, within_ns);
      guint64 longest_ns = 0;
      guint32 inside = CULPRIT_TIMELINE_NONE;

      for (guint32 span = 0; span < lane->spans->len; span++)
        {
          if (lane_span (lane, span)->start_ns <= at_ns && lane_end_ns (lane, span) > at_ns)
            inside = span;
          if (part_ns (lane, span, at_ns - within_ns, at_ns + within_ns) > 0)
            longest_ns = MAX (longest_ns, lane_length_ns (lane, span));
        }
      if (inside != CULPRIT_TIMELINE_NONE)
        g_assert_cmpuint (found, ==, inside);
      else if (longest_ns > 0)
        g_assert_cmpuint (lane_length_ns (lane, found), ==, longest_ns);
      else if (found != CULPRIT_TIMELINE_NONE)
        g_assert_cmpuint (lane_length_ns (lane, found), ==, 0);
    }
  g_ptr_array_unref (timeline.lanes);
}

static void
test_a_span_of_hours_keeps_its_numbers (void)
{
  CulpritTimelineLane *lane = lane_new (0, 0);
  CulpritTimeline timeline;

  lane_add (lane, ORIGIN_NS, ORIGIN_NS + 10, 3, 10, 0);
  lane_add (lane, ORIGIN_NS + 20, ORIGIN_NS + 20 + 7200 * G_GUINT64_CONSTANT (1000000000), 4, 1, 0);
  lane_add (lane, lane->last_end_ns, lane->last_end_ns + 5, 5, 5, 0);
  timeline = timeline_of (lane);
  g_assert_cmpuint (lane_length_ns (lane, 1), ==, 7200 * G_GUINT64_CONSTANT (1000000000));
  g_assert_cmpuint (culprit_timeline_hit (&timeline, 0, ORIGIN_NS + 3600 * G_GUINT64_CONSTANT (1000000000), 0), ==, 1);
  check_query (&timeline, ORIGIN_NS, lane->last_end_ns, 100);
  g_ptr_array_unref (timeline.lanes);
}

/* All calls of functions that contain @text, in order of time and lanes. */
static GArray *
find_slowly (const CulpritTimeline *timeline, const char *text)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (CulpritTimelinePlace));

  for (guint lane = 0; lane < timeline->lanes->len; lane++)
    for (guint32 span = 0; span < culprit_timeline_lane_spans (timeline, lane); span++)
      {
        CulpritTimelineCall call;
        g_autofree char *name = NULL;

        culprit_timeline_describe (timeline, lane, span, &call);
        name = g_ascii_strdown (call.name, -1);
        if (call.depth >= 0 && strstr (name, text) && !(call.marks & CULPRIT_SPAN_CONTINUED))
          g_array_append_val (places, ((CulpritTimelinePlace) { lane, span, call.span_start_ns }));
      }
  return places;
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const CulpritTimelinePlace *left = a;
  const CulpritTimelinePlace *right = b;

  if (left->start_ns != right->start_ns)
    return left->start_ns < right->start_ns ? -1 : 1;
  return left->lane < right->lane ? -1 : left->lane > right->lane;
}

static void
check_search (const CulpritTimeline *timeline, const char *text, const char *lower)
{
  g_autoptr (CulpritTimelineMatches) matches = culprit_timeline_search (timeline, text);
  g_autoptr (GArray) places = find_slowly (timeline, lower);
  CulpritTimelinePlace place = { 0, CULPRIT_TIMELINE_NONE, 0 };

  g_array_sort (places, compare_places);
  g_assert_cmpuint (culprit_timeline_matches_calls (matches), ==, places->len);
  for (guint i = 0; i < places->len; i++)
    {
      place = culprit_timeline_matches_next (matches, place);
      g_assert_cmpint (compare_places (&place, &g_array_index (places, CulpritTimelinePlace, i)), ==, 0);
      g_assert_cmpuint (culprit_timeline_matches_rank (matches, place), ==, i + 1);
    }
  g_assert_cmpuint (culprit_timeline_matches_next (matches, place).span, ==, CULPRIT_TIMELINE_NONE);
  for (guint i = places->len; i > 1; i--)
    {
      place = culprit_timeline_matches_previous (matches, place);
      g_assert_cmpint (compare_places (&place, &g_array_index (places, CulpritTimelinePlace, i - 2)), ==, 0);
    }
}

static void
test_a_search_goes_through_all_calls_in_the_order_of_time (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CulpritTimeline) timeline = culprit_timeline_read (capture_path, NULL, 0, NULL, &error);

  g_assert_no_error (error);
  check_search (timeline, "TIMER", "timer");
  check_search (timeline, "ehci_work", "ehci_work");
  check_search (timeline, "E", "e");
  check_search (timeline, "no such function", "no such function");
}

static void
test_what_does_not_match_has_no_rank (void)
{
  g_autoptr (CulpritTimeline) timeline = culprit_timeline_read (capture_path, NULL, 0, NULL, NULL);
  g_autoptr (CulpritTimelineMatches) matches = culprit_timeline_search (timeline, "ehci_work");
  g_autoptr (CulpritTimelineMatches) others = culprit_timeline_match (timeline, "hrtimer_interrupt");
  const CulpritTimelinePlace nowhere = { 0, CULPRIT_TIMELINE_NONE, 0 };
  CulpritTimelinePlace place = culprit_timeline_matches_next (others, nowhere);

  g_assert_cmpuint (culprit_timeline_matches_rank (matches, nowhere), ==, 0);
  g_assert_cmpuint (culprit_timeline_matches_rank (others, place), ==, 1);
  g_assert_cmpuint (culprit_timeline_matches_rank (matches, place), ==, 0);
  g_assert_cmpuint (culprit_timeline_matches_rank (matches, (CulpritTimelinePlace) { 0, 0, 0 }), ==, 0);
}

static void
test_the_spans_of_a_match_are_marked_wherever_they_are (void)
{
  g_autoptr (CulpritTimeline) timeline = culprit_timeline_read (capture_path, NULL, 0, NULL, NULL);
  g_autoptr (CulpritTimelineMatches) matches = culprit_timeline_match (timeline, "hrtimer_interrupt");
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (CulpritTimelineMark));
  guint64 length_ns = timeline->last_ns - timeline->first_ns + 1;

  g_assert_cmpuint (culprit_timeline_matches_functions (matches), ==, 1);
  for (guint lane = 0; lane < timeline->lanes->len; lane++)
    for (guint32 span = 0; span < culprit_timeline_lane_spans (timeline, lane); span++)
      {
        CulpritTimelineCall call;

        culprit_timeline_describe (timeline, lane, span, &call);
        if (!g_str_equal (call.name, "hrtimer_interrupt"))
          continue;
        g_array_set_size (marks, 0);
        culprit_timeline_matches_query (matches, lane, timeline->first_ns, timeline->last_ns + 1, 300, marks);
        g_assert_cmpuint (marks->len, <=, 600);
        g_assert_true (has_mark_at (marks, call.span_start_ns, call.span_end_ns, length_ns / 300 + 1));
      }
}

/* Whether a mark is of @span. */
static gboolean
has_mark_of (const GArray *marks, guint32 span)
{
  for (guint i = 0; i < marks->len; i++)
    if (g_array_index (marks, CulpritTimelineMark, i).span == span)
      return TRUE;
  return FALSE;
}

static void
test_a_match_that_is_longer_than_a_pixel_has_its_own_mark (void)
{
  g_autoptr (CulpritTimeline) timeline = culprit_timeline_read (capture_path, NULL, 0, NULL, NULL);
  g_autoptr (CulpritTimelineMatches) matches = culprit_timeline_search (timeline, "e");
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (CulpritTimelineMark));
  guint64 end_ns = timeline->last_ns + 1;
  guint checked = 0;

  for (guint pixels = 10; pixels < 100000; pixels *= 10)
    for (guint lane_index = 0; lane_index < timeline->lanes->len; lane_index++)
      {
        const CulpritTimelineLane *lane = g_ptr_array_index (timeline->lanes, lane_index);

        g_array_set_size (marks, 0);
        culprit_timeline_matches_query (matches, lane_index, timeline->first_ns, end_ns, pixels, marks);
        for (guint32 span = 0; span < lane->spans->len && lane->depth >= 0; span++)
          if (culprit_timeline_matches_has (matches, span_what (lane_span (lane, span))) &&
              lane_length_ns (lane, span) > (end_ns - timeline->first_ns) / pixels)
            {
              g_assert_true (has_mark_of (marks, span));
              checked++;
            }
      }
  g_assert_cmpuint (checked, >, 1000);
}

/* Fails unless @facts agree with looking at each span of the capture. */
static void
check_facts (const CulpritTimeline *timeline, const CulpritTimelinePlace *place, const CulpritTimelineFacts *facts)
{
  guint64 printed_ns = facts->other_ns;
  guint64 found_ns = 0;
  guint64 most_ns = G_MAXUINT64;

  for (guint i = 0; i < facts->callees->len; i++)
    {
      const CulpritTimelineCallee *callee = &g_array_index (facts->callees, CulpritTimelineCallee, i);

      g_assert_cmpuint (callee->total_ns, <=, most_ns);
      most_ns = callee->total_ns;
      printed_ns += callee->total_ns;
    }
  g_assert_cmpuint (facts->other_ns == 0 ? 0 : facts->callees->len, ==, facts->other_ns == 0 ? 0 : 2);
  for (guint32 span = 0; span < culprit_timeline_lane_spans (timeline, place->lane + 1); span++)
    {
      CulpritTimelineCall called;

      culprit_timeline_describe (timeline, place->lane + 1, span, &called);
      if (called.span_start_ns >= facts->call.span_start_ns && called.span_end_ns <= facts->call.span_end_ns)
        found_ns += called.span_end_ns - called.span_start_ns;
    }
  g_assert_cmpuint (printed_ns, ==, found_ns);
}

static void
test_the_facts_of_a_call_are_those_of_its_spans (void)
{
  g_autoptr (CulpritTimeline) timeline = culprit_timeline_read (capture_path, NULL, 0, NULL, NULL);
  g_autoptr (CulpritTimelineMatches) matches = culprit_timeline_match (timeline, "hrtimer_interrupt");
  CulpritTimelinePlace place = { 0, CULPRIT_TIMELINE_NONE, 0 };
  guint64 expected_ns = culprit_capture_outlier (timeline->capture)->start_ns;

  for (guint64 i = 0; i < culprit_timeline_matches_calls (matches); i++)
    {
      g_autoptr (CulpritTimelineFacts) facts = NULL;
      CulpritTimelineCall caller;

      place = culprit_timeline_matches_next (matches, place);
      facts = culprit_timeline_facts (timeline, &place, 2);
      g_assert_cmpstr (facts->call.name, ==, "hrtimer_interrupt");
      g_assert_cmpuint (facts->length_ns, ==, facts->call.end_ns - facts->call.start_ns);
      g_assert_cmpuint (facts->untraced_ns + facts->call.tracing_ns, ==, facts->call.self_ns);
      g_assert_cmpuint (expected_ns + facts->from_expected_ns, ==, facts->call.start_ns);
      g_assert_cmpuint (facts->caller.span, !=, CULPRIT_TIMELINE_NONE);
      culprit_timeline_describe (timeline, facts->caller.lane, facts->caller.span, &caller);
      g_assert_cmpuint (caller.span_start_ns, <=, facts->call.span_start_ns);
      g_assert_cmpuint (caller.span_end_ns, >=, facts->call.span_end_ns);
      check_facts (timeline, &place, facts);
    }
}

/* Adds a CPU of @n_lanes lanes with @n spans in each, of which many are at one time. */
static void
add_crowded_cpu (CulpritTimeline *timeline, GRand *random, guint n_lanes, guint n)
{
  CulpritTimelineCpu cpu = { timeline->cpus->len, ORIGIN_NS, ORIGIN_NS + 4 * n, timeline->lanes->len, n_lanes };

  for (guint i = 0; i < n_lanes; i++)
    {
      CulpritTimelineLane *lane = lane_new (timeline->cpus->len, (int) i - 1);
      guint64 now_ns = ORIGIN_NS;

      for (guint span = 0; span < n; span++)
        {
          guint64 length_ns = g_rand_int_range (random, 0, 8) == 0;

          lane_add (lane, now_ns, now_ns + length_ns, 0, length_ns, 0);
          now_ns += length_ns + (g_rand_int_range (random, 0, 8) == 0);
        }
      g_ptr_array_add (timeline->lanes, lane);
      timeline->last_ns = MAX (timeline->last_ns, now_ns);
    }
  timeline->first_ns = ORIGIN_NS;
  g_array_append_val (timeline->cpus, cpu);
}

static void
test_events_have_their_places_wherever_reading_begins (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  g_autoptr (CulpritTimeline) timeline = timeline_new (capture_new ());
  g_autoptr (CulpritTimelineEvents) events = NULL;
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (CulpritTimelineEvent));

  for (guint i = 0; i < 3; i++)
    add_crowded_cpu (timeline, random, 4, 100);
  events = culprit_timeline_events_new (timeline);
  culprit_timeline_events_read (events, 0, G_MAXUINT, all);
  g_assert_cmpuint (all->len, ==, 3 * 100 * (1 + 3 * 2));
  g_assert_cmpuint (all->len, ==, culprit_timeline_events_count (events));
  for (guint first = 0; first < all->len; first++)
    {
      g_autoptr (GArray) read = g_array_new (FALSE, FALSE, sizeof (CulpritTimelineEvent));

      culprit_timeline_events_read (events, first, 5, read);
      g_assert_cmpuint (read->len, ==, MIN (5, all->len - first));
      for (guint i = 0; i < read->len; i++)
        {
          const CulpritTimelineEvent *event = &g_array_index (read, CulpritTimelineEvent, i);
          const CulpritTimelineEvent *same = &g_array_index (all, CulpritTimelineEvent, first + i);

          g_assert_cmpuint (event->at_ns, ==, same->at_ns);
          g_assert_cmpuint (event->lane, ==, same->lane);
          g_assert_cmpuint (event->span, ==, same->span);
          g_assert_cmpuint (event->kind, ==, same->kind);
        }
    }
}

#define ENOUGH_S 10 /* of processor time; it takes less than one */

static void
test_millions_of_events_at_one_time_are_passed_over (void)
{
  g_autoptr (CulpritTimeline) timeline = timeline_new (capture_new ());
  g_autoptr (CulpritTimelineEvents) events = NULL;
  g_autoptr (GArray) read = g_array_new (FALSE, FALSE, sizeof (CulpritTimelineEvent));
  CulpritTimelineCpu cpu = { 0, ORIGIN_NS, ORIGIN_NS + 10, 0, 4000 };
  struct rusage usage;
  struct rlimit limit;

  timeline->first_ns = ORIGIN_NS;
  timeline->last_ns = ORIGIN_NS + 10;
  g_array_append_val (timeline->cpus, cpu);
  for (guint i = 0; i < cpu.n_lanes; i++)
    {
      CulpritTimelineLane *lane = lane_new (0, (int) i - 1);

      for (guint span = 0; span < (i + 1 < cpu.n_lanes ? 1 : 2000000); span++)
        lane_add (lane, ORIGIN_NS + 5, ORIGIN_NS + 5, 0, 0, 0);
      g_ptr_array_add (timeline->lanes, lane);
    }
  events = culprit_timeline_events_new (timeline);
  g_assert_cmpint (getrusage (RUSAGE_SELF, &usage), ==, 0);
  g_assert_cmpint (getrlimit (RLIMIT_CPU, &limit), ==, 0);
  limit.rlim_cur = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + ENOUGH_S;
  g_assert_cmpint (setrlimit (RLIMIT_CPU, &limit), ==, 0);
  for (guint i = 0; i < 5; i++)
    culprit_timeline_events_read (events, culprit_timeline_events_count (events) - 4100, 10, read);
  g_assert_cmpuint (read->len, ==, 50);
  limit.rlim_cur = limit.rlim_max;
  g_assert_cmpint (setrlimit (RLIMIT_CPU, &limit), ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  if (argc != 2)
    return 2;
  capture_path = argv[1];
  g_test_add_func ("/timeline/buckets", test_every_bucket_has_the_longest_part);
  g_test_add_func ("/timeline/query", test_what_is_as_long_as_a_pixel_has_its_own_mark);
  g_test_add_func ("/timeline/sum", test_a_sum_is_that_of_the_spans_inside);
  g_test_add_func ("/timeline/hit", test_a_hit_is_the_span_at_that_time_or_the_longest_near_it);
  g_test_add_func ("/timeline/long", test_a_span_of_hours_keeps_its_numbers);
  g_test_add_func ("/timeline/search", test_a_search_goes_through_all_calls_in_the_order_of_time);
  g_test_add_func ("/timeline/rank", test_what_does_not_match_has_no_rank);
  g_test_add_func ("/timeline/match", test_the_spans_of_a_match_are_marked_wherever_they_are);
  g_test_add_func ("/timeline/long-match", test_a_match_that_is_longer_than_a_pixel_has_its_own_mark);
  g_test_add_func ("/timeline/events", test_events_have_their_places_wherever_reading_begins);
  g_test_add_func ("/timeline/one-time", test_millions_of_events_at_one_time_are_passed_over);
  g_test_add_func ("/timeline/facts", test_the_facts_of_a_call_are_those_of_its_spans);
  return g_test_run ();
}
