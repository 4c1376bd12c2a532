/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What measuring the frames of any widget takes. */
#pragma once

#include <gtk/gtk.h>

/* Orders times, of double. */
static inline int
frames_compare (gconstpointer a, gconstpointer b)
{
  double left = *(const double *) a;
  double right = *(const double *) b;

  return left < right ? -1 : left > right;
}

/* Shows @child in a window of its own, without decoration; @before and @after are called around each frame, with the
 * frame clock and @data. */
static inline void
frames_show (GtkWidget *child, int width, int height, GCallback before, GCallback after, gpointer data)
{
  GtkWidget *window = gtk_window_new ();
  GdkFrameClock *clock;

  gtk_window_set_decorated (GTK_WINDOW (window), FALSE);
  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  gtk_window_set_child (GTK_WINDOW (window), child);
  gtk_widget_realize (window);
  clock = gtk_widget_get_frame_clock (window);
  g_signal_connect (clock, "before-paint", before, data);
  g_signal_connect_after (clock, "after-paint", after, data);
  gtk_widget_show (window);
}
