/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A window with the view of a capture, and its keys and pointer as signals of its controllers. */
#include "view-fixture.h"

#define DRAW_US 300000 /* in which a frame has come, for pictures */

static const char *capture_path;

static void
on_call_activated (CulpritTimelineView *view, const char *function, ViewFixture *fixture)
{
  g_free (fixture->activated);
  fixture->activated = g_strdup (function);
}

static void
on_range_changed (CulpritTimelineView *view, guint64 start_ns, guint64 end_ns, ViewFixture *fixture)
{
  fixture->ranges++;
  g_assert_cmpuint (start_ns, <, end_ns);
}

static void
set_up (ViewFixture *fixture, gconstpointer data)
{
  GError *error = NULL;

  fixture->timeline = culprit_timeline_read (capture_path, NULL, 0, NULL, &error);
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
tear_down (ViewFixture *fixture, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  culprit_timeline_unref (fixture->timeline);
  g_free (fixture->activated);
}

gboolean
view_fixture_begin (int *argc, char ***argv)
{
  if (!gtk_init_check ())
    return FALSE;
  g_test_init (argc, argv, NULL);
  g_assert_cmpint (*argc, ==, 2);
  capture_path = (*argv)[1];
  return TRUE;
}

void
view_fixture_add (const char *path, void (*test) (ViewFixture *fixture, gconstpointer data))
{
  g_test_add (path, ViewFixture, NULL, set_up, test, tear_down);
}

void
view_fixture_range (ViewFixture *fixture, guint64 *start_ns, guint64 *length_ns)
{
  guint64 end_ns;

  g_assert_true (culprit_timeline_view_get_range (fixture->view, start_ns, &end_ns));
  *length_ns = end_ns - *start_ns;
}

GtkEventController *
view_fixture_controller_of (GtkWidget *widget, GType type)
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

GtkEventController *
view_fixture_controller (ViewFixture *fixture, GType type)
{
  return view_fixture_controller_of (GTK_WIDGET (fixture->view), type);
}

void
view_fixture_press_with (ViewFixture *fixture, guint key, GdkModifierType state)
{
  GtkEventController *controller = view_fixture_controller (fixture, GTK_TYPE_EVENT_CONTROLLER_KEY);
  gboolean handled = FALSE;

  g_signal_emit_by_name (controller, "key-pressed", key, 0, state, &handled);
  g_assert_true (handled);
}

void
view_fixture_press (ViewFixture *fixture, guint key)
{
  view_fixture_press_with (fixture, key, 0);
}

void
view_fixture_point (ViewFixture *fixture, double x, double y)
{
  g_signal_emit_by_name (view_fixture_controller (fixture, GTK_TYPE_EVENT_CONTROLLER_MOTION), "motion", x, y);
}

void
view_fixture_keep_picture (ViewFixture *fixture, const char *name)
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
