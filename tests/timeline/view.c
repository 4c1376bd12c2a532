/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The timeline view, driven by its functions and its keys, under a display without a screen. With CULPRIT_PICTURES
 * naming a folder, some of what it looks like is kept there. */
#include "charts/timeline/map.h"
#include "charts/timeline/view-private.h"

#include <glib/gstdio.h>
#include <string.h>

#define WIDTH 1200
#define HEIGHT 640
#define DRAW_US 300000 /* in which a frame has come, for pictures */

static const char *capture_path;

typedef struct
{
  GtkWidget *window;
  CulpritTimelineView *view;
  CulpritTimeline *timeline;
  char *activated;
  guint ranges; /* how often the range changed */
} Fixture;

static void
on_call_activated (CulpritTimelineView *view, const char *function, Fixture *fixture)
{
  g_free (fixture->activated);
  fixture->activated = g_strdup (function);
}

static void
on_range_changed (CulpritTimelineView *view, guint64 start_ns, guint64 end_ns, Fixture *fixture)
{
  fixture->ranges++;
  g_assert_cmpuint (start_ns, <, end_ns);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  GError *error = NULL;

  fixture->timeline = culprit_timeline_read (capture_path, NULL, &error);
  g_assert_no_error (error);
  fixture->window = gtk_window_new ();
  fixture->view = CULPRIT_TIMELINE_VIEW (culprit_timeline_view_new ());
  g_signal_connect (fixture->view, "call-activated", G_CALLBACK (on_call_activated), fixture);
  g_signal_connect (fixture->view, "range-changed", G_CALLBACK (on_range_changed), fixture);
  gtk_window_set_decorated (GTK_WINDOW (fixture->window), FALSE);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), WIDTH, HEIGHT);
  gtk_window_set_child (GTK_WINDOW (fixture->window), GTK_WIDGET (fixture->view));
  gtk_widget_show (fixture->window);
  while (gtk_widget_get_width (GTK_WIDGET (fixture->view)) == 0)
    g_main_context_iteration (NULL, TRUE);
  culprit_timeline_view_set_timeline (fixture->view, fixture->timeline);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  culprit_timeline_unref (fixture->timeline);
  g_free (fixture->activated);
}

static void
get_range (Fixture *fixture, guint64 *start_ns, guint64 *length_ns)
{
  guint64 end_ns;

  g_assert_true (culprit_timeline_view_get_range (fixture->view, start_ns, &end_ns));
  *length_ns = end_ns - *start_ns;
}

static GtkEventController *
find_controller_of (GtkWidget *widget, GType type)
{
  g_autoptr (GListModel) all = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (all, i);

      if (G_TYPE_CHECK_INSTANCE_TYPE (controller, type))
        return controller;
    }
  g_assert_not_reached ();
}

/* The view's controller of @type. */
static GtkEventController *
find_controller (Fixture *fixture, GType type)
{
  return find_controller_of (GTK_WIDGET (fixture->view), type);
}

static void
press_with (Fixture *fixture, guint key, GdkModifierType state)
{
  GtkEventController *controller = find_controller (fixture, GTK_TYPE_EVENT_CONTROLLER_KEY);
  gboolean handled = FALSE;

  g_signal_emit_by_name (controller, "key-pressed", key, 0, state, &handled);
  g_assert_true (handled);
}

static void
press (Fixture *fixture, guint key)
{
  press_with (fixture, key, 0);
}

static void
point (Fixture *fixture, double x, double y)
{
  g_signal_emit_by_name (find_controller (fixture, GTK_TYPE_EVENT_CONTROLLER_MOTION), "motion", x, y);
}

/* The widget as it is drawn anew. */
static GdkTexture *
draw_widget (Fixture *fixture)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;

  GTK_WIDGET_GET_CLASS (fixture->view)->snapshot (GTK_WIDGET (fixture->view), snapshot);
  node = gtk_snapshot_free_to_node (snapshot);
  return gsk_renderer_render_texture (gtk_native_get_renderer (GTK_NATIVE (fixture->window)), node,
                                      &GRAPHENE_RECT_INIT (0, 0, WIDTH, HEIGHT));
}

/* Keeps the widget as it is, with what lies over it. */
static void
keep_picture (Fixture *fixture, const char *name)
{
  const char *folder = g_getenv ("CULPRIT_PICTURES");
  g_autoptr (GdkPaintable) paintable = NULL;
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  g_autofree char *path = g_strdup_printf ("%s/%s.png", folder ? folder : "", name);
  GtkSnapshot *snapshot;

  if (!folder)
    return;
  for (gint64 end_us = g_get_monotonic_time () + DRAW_US; g_get_monotonic_time () < end_us;)
    g_main_context_iteration (NULL, FALSE);
  paintable = gtk_widget_paintable_new (GTK_WIDGET (fixture->view));
  snapshot = gtk_snapshot_new ();
  gdk_paintable_snapshot (paintable, snapshot, WIDTH, HEIGHT);
  node = gtk_snapshot_free_to_node (snapshot);
  texture = gsk_renderer_render_texture (gtk_native_get_renderer (GTK_NATIVE (fixture->window)), node, NULL);
  gdk_texture_save_to_png (texture, path);
}

static void
test_it_begins_with_the_outlier_window_and_as_much_on_either_side (Fixture *fixture, gconstpointer data)
{
  const CulpritWindow *outlier = culprit_capture_outlier (fixture->timeline->capture);
  guint64 latency_ns = culprit_window_latency_ns (outlier);
  guint64 start_ns;
  guint64 length_ns;

  get_range (fixture, &start_ns, &length_ns);
  g_assert_cmpuint (length_ns, ==, 3 * latency_ns);
  g_assert_cmpuint (start_ns, <=, outlier->start_ns);
  g_assert_cmpuint (start_ns + length_ns, >=, outlier->end_ns);
  keep_picture (fixture, "first");
}

static void
test_keys_pan_and_zoom (Fixture *fixture, gconstpointer data)
{
  guint64 all_ns = fixture->timeline->last_ns - fixture->timeline->first_ns;
  guint64 start_ns;
  guint64 length_ns;
  guint64 moved_ns;

  press (fixture, GDK_KEY_0);
  get_range (fixture, &start_ns, &length_ns);
  g_assert_cmpuint (length_ns, ==, all_ns);
  press (fixture, GDK_KEY_plus);
  get_range (fixture, &start_ns, &length_ns);
  g_assert_cmpuint (length_ns, <, all_ns);
  press (fixture, GDK_KEY_Right);
  get_range (fixture, &moved_ns, &length_ns);
  g_assert_cmpuint (moved_ns, >, start_ns);
  press (fixture, GDK_KEY_Home);
  get_range (fixture, &start_ns, &length_ns);
  g_assert_cmpuint (start_ns, ==, fixture->timeline->first_ns);
  press (fixture, GDK_KEY_End);
  get_range (fixture, &start_ns, &length_ns);
  g_assert_cmpuint (start_ns + length_ns, >=, fixture->timeline->last_ns - 1);
  g_assert_cmpuint (fixture->ranges, >=, 5);
  press (fixture, GDK_KEY_w);
  test_it_begins_with_the_outlier_window_and_as_much_on_either_side (fixture, data);
}

static void
test_a_range_asked_for_is_shown (Fixture *fixture, gconstpointer data)
{
  guint64 wanted_ns = culprit_capture_outlier (fixture->timeline->capture)->start_ns + 1000;
  guint64 start_ns;
  guint64 length_ns;

  culprit_timeline_view_zoom_to (fixture->view, wanted_ns, wanted_ns + 50000);
  get_range (fixture, &start_ns, &length_ns);
  g_assert_cmpuint (start_ns, ==, wanted_ns);
  g_assert_cmpuint (length_ns, ==, 50000);
  culprit_timeline_view_zoom_to (fixture->view, 0, G_MAXINT64);
  get_range (fixture, &start_ns, &length_ns);
  g_assert_cmpuint (start_ns, ==, fixture->timeline->first_ns);
  g_assert_cmpuint (length_ns, ==, fixture->timeline->last_ns - fixture->timeline->first_ns);
}

static void
test_a_search_counts_and_goes_round (Fixture *fixture, gconstpointer data)
{
  g_autoptr (CulpritTimelineMatches) matches = culprit_timeline_search (fixture->timeline, "ehci_work");
  guint64 calls = culprit_timeline_view_set_search (fixture->view, "EHCI_work");

  g_assert_cmpuint (calls, ==, culprit_timeline_matches_calls (matches));
  g_assert_cmpuint (calls, >, 0);
  for (guint64 i = 0; i < calls + 1; i++)
    press (fixture, GDK_KEY_n);
  keep_picture (fixture, "found");
  press (fixture, GDK_KEY_Return);
  g_assert_cmpstr (fixture->activated, ==, "ehci_work [culprit_fault]");
  keep_picture (fixture, "activated");
  g_assert_true (culprit_timeline_view_previous_match (fixture->view));
  g_assert_cmpuint (culprit_timeline_view_set_search (fixture->view, NULL), ==, 0);
  g_assert_false (culprit_timeline_view_next_match (fixture->view));
}

static void
test_a_lit_function_can_be_gone_through (Fixture *fixture, gconstpointer data)
{
  culprit_timeline_view_set_function (fixture->view, "hrtimer_interrupt");
  g_assert_true (culprit_timeline_view_next_match (fixture->view));
  press (fixture, GDK_KEY_Return);
  g_assert_cmpstr (fixture->activated, ==, "hrtimer_interrupt");
  point (fixture, 500, 120);
  keep_picture (fixture, "lit");
  culprit_timeline_view_set_function (fixture->view, "no such function");
  g_assert_false (culprit_timeline_view_next_match (fixture->view));
}

/* Reads @path as a picture and returns the colour at @x, @y. */
static guint32
pixel_of (const char *path, int x, int y)
{
  cairo_surface_t *surface = cairo_image_surface_create_from_png (path);
  const guint8 *row = cairo_image_surface_get_data (surface) + (gsize) y * cairo_image_surface_get_stride (surface);
  guint32 pixel;

  g_assert_cmpint (cairo_surface_status (surface), ==, CAIRO_STATUS_SUCCESS);
  g_assert_cmpint (cairo_image_surface_get_width (surface), ==, WIDTH);
  memcpy (&pixel, row + 4 * x, sizeof pixel);
  cairo_surface_destroy (surface);
  return pixel & 0xffffff;
}

static guint32
pixel (const GdkRGBA *colour)
{
  return (guint32) (colour->red * 255 + 0.5) << 16 | (guint32) (colour->green * 255 + 0.5) << 8 |
         (guint32) (colour->blue * 255 + 0.5);
}

static void
test_a_call_has_the_colour_of_its_context_where_it_is (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "culprit-timeline-view.png", NULL);
  g_autoptr (CulpritTimelineMatches) matches = culprit_timeline_match (fixture->timeline, "hrtimer_interrupt");
  CulpritTimelinePlace place =
      culprit_timeline_matches_next (matches, (CulpritTimelinePlace) { 0, CULPRIT_TIMELINE_NONE, 0 });
  const TimelinePalette *palette = timeline_palette_get (FALSE);
  CulpritTimelineCall call;
  Scene scene = { .timeline = fixture->timeline, .width = WIDTH, .height = HEIGHT };
  gboolean found = FALSE;
  guint32 colour;
  GError *error = NULL;

  culprit_timeline_describe (fixture->timeline, place.lane, place.span, &call);
  culprit_timeline_view_zoom_to (fixture->view, call.span_start_ns, call.span_end_ns);
  g_assert_true (culprit_timeline_view_export (fixture->view, path, &error));
  g_assert_no_error (error);
  colour = pixel_of (path, WIDTH - 40, scene_lane_y (&scene, place.lane) + 4);
  for (guint shade = 0; shade < SCENE_SHADES; shade++)
    found = found || colour == pixel (&palette->calls[CULPRIT_CONTEXT_HARDIRQ][shade][SCENE_LEVELS - 1]);
  g_assert_true (found);
  g_unlink (path);
}

/* How many pixels of the rows differ between the screen and a file. */
static guint
count_differences (Fixture *fixture)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "culprit-timeline-view-same.png", NULL);
  g_autoptr (GdkTexture) texture = draw_widget (fixture);
  g_autofree guint32 *screen = g_new (guint32, WIDTH * HEIGHT);
  cairo_surface_t *file;
  const guint32 *pixels;
  guint differences = 0;

  gdk_texture_download (texture, (guchar *) screen, WIDTH * sizeof *screen);
  g_assert_true (culprit_timeline_view_export (fixture->view, path, NULL));
  file = cairo_image_surface_create_from_png (path);
  g_assert_cmpint (cairo_image_surface_get_stride (file), ==, WIDTH * sizeof *pixels);
  pixels = (const guint32 *) (gconstpointer) cairo_image_surface_get_data (file);
  for (guint y = SCENE_AXIS; y < HEIGHT - SCENE_FOOT; y++)
    for (guint x = SCENE_GUTTER; x < WIDTH; x++)
      differences += (screen[y * WIDTH + x] & 0xffffff) != (pixels[y * WIDTH + x] & 0xffffff);
  cairo_surface_destroy (file);
  g_unlink (path);
  return differences;
}

/* Whether something is hatched: that is drawn in another way on the screen. */
static gboolean
touches_gap (const CulpritTimeline *timeline, guint64 start_ns, guint64 end_ns)
{
  for (guint i = 0; i < timeline->gaps->len; i++)
    {
      const CulpritTimelineGap *gap = &g_array_index (timeline->gaps, CulpritTimelineGap, i);

      if (gap->start_ns <= end_ns && gap->end_ns >= start_ns)
        return TRUE;
    }
  return FALSE;
}

static void
test_the_screen_shows_what_a_file_does (Fixture *fixture, gconstpointer data)
{
  const CulpritWindow *outlier = culprit_capture_outlier (fixture->timeline->capture);
  guint compared = 0;

  for (guint part = 7; part < 10000; part *= 7)
    for (guint place = 0; place < 7; place++)
      {
        guint64 length_ns = culprit_window_latency_ns (outlier) / part;
        guint64 start_ns = outlier->start_ns + (culprit_window_latency_ns (outlier) - length_ns) * place / 6;

        if (touches_gap (fixture->timeline, start_ns, start_ns + length_ns))
          continue;
        compared++;
        culprit_timeline_view_zoom_to (fixture->view, start_ns, start_ns + length_ns);
        culprit_timeline_view_set_search (fixture->view, NULL);
        culprit_timeline_view_set_function (fixture->view, NULL);
        g_assert_cmpuint (count_differences (fixture), ==, 0);
        culprit_timeline_view_set_search (fixture->view, "timer");
        g_assert_cmpuint (count_differences (fixture), ==, 0);
        culprit_timeline_view_set_function (fixture->view, "hrtimer_interrupt");
        g_assert_cmpuint (count_differences (fixture), ==, 0);
      }
  g_assert_cmpuint (compared, >=, 12);
}

static void
test_an_svg_is_drawn_with_lines_and_not_with_pixels (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "culprit-timeline-view.svg", NULL);
  g_autofree char *text = NULL;
  GError *error = NULL;

  g_assert_true (culprit_timeline_view_export (fixture->view, path, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "<svg"));
  g_assert_null (strstr (text, "<image"));
  g_unlink (path);
  g_assert_false (culprit_timeline_view_export (fixture->view, "/nowhere/timeline.svg", &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_false (culprit_timeline_view_export (fixture->view, "timeline.gif", &error));
  g_assert_nonnull (strstr (error->message, "timeline.gif"));
  g_clear_error (&error);
}

static void
test_it_is_told_in_words (Fixture *fixture, gconstpointer data)
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
focused (Fixture *fixture)
{
  g_clear_pointer (&fixture->activated, g_free);
  press (fixture, GDK_KEY_Return);
  return fixture->activated;
}

static void
test_arrows_with_shift_go_from_call_to_call (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;

  culprit_timeline_view_set_function (fixture->view, "ehci_work [culprit_fault]");
  press (fixture, GDK_KEY_n);
  press_with (fixture, GDK_KEY_Up, GDK_SHIFT_MASK);
  g_assert_cmpstr (focused (fixture), ==, "__hrtimer_run_queues");
  press_with (fixture, GDK_KEY_Up, GDK_SHIFT_MASK);
  g_assert_cmpstr (focused (fixture), ==, "hrtimer_interrupt");
  press_with (fixture, GDK_KEY_Down, GDK_SHIFT_MASK);
  press_with (fixture, GDK_KEY_Right, GDK_SHIFT_MASK);
  g_assert_nonnull (focused (fixture));
  press_with (fixture, GDK_KEY_Left, GDK_SHIFT_MASK);
  text = culprit_timeline_view_describe (fixture->view);
  g_assert_nonnull (strstr (text, "Chosen: "));
  press (fixture, GDK_KEY_Escape);
  press_with (fixture, GDK_KEY_Right, GDK_SHIFT_MASK);
  press (fixture, GDK_KEY_Escape);
}

static void
test_a_tooltip_tells_of_the_call (Fixture *fixture, gconstpointer data)
{
  g_autoptr (CulpritTimelineMatches) matches = culprit_timeline_match (fixture->timeline, "ehci_work [culprit_fault]");
  CulpritTimelinePlace place =
      culprit_timeline_matches_next (matches, (CulpritTimelinePlace) { 0, CULPRIT_TIMELINE_NONE, 0 });
  g_autofree char *text = view_tell_place (fixture->view, &place);

  g_test_message ("%s", text);
  g_assert_true (g_str_has_prefix (text, "<b>ehci_work</b>"));
  g_assert_nonnull (strstr (text, "self "));
  g_assert_nonnull (strstr (text, "hardware interrupt, CPU 0"));
  g_assert_nonnull (strstr (text, "\ncalled from __hrtimer_run_queues\n"));
}

static void
test_nothing_breaks_at_any_zoom (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "culprit-timeline-view.png", NULL);

  press (fixture, GDK_KEY_0);
  for (guint i = 0; i < 60; i++)
    {
      press (fixture, i < 45 ? GDK_KEY_plus : GDK_KEY_minus);
      press (fixture, i % 3 == 0 ? GDK_KEY_Left : GDK_KEY_Down);
      point (fixture, 90 + 15 * i, 40 + 8 * i);
      if (i == 25)
        keep_picture (fixture, "near");
      if (i % 9 == 0)
        g_assert_true (culprit_timeline_view_export (fixture->view, path, NULL));
      g_main_context_iteration (NULL, FALSE);
    }
  g_unlink (path);
}

static void
test_what_is_measured_stays_until_it_is_given_up (Fixture *fixture, gconstpointer data)
{
  const CulpritWindow *outlier = culprit_capture_outlier (fixture->timeline->capture);
  g_autofree char *before = culprit_timeline_view_describe_selection (fixture->view);
  g_autofree char *text = NULL;
  g_autofree char *all = NULL;
  g_autofree char *after = NULL;

  g_assert_null (before);
  view_select (fixture->view, outlier->start_ns, outlier->end_ns);
  press (fixture, GDK_KEY_0);
  press_with (fixture, GDK_KEY_Right, GDK_SHIFT_MASK);
  text = culprit_timeline_view_describe_selection (fixture->view);
  g_assert_true (g_str_has_prefix (text, "Measured 3.769 ms from 0 ns after the expected wake-up, "));
  all = culprit_timeline_view_describe (fixture->view);
  g_assert_nonnull (strstr (all, text));
  press (fixture, GDK_KEY_Escape);
  after = culprit_timeline_view_describe_selection (fixture->view);
  g_assert_null (after);
}

static void
click_at (Fixture *fixture, double x, double y)
{
  GtkEventController *click = find_controller (fixture, GTK_TYPE_GESTURE_CLICK);

  g_signal_emit_by_name (click, "pressed", 1, x, y);
  g_signal_emit_by_name (click, "released", 1, x, y);
}

static void
test_a_folded_cpu_keeps_the_row_of_its_tasks (Fixture *fixture, gconstpointer data)
{
  const Scene *scene = &fixture->view->scene;
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
  keep_picture (fixture, "folded");
  press (fixture, GDK_KEY_f);
  g_assert_cmpfloat (scene_rows_height (scene), ==, all);
}

static void
test_what_is_gone_to_is_not_left_folded (Fixture *fixture, gconstpointer data)
{
  const Scene *scene = &fixture->view->scene;

  press (fixture, GDK_KEY_f);
  g_assert_true (scene_is_folded (scene, 0));
  culprit_timeline_view_set_search (fixture->view, "ehci_work");
  press (fixture, GDK_KEY_n);
  g_assert_false (scene_is_folded (scene, 0));
  press (fixture, GDK_KEY_f);
  culprit_timeline_view_set_timeline (fixture->view, NULL);
  culprit_timeline_view_set_timeline (fixture->view, fixture->timeline);
  g_assert_true (scene_is_folded (scene, 0));
}

/* Puts a map above the view. */
static GtkWidget *
add_map (Fixture *fixture)
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
test_a_click_on_the_map_brings_the_view_there (Fixture *fixture, gconstpointer data)
{
  GtkWidget *map = add_map (fixture);
  GtkEventController *drag = find_controller_of (map, GTK_TYPE_GESTURE_DRAG);
  guint64 all_ns = fixture->timeline->last_ns - fixture->timeline->first_ns;
  double middle = (SCENE_GUTTER + gtk_widget_get_width (map)) / 2.0;
  guint64 before_ns;
  guint64 start_ns;
  guint64 length_ns;

  get_range (fixture, &before_ns, &length_ns);
  g_signal_emit_by_name (drag, "drag-begin", middle, 5.0);
  get_range (fixture, &start_ns, &length_ns);
  g_assert_cmpuint (length_ns, ==,
                    3 * culprit_window_latency_ns (culprit_capture_outlier (fixture->timeline->capture)));
  g_assert_cmpuint (start_ns, !=, before_ns);
  g_assert_cmpuint (start_ns - fixture->timeline->first_ns, <, all_ns / 2);
  g_assert_cmpuint (start_ns + length_ns - fixture->timeline->first_ns, >, all_ns / 2);
  g_signal_emit_by_name (drag, "drag-begin", (double) SCENE_GUTTER, 5.0);
  get_range (fixture, &start_ns, &length_ns);
  g_assert_cmpuint (start_ns, ==, fixture->timeline->first_ns);
  g_signal_emit_by_name (drag, "drag-begin", gtk_widget_get_width (map) - 1.0, 5.0);
  get_range (fixture, &start_ns, &length_ns);
  g_assert_cmpuint (start_ns + length_ns, >=, fixture->timeline->last_ns - 1);
  gtk_test_accessible_assert_property (map, GTK_ACCESSIBLE_PROPERTY_LABEL, "The whole capture");
}

static void
test_the_legend_takes_as_many_rows_as_it_needs (Fixture *fixture, gconstpointer data)
{
  Drawing drawing = view_drawing (fixture->view);
  Scene scene = fixture->view->scene;
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

#define ADD(name, test) g_test_add ("/view/" name, Fixture, NULL, set_up, test, tear_down)

int
main (int argc, char *argv[])
{
  if (!gtk_init_check ())
    return 77;
  g_test_init (&argc, &argv, NULL);
  if (argc != 2)
    return 2;
  capture_path = argv[1];
  ADD ("begin", test_it_begins_with_the_outlier_window_and_as_much_on_either_side);
  ADD ("keys", test_keys_pan_and_zoom);
  ADD ("range", test_a_range_asked_for_is_shown);
  ADD ("search", test_a_search_counts_and_goes_round);
  ADD ("lit", test_a_lit_function_can_be_gone_through);
  ADD ("colour", test_a_call_has_the_colour_of_its_context_where_it_is);
  ADD ("same", test_the_screen_shows_what_a_file_does);
  ADD ("svg", test_an_svg_is_drawn_with_lines_and_not_with_pixels);
  ADD ("words", test_it_is_told_in_words);
  ADD ("steps", test_arrows_with_shift_go_from_call_to_call);
  ADD ("tooltip", test_a_tooltip_tells_of_the_call);
  ADD ("measure", test_what_is_measured_stays_until_it_is_given_up);
  ADD ("fold", test_a_folded_cpu_keeps_the_row_of_its_tasks);
  ADD ("unfold", test_what_is_gone_to_is_not_left_folded);
  ADD ("map", test_a_click_on_the_map_brings_the_view_there);
  ADD ("legend", test_the_legend_takes_as_many_rows_as_it_needs);
  ADD ("zoom", test_nothing_breaks_at_any_zoom);
  return g_test_run ();
}
