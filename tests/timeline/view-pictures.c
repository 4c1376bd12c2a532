/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the timeline view draws, on the screen and into files. */
#include "view-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

#define SCROLL_MARK 4 /* pixels at the right, where the screen shows which rows are seen; a file has them all */

/* The widget as it is drawn anew. */
static GdkTexture *
draw_widget (ViewFixture *fixture)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;

  GTK_WIDGET_GET_CLASS (fixture->view)->snapshot (GTK_WIDGET (fixture->view), snapshot);
  node = gtk_snapshot_free_to_node (snapshot);
  return gsk_renderer_render_texture (gtk_native_get_renderer (GTK_NATIVE (fixture->window)), node,
                                      &GRAPHENE_RECT_INIT (0, 0, WIDTH, HEIGHT));
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
test_a_call_has_the_colour_of_its_context_where_it_is (ViewFixture *fixture, gconstpointer data)
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
  g_assert_true (culprit_timeline_view_export (fixture->view, NULL, 1, path, &error));
  g_assert_no_error (error);
  colour = pixel_of (path, WIDTH - 40, scene_lane_y (&scene, place.lane) + 4);
  for (guint shade = 0; shade < SCENE_SHADES; shade++)
    found = found || colour == pixel (&palette->calls[CULPRIT_CONTEXT_HARDIRQ][shade][SCENE_LEVELS - 1]);
  g_assert_true (found);
  g_unlink (path);
}

/* How many pixels of the rows differ between the screen and a file. */
static guint
count_differences (ViewFixture *fixture)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "culprit-timeline-view-same.png", NULL);
  g_autoptr (GdkTexture) texture = draw_widget (fixture);
  g_autofree guint32 *screen = g_new (guint32, WIDTH * HEIGHT);
  cairo_surface_t *file;
  const guint32 *pixels;
  guint differences = 0;

  gdk_texture_download (texture, (guchar *) screen, WIDTH * sizeof *screen);
  g_assert_true (culprit_timeline_view_export (fixture->view, NULL, 1, path, NULL));
  file = cairo_image_surface_create_from_png (path);
  g_assert_cmpint (cairo_image_surface_get_stride (file), ==, WIDTH * sizeof *pixels);
  pixels = (const guint32 *) (gconstpointer) cairo_image_surface_get_data (file);
  for (guint y = SCENE_AXIS; y < HEIGHT - SCENE_FOOT; y++)
    for (guint x = SCENE_GUTTER; x < WIDTH - SCROLL_MARK; x++)
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
  for (guint i = 0; i < timeline->silences->len; i++)
    {
      const CulpritTimelineSilence *silence = &g_array_index (timeline->silences, CulpritTimelineSilence, i);

      if (silence->start_ns <= end_ns && silence->end_ns >= start_ns)
        return TRUE;
    }
  return FALSE;
}

static void
test_the_screen_shows_what_a_file_does (ViewFixture *fixture, gconstpointer data)
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
test_an_svg_is_drawn_with_lines_and_not_with_pixels (ViewFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "culprit-timeline-view.svg", NULL);
  g_autofree char *text = NULL;
  GError *error = NULL;

  g_assert_true (culprit_timeline_view_export (fixture->view, NULL, 1, path, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "<svg"));
  g_assert_null (strstr (text, "<image"));
  g_unlink (path);
  g_assert_false (culprit_timeline_view_export (fixture->view, NULL, 1, "/nowhere/timeline.svg", &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_false (culprit_timeline_view_export (fixture->view, NULL, 1, "timeline.gif", &error));
  g_assert_nonnull (strstr (error->message, "timeline.gif"));
  g_clear_error (&error);
}

static void
test_nothing_breaks_at_any_zoom (ViewFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "culprit-timeline-view.png", NULL);

  view_fixture_press (fixture, GDK_KEY_0);
  for (guint i = 0; i < 60; i++)
    {
      view_fixture_press (fixture, i < 45 ? GDK_KEY_plus : GDK_KEY_minus);
      view_fixture_press (fixture, i % 3 == 0 ? GDK_KEY_Left : GDK_KEY_Down);
      view_fixture_point (fixture, 90 + 15 * i, 40 + 8 * i);
      if (i == 25)
        view_fixture_keep_picture (fixture, "near");
      if (i % 9 == 0)
        g_assert_true (culprit_timeline_view_export (fixture->view, NULL, 1, path, NULL));
      g_main_context_iteration (NULL, FALSE);
    }
  g_unlink (path);
}

int
main (int argc, char *argv[])
{
  if (!view_fixture_begin (&argc, &argv))
    return 77;
  view_fixture_add ("/view/colour", test_a_call_has_the_colour_of_its_context_where_it_is);
  view_fixture_add ("/view/same", test_the_screen_shows_what_a_file_does);
  view_fixture_add ("/view/svg", test_an_svg_is_drawn_with_lines_and_not_with_pixels);
  view_fixture_add ("/view/zoom", test_nothing_breaks_at_any_zoom);
  return g_test_run ();
}
