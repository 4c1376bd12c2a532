/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys, searches, calls and what is told of them, in the timeline view. */
#include "view-fixture.h"

#include <string.h>

static void
test_it_begins_with_the_outlier_window_and_as_much_on_either_side (ViewFixture *fixture, gconstpointer data)
{
  const CulpritWindow *outlier = culprit_capture_outlier (fixture->timeline->capture);
  guint64 latency_ns = culprit_window_latency_ns (outlier);
  guint64 start_ns;
  guint64 length_ns;

  view_fixture_range (fixture, &start_ns, &length_ns);
  g_assert_cmpuint (length_ns, ==, 3 * latency_ns);
  g_assert_cmpuint (start_ns, <=, outlier->start_ns);
  g_assert_cmpuint (start_ns + length_ns, >=, outlier->end_ns);
  view_fixture_keep_picture (fixture, "first");
}

static void
test_keys_pan_and_zoom (ViewFixture *fixture, gconstpointer data)
{
  guint64 all_ns = fixture->timeline->last_ns - fixture->timeline->first_ns;
  guint64 start_ns;
  guint64 length_ns;
  guint64 moved_ns;

  view_fixture_press (fixture, GDK_KEY_0);
  view_fixture_range (fixture, &start_ns, &length_ns);
  g_assert_cmpuint (length_ns, ==, all_ns);
  view_fixture_press (fixture, GDK_KEY_plus);
  view_fixture_range (fixture, &start_ns, &length_ns);
  g_assert_cmpuint (length_ns, <, all_ns);
  view_fixture_press (fixture, GDK_KEY_Right);
  view_fixture_range (fixture, &moved_ns, &length_ns);
  g_assert_cmpuint (moved_ns, >, start_ns);
  view_fixture_press (fixture, GDK_KEY_Home);
  view_fixture_range (fixture, &start_ns, &length_ns);
  g_assert_cmpuint (start_ns, ==, fixture->timeline->first_ns);
  view_fixture_press (fixture, GDK_KEY_End);
  view_fixture_range (fixture, &start_ns, &length_ns);
  g_assert_cmpuint (start_ns + length_ns, >=, fixture->timeline->last_ns - 1);
  g_assert_cmpuint (fixture->ranges, >=, 5);
  view_fixture_press (fixture, GDK_KEY_l);
  test_it_begins_with_the_outlier_window_and_as_much_on_either_side (fixture, data);
}

static void
test_a_range_asked_for_is_shown (ViewFixture *fixture, gconstpointer data)
{
  guint64 wanted_ns = culprit_capture_outlier (fixture->timeline->capture)->start_ns + 1000;
  guint64 start_ns;
  guint64 length_ns;

  culprit_timeline_view_zoom_to (fixture->view, wanted_ns, wanted_ns + 50000);
  view_fixture_range (fixture, &start_ns, &length_ns);
  g_assert_cmpuint (start_ns, ==, wanted_ns);
  g_assert_cmpuint (length_ns, ==, 50000);
  culprit_timeline_view_zoom_to (fixture->view, 0, G_MAXINT64);
  view_fixture_range (fixture, &start_ns, &length_ns);
  g_assert_cmpuint (start_ns, ==, fixture->timeline->first_ns);
  g_assert_cmpuint (length_ns, ==, fixture->timeline->last_ns - fixture->timeline->first_ns);
}

static void
test_a_search_counts_and_goes_round (ViewFixture *fixture, gconstpointer data)
{
  g_autoptr (CulpritTimelineMatches) matches = culprit_timeline_search (fixture->timeline, "ehci_work");
  guint64 calls = culprit_timeline_view_set_search (fixture->view, "EHCI_work");

  g_assert_cmpuint (calls, ==, culprit_timeline_matches_calls (matches));
  g_assert_cmpuint (calls, >, 0);
  for (guint64 i = 0; i < calls + 1; i++)
    view_fixture_press (fixture, GDK_KEY_n);
  view_fixture_keep_picture (fixture, "found");
  view_fixture_press (fixture, GDK_KEY_Return);
  g_assert_cmpstr (fixture->activated, ==, "ehci_work [culprit_fault]");
  view_fixture_keep_picture (fixture, "activated");
  g_assert_true (culprit_timeline_view_previous_match (fixture->view));
  g_assert_cmpuint (culprit_timeline_view_set_search (fixture->view, NULL), ==, 0);
  g_assert_false (culprit_timeline_view_next_match (fixture->view));
}

static void
test_a_lit_function_can_be_gone_through (ViewFixture *fixture, gconstpointer data)
{
  culprit_timeline_view_set_function (fixture->view, "hrtimer_interrupt");
  g_assert_true (culprit_timeline_view_next_match (fixture->view));
  view_fixture_press (fixture, GDK_KEY_Return);
  g_assert_cmpstr (fixture->activated, ==, "hrtimer_interrupt");
  view_fixture_point (fixture, 500, 120);
  view_fixture_keep_picture (fixture, "lit");
  culprit_timeline_view_set_function (fixture->view, "no such function");
  g_assert_false (culprit_timeline_view_next_match (fixture->view));
}

static void
test_it_is_told_in_words (ViewFixture *fixture, gconstpointer data)
{
  g_autofree char *text = culprit_timeline_view_describe (fixture->view);
  g_autofree char *before = NULL;

  g_assert_nonnull (strstr (text, "2 CPUs"));
  g_assert_nonnull (strstr (text, "3.769 ms late on CPU 0"));
  gtk_test_accessible_assert_property (fixture->view, GTK_ACCESSIBLE_PROPERTY_LABEL, "Timeline");
  gtk_test_accessible_assert_role (fixture->view, GTK_ACCESSIBLE_ROLE_IMG);
  culprit_timeline_view_set_timeline (fixture->view, NULL);
  before = culprit_timeline_view_describe (fixture->view);
  g_assert_cmpstr (before, ==, "No capture is open.");
}

/* The name of the focused call, by Enter. */
static const char *
focused (ViewFixture *fixture)
{
  g_clear_pointer (&fixture->activated, g_free);
  view_fixture_press (fixture, GDK_KEY_Return);
  return fixture->activated;
}

static void
test_arrows_with_shift_go_from_call_to_call (ViewFixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;

  culprit_timeline_view_set_function (fixture->view, "ehci_work [culprit_fault]");
  view_fixture_press (fixture, GDK_KEY_n);
  view_fixture_press_with (fixture, GDK_KEY_Up, GDK_SHIFT_MASK);
  g_assert_cmpstr (focused (fixture), ==, "__hrtimer_run_queues");
  view_fixture_press_with (fixture, GDK_KEY_Up, GDK_SHIFT_MASK);
  g_assert_cmpstr (focused (fixture), ==, "hrtimer_interrupt");
  view_fixture_press_with (fixture, GDK_KEY_Down, GDK_SHIFT_MASK);
  view_fixture_press_with (fixture, GDK_KEY_Right, GDK_SHIFT_MASK);
  g_assert_nonnull (focused (fixture));
  view_fixture_press_with (fixture, GDK_KEY_Left, GDK_SHIFT_MASK);
  text = culprit_timeline_view_describe (fixture->view);
  g_assert_nonnull (strstr (text, "Chosen: "));
  view_fixture_press (fixture, GDK_KEY_Escape);
  view_fixture_press_with (fixture, GDK_KEY_Right, GDK_SHIFT_MASK);
  view_fixture_press (fixture, GDK_KEY_Escape);
}

static void
test_a_tooltip_tells_of_the_call (ViewFixture *fixture, gconstpointer data)
{
  g_autoptr (CulpritTimelineMatches) matches = culprit_timeline_match (fixture->timeline, "ehci_work [culprit_fault]");
  CulpritTimelinePlace place =
      culprit_timeline_matches_next (matches, (CulpritTimelinePlace) { 0, CULPRIT_TIMELINE_NONE, 0 });
  g_autofree char *text = view_describe_place (fixture->view, &place);

  g_test_message ("%s", text);
  g_assert_true (g_str_has_prefix (text, "<b>ehci_work</b>"));
  g_assert_nonnull (strstr (text, "own time "));
  g_assert_nonnull (strstr (text, "hardware interrupt, CPU 0"));
  g_assert_nonnull (strstr (text, "\ncalled from __hrtimer_run_queues\n"));
}

static void
test_what_is_measured_stays_until_it_is_given_up (ViewFixture *fixture, gconstpointer data)
{
  const CulpritWindow *outlier = culprit_capture_outlier (fixture->timeline->capture);
  g_autofree char *before = culprit_timeline_view_describe_selection (fixture->view);
  g_autofree char *text = NULL;
  g_autofree char *all = NULL;
  g_autofree char *after = NULL;

  g_assert_null (before);
  view_select (fixture->view, outlier->start_ns, outlier->end_ns);
  view_fixture_press (fixture, GDK_KEY_0);
  view_fixture_press_with (fixture, GDK_KEY_Right, GDK_SHIFT_MASK);
  text = culprit_timeline_view_describe_selection (fixture->view);
  g_assert_true (g_str_has_prefix (text, "Measured 3.769 ms from 0 ns after the expected wake-up, "));
  all = culprit_timeline_view_describe (fixture->view);
  g_assert_nonnull (strstr (all, text));
  view_fixture_press (fixture, GDK_KEY_Escape);
  after = culprit_timeline_view_describe_selection (fixture->view);
  g_assert_null (after);
}

int
main (int argc, char *argv[])
{
  if (!view_fixture_begin (&argc, &argv))
    return 77;
  view_fixture_add ("/view/begin", test_it_begins_with_the_outlier_window_and_as_much_on_either_side);
  view_fixture_add ("/view/keys", test_keys_pan_and_zoom);
  view_fixture_add ("/view/range", test_a_range_asked_for_is_shown);
  view_fixture_add ("/view/search", test_a_search_counts_and_goes_round);
  view_fixture_add ("/view/lit", test_a_lit_function_can_be_gone_through);
  view_fixture_add ("/view/words", test_it_is_told_in_words);
  view_fixture_add ("/view/steps", test_arrows_with_shift_go_from_call_to_call);
  view_fixture_add ("/view/tooltip", test_a_tooltip_tells_of_the_call);
  view_fixture_add ("/view/measure", test_what_is_measured_stays_until_it_is_given_up);
  return g_test_run ();
}
