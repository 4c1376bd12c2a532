/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the width of the window's surface with a limit that grows with the letters. */
#include "narrow.h"

#define LEAST_WIDTH 1000 /* pixels, with letters of the usual size */
#define USUAL_DPI (96 * 1024)

static void
set_width (GtkWindow *window, int width)
{
  gboolean narrow;
  gboolean before;
  int dpi;

  g_object_get (gtk_widget_get_settings (GTK_WIDGET (window)), "gtk-xft-dpi", &dpi, NULL);
  narrow = width < LEAST_WIDTH * MAX (dpi, USUAL_DPI) / USUAL_DPI;
  g_object_get (window, "narrow", &before, NULL);
  if (narrow != before)
    g_object_set (window, "narrow", narrow, NULL);
}

static void
on_layout (GdkSurface *surface, int width, int height, GtkWindow *window)
{
  set_width (window, width);
}

static void
on_realize (GtkWindow *window)
{
  g_signal_connect_object (gtk_native_get_surface (GTK_NATIVE (window)), "layout", G_CALLBACK (on_layout), window, 0);
}

/* So that it is never made wider than it is asked to be. */
static void
on_default_width (GtkWindow *window)
{
  int width;

  g_object_get (window, "default-width", &width, NULL);
  set_width (window, width);
}

void
narrow_keep (GtkWindow *window)
{
  g_signal_connect (window, "realize", G_CALLBACK (on_realize), NULL);
  g_signal_connect (window, "notify::default-width", G_CALLBACK (on_default_width), NULL);
}
