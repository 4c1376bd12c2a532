/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lanes that fold, the map above the timeline view, and its legend. */
#include "view-fixture.h"

#include "capture/capture-private.h"
#include "charts/timeline/map.h"
#include "timeline/lane-private.h"

#include <string.h>
#include <sys/resource.h>

static void
click_at (ViewFixture *fixture, double x, double y)
{
  GtkEventController *click = view_fixture_controller (fixture, GTK_TYPE_GESTURE_CLICK);

  g_signal_emit_by_name (click, "pressed", 1, x, y);
  g_signal_emit_by_name (click, "released", 1, x, y);
}

static void
test_a_folded_cpu_keeps_the_row_of_its_tasks (ViewFixture *fixture, gconstpointer data)
{
  const Scene *scene = view_scene (fixture->view);
  const CulpritTimelineCpu *second = &g_array_index (fixture->timeline->cpus, CulpritTimelineCpu, 1);
  double all = scene_rows_height (scene);
  double second_y = scene_lane_y (scene, second->first_lane);
  g_autofree char *text = NULL;
  guint lane;

  click_at (fixture, 10, SCENE_AXIS + 5);
  g_assert_cmpfloat (scene_rows_height (scene), ==, all - (second->first_lane - 1) * SCENE_ROW);
  g_assert_cmpfloat (scene_lane_y (scene, second->first_lane), ==, second_y - (second->first_lane - 1) * SCENE_ROW);
  g_assert_true (scene_find_lane (scene, SCENE_AXIS + 5, &lane));
  g_assert_cmpuint (lane, ==, 0);
  g_assert_true (scene_find_lane (scene, scene_lane_y (scene, second->first_lane + 2) + 5, &lane));
  g_assert_cmpuint (lane, ==, second->first_lane + 2);
  text = culprit_timeline_view_describe (fixture->view);
  g_assert_nonnull (strstr (text, "CPU 0 is folded."));
  view_fixture_keep_picture (fixture, "folded");
  view_fixture_press (fixture, GDK_KEY_f);
  g_assert_cmpfloat (scene_rows_height (scene), ==, all);
}

static void
test_what_is_gone_to_is_not_left_folded (ViewFixture *fixture, gconstpointer data)
{
  const Scene *scene = view_scene (fixture->view);

  view_fixture_press (fixture, GDK_KEY_f);
  g_assert_true (scene_is_folded (scene, 0));
  culprit_timeline_view_set_search (fixture->view, "ehci_work");
  view_fixture_press (fixture, GDK_KEY_n);
  g_assert_false (scene_is_folded (scene, 0));
  view_fixture_press (fixture, GDK_KEY_f);
  culprit_timeline_view_set_timeline (fixture->view, NULL);
  culprit_timeline_view_set_timeline (fixture->view, fixture->timeline);
  g_assert_true (scene_is_folded (scene, 0));
}

/* Puts a map above the view. */
static GtkWidget *
add_map (ViewFixture *fixture)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *map = g_object_new (CULPRIT_TYPE_TIMELINE_MAP, NULL);
  g_autoptr (GtkWidget) view = GTK_WIDGET (g_object_ref (fixture->view));

  gtk_window_set_child (GTK_WINDOW (fixture->window), NULL);
  gtk_box_append (GTK_BOX (box), map);
  gtk_box_append (GTK_BOX (box), view);
  gtk_widget_set_vexpand (view, TRUE);
  culprit_timeline_map_set_view (CULPRIT_TIMELINE_MAP (map), fixture->view);
  gtk_window_set_child (GTK_WINDOW (fixture->window), box);
  while (gtk_widget_get_width (map) == 0)
    g_main_context_iteration (NULL, TRUE);
  return map;
}

static void
test_a_click_on_the_map_brings_the_view_there (ViewFixture *fixture, gconstpointer data)
{
  GtkWidget *map = add_map (fixture);
  GtkEventController *drag = view_fixture_controller_of (map, GTK_TYPE_GESTURE_DRAG);
  guint64 all_ns = fixture->timeline->last_ns - fixture->timeline->first_ns;
  double middle = (SCENE_GUTTER + gtk_widget_get_width (map)) / 2.0;
  guint64 before_ns;
  guint64 start_ns;
  guint64 length_ns;

  view_fixture_range (fixture, &before_ns, &length_ns);
  g_signal_emit_by_name (drag, "drag-begin", middle, 5.0);
  view_fixture_range (fixture, &start_ns, &length_ns);
  g_assert_cmpuint (length_ns, ==,
                    3 * culprit_window_latency_ns (culprit_capture_outlier (fixture->timeline->capture)));
  g_assert_cmpuint (start_ns, !=, before_ns);
  g_assert_cmpuint (start_ns - fixture->timeline->first_ns, <, all_ns / 2);
  g_assert_cmpuint (start_ns + length_ns - fixture->timeline->first_ns, >, all_ns / 2);
  g_signal_emit_by_name (drag, "drag-begin", (double) SCENE_GUTTER, 5.0);
  view_fixture_range (fixture, &start_ns, &length_ns);
  g_assert_cmpuint (start_ns, ==, fixture->timeline->first_ns);
  g_signal_emit_by_name (drag, "drag-begin", gtk_widget_get_width (map) - 1.0, 5.0);
  view_fixture_range (fixture, &start_ns, &length_ns);
  g_assert_cmpuint (start_ns + length_ns, >=, fixture->timeline->last_ns - 1);
  gtk_test_accessible_assert_property (map, GTK_ACCESSIBLE_PROPERTY_LABEL, "The whole capture");
}

static void
test_the_legend_takes_as_many_rows_as_it_needs (ViewFixture *fixture, gconstpointer data)
{
  Drawing drawing = view_drawing (fixture->view);
  Scene scene = *view_scene (fixture->view);
  int wide;

  g_assert_cmpint (scene.foot, ==, SCENE_FOOT);
  drawing.scene = &scene;
  scene.width = 3 * WIDTH / 7;
  wide = frame_legend_height (&drawing);
  g_assert_cmpint (wide, >, SCENE_FOOT);
  scene.width = WIDTH / 4;
  g_assert_cmpint (frame_legend_height (&drawing), >, wide);
  drawing.tracing = FALSE;
  scene.width = 3 * WIDTH / 7;
  g_assert_cmpint (frame_legend_height (&drawing), ==, wide);
}

#define MANY_CPUS 5000
#define MANY_ROWS 30
#define MANY_DRAWINGS 60
#define ENOUGH_S 10 /* of processor time; all take less than two */

/* A stack of calls on each of many CPUs. */
static CulpritTimeline *
make_tall (void)
{
  CulpritCapture *capture = capture_new ();
  CulpritTimeline *timeline = timeline_new (capture);
  CulpritTimelineTask task = { .pid = 1, .comm = "t" };
  CulpritFunction function = { .name = "f", .module = "" };

  g_array_append_val (capture->functions, function);
  g_array_append_val (timeline->tasks, task);
  timeline->first_ns = 1000;
  timeline->last_ns = 2000000;
  for (guint cpu = 0; cpu < MANY_CPUS; cpu++)
    {
      CulpritTimelineCpu tall = { cpu, 1000, 2000000, timeline->lanes->len, MANY_ROWS };

      g_array_append_val (timeline->cpus, tall);
      for (int depth = -1; depth < MANY_ROWS - 1; depth++)
        {
          Lane *lane = lane_new (cpu, depth);

          lane_add (lane, 1000, 2000000, 0, 1, 0);
          lane_index (lane, 1000, 2000000);
          g_ptr_array_add (timeline->lanes, lane);
        }
    }
  return timeline;
}

static void
test_rows_out_of_sight_are_not_drawn (ViewFixture *fixture, gconstpointer data)
{
  g_autoptr (CulpritTimeline) timeline = make_tall ();
  struct rusage usage;
  struct rlimit limit;

  culprit_timeline_view_set_timeline (fixture->view, timeline);
  g_assert_cmpint (getrusage (RUSAGE_SELF, &usage), ==, 0);
  g_assert_cmpint (getrlimit (RLIMIT_CPU, &limit), ==, 0);
  limit.rlim_cur = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + ENOUGH_S;
  g_assert_cmpint (setrlimit (RLIMIT_CPU, &limit), ==, 0);
  for (guint i = 0; i < MANY_DRAWINGS; i++)
    {
      g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();

      view_fixture_press (fixture, i % 2 ? GDK_KEY_minus : GDK_KEY_plus);
      GTK_WIDGET_GET_CLASS (fixture->view)->snapshot (GTK_WIDGET (fixture->view), snapshot);
    }
  limit.rlim_cur = limit.rlim_max;
  g_assert_cmpint (setrlimit (RLIMIT_CPU, &limit), ==, 0);
}

int
main (int argc, char *argv[])
{
  if (!view_fixture_begin (&argc, &argv))
    return 77;
  view_fixture_add ("/view/fold", test_a_folded_cpu_keeps_the_row_of_its_tasks);
  view_fixture_add ("/view/tall", test_rows_out_of_sight_are_not_drawn);
  view_fixture_add ("/view/unfold", test_what_is_gone_to_is_not_left_folded);
  view_fixture_add ("/view/map", test_a_click_on_the_map_brings_the_view_there);
  view_fixture_add ("/view/legend", test_the_legend_takes_as_many_rows_as_it_needs);
  return g_test_run ();
}
