/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The timeline in the window: at full size, with what is chosen in it, searched for and exported. */
#include "sample-input.h"

#include "charts/timeline/view.h"
#include "outliers/call-pane.h"
#include "outliers/capture-timeline.h"
#include "units.h"

static void
act (SampleWindow *sample, const char *action, const char *value)
{
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), action, value ? g_variant_new_string (value) : NULL);
}

static CulpritTimelineView *
find_view (SampleWindow *sample)
{
  g_autoptr (GPtrArray) timelines = sample_window_find (sample, CULPRIT_TYPE_TIMELINE_VIEW);

  g_assert_cmpuint (timelines->len, ==, 1);
  return g_ptr_array_index (timelines, 0);
}

static guint
count_lists (SampleWindow *sample)
{
  g_autoptr (GPtrArray) lists = sample_window_find (sample, GTK_TYPE_COLUMN_VIEW);

  return lists->len;
}

static gboolean
is_full (SampleWindow *sample)
{
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (sample->window), "timeline-full");

  return g_variant_get_boolean (state);
}

static void
test_full_size_takes_the_room_of_all_but_the_name_and_gives_it_back (SampleWindow *sample, gconstpointer data)
{
  GtkWidget *view = sample_window_show_timeline (sample);
  int width = gtk_widget_get_width (view);
  int height = gtk_widget_get_height (view);

  act (sample, "details", "budget");
  culprit_study_window_show_page (sample->window, "functions");
  act (sample, "timeline-full", NULL);
  sample_window_wait_until (sample_window_shows, sample, GSIZE_TO_POINTER (CULPRIT_TYPE_TIMELINE_VIEW));
  sample_window_settle ();
  g_assert_cmpuint (count_lists (sample), ==, 0);
  g_assert_true (sample_window_tells (sample, "slides-003.dat"));
  g_assert_cmpint (gtk_widget_get_width (view), >, width);
  g_assert_cmpint (gtk_widget_get_height (view), >, 2 * height);
  act (sample, "next", NULL);
  sample_window_wait_until (sample_window_tells, sample, "slides-004.dat");
  g_assert_true (is_full (sample));
  sample_input_key (sample, GDK_KEY_Escape, 0);
  g_assert_false (is_full (sample));
  g_assert_cmpuint (count_lists (sample), ==, 1);
  g_assert_cmpint (gtk_widget_get_height (view), ==, height);
}

static void
test_other_details_end_full_size (SampleWindow *sample, gconstpointer data)
{
  sample_window_show_timeline (sample);
  act (sample, "timeline-full", NULL);
  act (sample, "details", "tree");
  sample_window_settle ();
  g_assert_false (is_full (sample));
  g_assert_cmpuint (count_lists (sample), ==, 2);
}

/* The entry beside the timeline. */
static GtkEditable *
find_search (SampleWindow *sample)
{
  g_autoptr (GPtrArray) entries = sample_window_find (sample, GTK_TYPE_SEARCH_ENTRY);

  for (guint i = 0; i < entries->len; i++)
    if (gtk_widget_get_ancestor (g_ptr_array_index (entries, i), CULPRIT_TYPE_CAPTURE_TIMELINE))
      return g_ptr_array_index (entries, i);
  g_assert_not_reached ();
}

/* Searches, with the focus in the entry; returns how many calls match. */
static guint
search (SampleWindow *sample, const char *text)
{
  g_autoptr (CulpritTimelineMatches) matches = NULL;
  g_autofree char *count = NULL;

  g_assert_true (gtk_widget_grab_focus (GTK_WIDGET (find_search (sample))));
  sample_input_type (sample, text);
  matches = culprit_timeline_search (culprit_timeline_view_get_timeline (find_view (sample)), text);
  count = g_strdup_printf ("%" G_GUINT64_FORMAT " calls", culprit_timeline_matches_calls (matches));
  sample_window_wait_until (sample_window_shows_label, sample, count);
  return culprit_timeline_matches_calls (matches);
}

static void
wait_for_rank (SampleWindow *sample, guint rank, guint calls)
{
  g_autofree char *text = g_strdup_printf ("%u of %u", rank, calls);

  sample_window_wait_until (sample_window_shows_label, sample, text);
}

static void
test_a_search_tells_where_it_is_and_when_it_starts_over (SampleWindow *sample, gconstpointer data)
{
  guint calls;

  culprit_document_choose_function (culprit_study_window_document (sample->window), NULL);
  culprit_timeline_view_zoom_to_all (CULPRIT_TIMELINE_VIEW (sample_window_show_timeline (sample)));
  calls = search (sample, "kthread");
  g_assert_cmpuint (calls, >, 2);
  sample_input_key (sample, GDK_KEY_Return, 0);
  while (!sample_window_shows_label (sample, "From the start again"))
    sample_input_key (sample, GDK_KEY_Return, 0);
  wait_for_rank (sample, 1, calls);
  sample_input_key (sample, GDK_KEY_Return, 0);
  wait_for_rank (sample, 2, calls);
  g_assert_false (sample_window_shows_label (sample, "From the start again"));
  sample_input_key (sample, GDK_KEY_Return, GDK_KEY_Shift_L);
  sample_input_key (sample, GDK_KEY_Return, GDK_KEY_Shift_L);
  wait_for_rank (sample, calls, calls);
  g_assert_true (sample_window_shows_label (sample, "From the end again"));
}

static guint
count_buttons (SampleWindow *sample, const char *tooltip)
{
  g_autoptr (GPtrArray) buttons = sample_window_find (sample, GTK_TYPE_BUTTON);
  guint count = 0;

  for (guint i = 0; i < buttons->len; i++)
    count += g_strcmp0 (gtk_widget_get_tooltip_text (g_ptr_array_index (buttons, i)), tooltip) == 0;
  return count;
}

static void
click (SampleWindow *sample, const char *tooltip)
{
  g_autoptr (GPtrArray) buttons = sample_window_find (sample, GTK_TYPE_BUTTON);

  for (guint i = 0; i < buttons->len; i++)
    if (g_strcmp0 (gtk_widget_get_tooltip_text (g_ptr_array_index (buttons, i)), tooltip) == 0)
      {
        g_signal_emit_by_name (g_ptr_array_index (buttons, i), "clicked");
        sample_window_settle ();
        return;
      }
  g_assert_not_reached ();
}

static void
test_highlights_have_colours_of_their_own_until_they_are_removed (SampleWindow *sample, gconstpointer data)
{
  CulpritTimelineView *view = CULPRIT_TIMELINE_VIEW (sample_window_show_timeline (sample));

  search (sample, "hrtimer");
  sample_input_key (sample, GDK_KEY_Return, GDK_KEY_Control_L);
  search (sample, "kthread");
  g_assert_cmpuint (culprit_timeline_view_count_highlights (view), ==, 3);
  for (guint i = 0; i < 3; i++)
    for (guint k = 0; k < i; k++)
      {
        CulpritTimelineHighlight one = culprit_timeline_view_get_highlight (view, i);
        CulpritTimelineHighlight other = culprit_timeline_view_get_highlight (view, k);

        g_assert_false (gdk_rgba_equal (&one.colour, &other.colour));
      }
  click (sample, "Stop highlighting hrtimer");
  g_assert_cmpuint (culprit_timeline_view_count_highlights (view), ==, 2);
  click (sample, "Stop highlighting kthread");
  sample_window_settle ();
  g_assert_cmpstr (gtk_editable_get_text (find_search (sample)), ==, "");
  click (sample, "Stop highlighting qh_completions [culprit_fault]");
  g_assert_null (culprit_document_function (culprit_study_window_document (sample->window)));
  g_assert_cmpuint (culprit_timeline_view_count_highlights (view), ==, 0);
  g_assert_cmpuint (count_buttons (sample, "Stop highlighting qh_completions [culprit_fault]"), ==, 0);
}

static GtkWidget *
find_button (SampleWindow *sample, const char *label)
{
  g_autoptr (GPtrArray) buttons = sample_window_find (sample, GTK_TYPE_BUTTON);

  for (guint i = 0; i < buttons->len; i++)
    if (g_strcmp0 (gtk_button_get_label (g_ptr_array_index (buttons, i)), label) == 0)
      return g_ptr_array_index (buttons, i);
  g_assert_not_reached ();
}

static void
test_without_a_gap_the_key_says_so (SampleWindow *sample, gconstpointer data)
{
  GtkWidget *view = sample_window_show_timeline (sample);

  gtk_widget_grab_focus (view);
  sample_input_key (sample, GDK_KEY_g, 0);
  sample_window_wait_until (sample_window_shows_label, sample, "No long stretch without an event");
}

static void
test_the_chosen_call_is_told_as_long_as_it_is_chosen (SampleWindow *sample, gconstpointer data)
{
  CulpritTimelineView *view = CULPRIT_TIMELINE_VIEW (sample_window_show_timeline (sample));
  g_autoptr (CulpritTimelineMatches) matches =
      culprit_timeline_match (culprit_timeline_view_get_timeline (view), "qh_completions [culprit_fault]");
  guint calls = culprit_timeline_matches_calls (matches);

  gtk_test_accessible_assert_property (view, GTK_ACCESSIBLE_PROPERTY_LABEL, "Timeline of slides-003.dat");
  sample_window_wait_until (sample_window_shows_label, sample, "Shift+drag measures, double-click highlights");
  act (sample, "timeline-full", NULL);
  sample_window_wait_until (sample_window_tells, sample, "Click a call to see its times here.");
  culprit_timeline_view_choose (
      view, culprit_timeline_matches_next (matches, (CulpritTimelinePlace) { 0, CULPRIT_TIMELINE_NONE, 0 }));
  sample_window_wait_until (sample_window_shows_label, sample, "qh_completions [culprit_fault]");
  sample_window_wait_until (sample_window_tells, sample,
                            "405 calls in this late wake-up, 1.238 ms without the tracer: more than in any of 25 ");
  culprit_timeline_view_zoom_to_all (view);
  g_assert_true (sample_window_shows_label (sample, "qh_completions [culprit_fault]"));
  g_assert_true (sample_window_tells (sample, "qh_completions, hardware interrupt, CPU 0, "));
  wait_for_rank (sample, 1, calls);
  g_assert_false (gtk_widget_get_sensitive (find_button (sample, "Previous Call")));
  g_signal_emit_by_name (find_button (sample, "Next Call"), "clicked");
  wait_for_rank (sample, 2, calls);
  g_assert_true (gtk_widget_get_sensitive (find_button (sample, "Previous Call")));
  g_signal_emit_by_name (sample_window_of_class (sample, "call-link"), "clicked");
  sample_window_wait_until (sample_window_shows_label, sample, "ehci_work [culprit_fault]");
  act (sample, "next", NULL);
  sample_window_wait_until (sample_window_tells, sample, "Click a call to see its times here.");
}

static void
test_a_range_lists_its_functions_whose_times_add_up (SampleWindow *sample, gconstpointer data)
{
  CulpritTimelineView *view = CULPRIT_TIMELINE_VIEW (sample_window_show_timeline (sample));
  const CulpritTimeline *timeline = culprit_timeline_view_get_timeline (view);
  const CulpritWindow *outlier = culprit_capture_outlier (timeline->capture);
  g_autoptr (GArray) totals = NULL;
  guint64 sum_ns = 0;

  act (sample, "timeline-full", NULL);
  sample_window_settle ();
  view_select (view, outlier->start_ns, outlier->end_ns);
  sample_window_wait_until (sample_window_tells, sample, "The selected range, 2.702 ms, on 1 CPU");
  sample_window_wait_until (sample_window_shows_label, sample, "qh_completions");
  totals = culprit_timeline_totals (timeline, outlier->start_ns, outlier->end_ns, NULL);
  for (guint i = 0; i < totals->len; i++)
    sum_ns += g_array_index (totals, CulpritTimelineTotal, i).self_ns;
  g_assert_cmpuint (sum_ns, ==, culprit_window_latency_ns (outlier));
}

/* The column view of the events. */
static GtkSingleSelection *
find_events (SampleWindow *sample)
{
  g_autoptr (GPtrArray) lists = sample_window_find (sample, GTK_TYPE_COLUMN_VIEW);

  g_assert_cmpuint (lists->len, ==, 1);
  return GTK_SINGLE_SELECTION (gtk_column_view_get_model (g_ptr_array_index (lists, 0)));
}

static void
test_the_list_of_events_and_the_timeline_choose_for_each_other (SampleWindow *sample, gconstpointer data)
{
  CulpritTimelineView *view = CULPRIT_TIMELINE_VIEW (sample_window_show_timeline (sample));
  CulpritTimeline *timeline = culprit_timeline_view_get_timeline (view);
  g_autoptr (CulpritTimelineMatches) matches = culprit_timeline_match (timeline, "hrtimer_interrupt");
  g_autoptr (CulpritTimelineEvents) events = culprit_timeline_events_new (timeline);
  g_autoptr (GPtrArray) panes = NULL;
  CulpritTimelinePlace place =
      culprit_timeline_matches_next (matches, (CulpritTimelinePlace) { 0, CULPRIT_TIMELINE_NONE, 0 });
  CulpritTimelinePlace chosen;
  GtkSingleSelection *selection;
  guint row;

  /* The first may have begun before the capture. */
  place = culprit_timeline_matches_next (matches, place);
  act (sample, "timeline-full", NULL);
  sample_window_settle ();
  panes = sample_window_find (sample, CULPRIT_TYPE_CALL_PANE);
  gtk_stack_set_visible_child_name (GTK_STACK (gtk_widget_get_ancestor (g_ptr_array_index (panes, 0), GTK_TYPE_STACK)),
                                    "events");
  sample_window_settle ();
  selection = find_events (sample);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (selection)), ==, culprit_timeline_events_count (events));
  culprit_timeline_view_choose (view, place);
  sample_window_settle ();
  row = gtk_single_selection_get_selected (selection);
  g_assert_cmpuint (row, >=, culprit_timeline_events_before (events, place.start_ns));
  sample_window_wait_until (sample_window_tells, sample, "\xe2\x86\x92 hrtimer_interrupt");
  gtk_single_selection_set_selected (selection, row + 1);
  g_assert_true (culprit_timeline_view_get_chosen (view, &chosen));
  g_assert_true (chosen.lane != place.lane || chosen.span != place.span);
}

static void
test_markers_say_how_far_apart_they_are (SampleWindow *sample, gconstpointer data)
{
  CulpritTimelineView *view = CULPRIT_TIMELINE_VIEW (sample_window_show_timeline (sample));
  g_autoptr (CulpritTimelineMatches) matches =
      culprit_timeline_match (culprit_timeline_view_get_timeline (view), "hrtimer_interrupt");
  CulpritTimelinePlace place = { 0, CULPRIT_TIMELINE_NONE, 0 };
  guint64 times_ns[2];

  g_assert_null (culprit_timeline_view_describe_markers (view));
  for (guint i = 0; i < G_N_ELEMENTS (times_ns); i++)
    {
      place = culprit_timeline_matches_next (matches, place);
      culprit_timeline_view_choose (view, place);
      gtk_widget_grab_focus (GTK_WIDGET (view));
      sample_input_key (sample, i == 0 ? GDK_KEY_1 : GDK_KEY_2, 0);
      times_ns[i] = place.start_ns;
    }
  {
    g_autofree char *apart = culprit_time_format (times_ns[1] - times_ns[0]);
    g_autofree char *expected = g_strdup_printf ("Marker 2 %s after marker 1", apart);
    g_autofree char *markers = culprit_timeline_view_describe_markers (view);

    g_assert_cmpstr (markers, ==, expected);
  }
  sample_input_key (sample, GDK_KEY_Escape, 0);
  g_assert_null (culprit_timeline_view_describe_markers (view));
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  sample_window_add ("/timelines/full-size", test_full_size_takes_the_room_of_all_but_the_name_and_gives_it_back);
  sample_window_add ("/timelines/other-details", test_other_details_end_full_size);
  sample_window_add ("/timelines/search", test_a_search_tells_where_it_is_and_when_it_starts_over);
  sample_window_add ("/timelines/highlights", test_highlights_have_colours_of_their_own_until_they_are_removed);
  sample_window_add ("/timelines/no-gap", test_without_a_gap_the_key_says_so);
  sample_window_add ("/timelines/chosen-call", test_the_chosen_call_is_told_as_long_as_it_is_chosen);
  sample_window_add ("/timelines/range", test_a_range_lists_its_functions_whose_times_add_up);
  sample_window_add ("/timelines/events", test_the_list_of_events_and_the_timeline_choose_for_each_other);
  sample_window_add ("/timelines/markers", test_markers_say_how_far_apart_they_are);
  return g_test_run ();
}
