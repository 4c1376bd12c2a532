/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the window shows of the time in which a program was kept from running: who had the CPU, what it waited for, and
 * who woke it, in the bar and in the timeline; hatched, so that it can be seen without colours. */
#include "sample-window.h"

#include "charts/budget-bar.h"
#include "charts/timeline/view.h"

#include <glib/gstdio.h>
#include <string.h>

#define BLOCKED "blocked in futex_wait until holder"

static char *
describe (SampleWindow *sample, GType type)
{
  g_autoptr (GPtrArray) widgets = sample_window_find (sample, type);

  g_assert_cmpuint (widgets->len, ==, 1);
  return gtk_test_accessible_check_property (g_ptr_array_index (widgets, 0), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "");
}

static gboolean
bar_tells (SampleWindow *sample, gconstpointer part)
{
  g_autofree char *text = describe (sample, CULPRIT_TYPE_BUDGET_BAR);

  return text && strstr (text, part);
}

static void
test_the_bar_tells_who_kept_it (SampleWindow *sample, gconstpointer data)
{
  culprit_study_window_show_page (sample->window, "outliers");
  sample_window_wait_until (bar_tells, sample, "[blocked]: 402.0 us (78.2 %), " BLOCKED " woke it;");
  g_assert_true (bar_tells (sample, "write_back: 90.0 us (17.5 %), preempted by worker;"));
  g_assert_true (bar_tells (sample, "[user]: 5.0 us (1.0 %)"));
}

static CulpritTimelineView *
show_timeline (SampleWindow *sample)
{
  g_autoptr (GPtrArray) views = NULL;

  culprit_study_window_show_page (sample->window, "outliers");
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "details", g_variant_new_string ("timeline"));
  sample_window_wait_until (sample_window_shows, sample, GSIZE_TO_POINTER (CULPRIT_TYPE_TIMELINE_VIEW));
  sample_window_settle ();
  views = sample_window_find (sample, CULPRIT_TYPE_TIMELINE_VIEW);
  culprit_timeline_view_zoom_to_window (g_ptr_array_index (views, 0));
  return g_ptr_array_index (views, 0);
}

static gboolean
timeline_tells (SampleWindow *sample, gconstpointer part)
{
  g_autoptr (GPtrArray) views = sample_window_find (sample, CULPRIT_TYPE_TIMELINE_VIEW);
  g_autofree char *text = culprit_timeline_view_describe (g_ptr_array_index (views, 0));

  return strstr (text, part) != NULL;
}

static void
test_the_timeline_tells_it_too (SampleWindow *sample, gconstpointer data)
{
  show_timeline (sample);
  sample_window_wait_until (timeline_tells, sample,
                            " myloop-31: " BLOCKED
                            "-41 woke it for 402.0 us; preempted by worker-42 on CPU 0 for 93.0 us;");
  g_assert_true (timeline_tells (sample, "; woken by an interrupt."));
}

/* The stay in @context, which has a tip. */
static const CulpritTimelineStay *
find_stay (CulpritTimelineView *view, CulpritContext context)
{
  const CulpritTimeline *timeline = culprit_timeline_view_get_timeline (view);

  for (guint i = 0; i < timeline->stays->len; i++)
    {
      const CulpritTimelineStay *stay = &g_array_index (timeline->stays, CulpritTimelineStay, i);

      if (stay->context == context)
        return stay;
    }
  g_assert_not_reached ();
}

static double
middle_of (CulpritTimelineView *view, const CulpritTimelineStay *stay)
{
  return scene_x (view_scene (view), stay->start_ns + (stay->end_ns - stay->start_ns) / 2);
}

static void
test_the_row_of_the_program_has_tips (SampleWindow *sample, gconstpointer data)
{
  CulpritTimelineView *view = show_timeline (sample);
  const CulpritTimelineStay *stay = find_stay (view, CULPRIT_CONTEXT_BLOCKED);
  g_autofree char *tip = NULL;

  g_assert_true (scene_find_stay (view_scene (view), middle_of (view, stay), SCENE_AXIS + SCENE_ROW / 2) == stay);
  g_assert_null (scene_find_stay (view_scene (view), middle_of (view, stay), SCENE_AXIS - 1));
  g_assert_null (scene_find_stay (view_scene (view), SCENE_GUTTER - 1, SCENE_AXIS + SCENE_ROW / 2));
  tip = view_describe_stay (view, stay);
  g_assert_cmpstr (tip, ==,
                   "myloop-31\n" BLOCKED "-41 woke it for 402.0 us\nfrom 105.0 us after the late window begins");
}

/* How many colours there are along a line in the middle of @stay, at its right end, where no words are. */
static guint
count_colours (CulpritTimelineView *view, const char *path, const CulpritTimelineStay *stay)
{
  cairo_surface_t *file = cairo_image_surface_create_from_png (path);
  const guint32 *pixels = (const guint32 *) (gconstpointer) cairo_image_surface_get_data (file);
  int stride = cairo_image_surface_get_stride (file) / 4;
  int right = (int) scene_x (view_scene (view), stay->end_ns) - 2;
  g_autoptr (GHashTable) colours = g_hash_table_new (NULL, NULL);

  for (int x = right - 16; x < right; x++)
    g_hash_table_add (colours, GUINT_TO_POINTER (pixels[(SCENE_AXIS + SCENE_ROW / 2) * stride + x]));
  cairo_surface_destroy (file);
  return g_hash_table_size (colours);
}

static void
test_it_is_hatched (SampleWindow *sample, gconstpointer data)
{
  CulpritTimelineView *view = show_timeline (sample);
  const CulpritTimelineStay *blocked = find_stay (view, CULPRIT_CONTEXT_BLOCKED);
  const CulpritTimelineStay *preempted = find_stay (view, CULPRIT_CONTEXT_TASK);
  g_autofree char *path = g_build_filename (sample->folder, "timeline.png", NULL);

  culprit_timeline_view_zoom_to (view, preempted->start_ns, blocked->end_ns);
  g_assert_true (culprit_timeline_view_export (view, NULL, 1, path, NULL));
  g_assert_cmpuint (count_colours (view, path, blocked), >, 1);
  g_assert_cmpuint (count_colours (view, path, preempted), >, 1);
  g_unlink (path);
}

/* Then the page has all its room for what there is. */
static void
test_without_stalls_there_is_no_table_of_places (SampleWindow *sample, gconstpointer data)
{
  culprit_study_window_show_page (sample->window, "stalls");
  sample_window_wait_until (sample_window_tells, sample, "No blind stalls");
  sample_window_settle ();
  g_assert_false (sample_window_tells (sample, "Struck"));
  g_assert_true (sample_window_tells (sample, "Ordinary"));
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  sample_window_add ("/kept/places", test_without_stalls_there_is_no_table_of_places);
  sample_window_add ("/kept/bar", test_the_bar_tells_who_kept_it);
  sample_window_add ("/kept/timeline", test_the_timeline_tells_it_too);
  sample_window_add ("/kept/tips", test_the_row_of_the_program_has_tips);
  sample_window_add ("/kept/hatched", test_it_is_hatched);
  return g_test_run ();
}
