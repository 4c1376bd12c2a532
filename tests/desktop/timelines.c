/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The timeline in the window: at full size, with what is chosen in it, searched for and exported. */
#include "typing.h"

#include "charts/timeline/view.h"
#include "outliers/capture-timeline.h"

static void
act (SampleWindow *sample, const char *action, const char *value)
{
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), action, value ? g_variant_new_string (value) : NULL);
}

static gboolean
shows_timeline (SampleWindow *sample, gconstpointer data)
{
  g_autoptr (GPtrArray) timelines = sample_window_find (sample, CULPRIT_TYPE_TIMELINE_VIEW);

  return timelines->len > 0;
}

static CulpritTimelineView *
find_view (SampleWindow *sample)
{
  g_autoptr (GPtrArray) timelines = sample_window_find (sample, CULPRIT_TYPE_TIMELINE_VIEW);

  g_assert_cmpuint (timelines->len, ==, 1);
  return g_ptr_array_index (timelines, 0);
}

/* Shows the timeline of SAMPLE_WINDOW_CAPTURE. */
static CulpritTimelineView *
show_timeline (SampleWindow *sample)
{
  culprit_study_window_show_page (sample->window, "outliers");
  sample_window_choose (sample, SAMPLE_WINDOW_CAPTURE);
  act (sample, "details", "timeline");
  sample_window_wait_until (shows_timeline, sample, NULL);
  sample_window_wait_us (SAMPLE_WINDOW_QUIET_US);
  return find_view (sample);
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
  GtkWidget *view = GTK_WIDGET (show_timeline (sample));
  int width = gtk_widget_get_width (view);
  int height = gtk_widget_get_height (view);

  act (sample, "details", "budget");
  culprit_study_window_show_page (sample->window, "functions");
  act (sample, "timeline-full", NULL);
  sample_window_wait_until (shows_timeline, sample, NULL);
  sample_window_wait_us (SAMPLE_WINDOW_QUIET_US);
  g_assert_cmpuint (count_lists (sample), ==, 0);
  g_assert_true (sample_window_tells (sample, "slides-003.dat: "));
  g_assert_cmpint (gtk_widget_get_width (view), >, width);
  g_assert_cmpint (gtk_widget_get_height (view), >, 2 * height);
  act (sample, "next", NULL);
  sample_window_wait_until (sample_window_tells, sample, "slides-004.dat: ");
  g_assert_true (is_full (sample));
  typing_press (sample, GDK_KEY_Escape);
  g_assert_false (is_full (sample));
  g_assert_cmpuint (count_lists (sample), ==, 1);
  g_assert_cmpint (gtk_widget_get_height (view), ==, height);
}

static void
test_other_details_end_full_size (SampleWindow *sample, gconstpointer data)
{
  show_timeline (sample);
  act (sample, "timeline-full", NULL);
  act (sample, "details", "tree");
  sample_window_wait_us (SAMPLE_WINDOW_QUIET_US);
  g_assert_false (is_full (sample));
  g_assert_cmpuint (count_lists (sample), ==, 2);
}

static void
add (const char *path, void (*test) (SampleWindow *sample, gconstpointer data))
{
  g_test_add (path, SampleWindow, NULL, sample_window_set_up, test, sample_window_tear_down);
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  add ("/timelines/full-size", test_full_size_takes_the_room_of_all_but_the_name_and_gives_it_back);
  add ("/timelines/other-details", test_other_details_end_full_size);
  return g_test_run ();
}
