/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A text view, which a report on thousands of files does not slow down. */
#include "import-report.h"

#define WIDTH 640
#define HEIGHT 360
#define MARGIN 12

static void
copy_all (GtkButton *button, GtkTextBuffer *buffer)
{
  GtkTextIter start;
  GtkTextIter end;
  g_autofree char *text = NULL;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  text = gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (button)), text);
}

static GtkWidget *
make_text (const char *text)
{
  GtkWidget *view = gtk_text_view_new ();

  gtk_text_view_set_editable (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), MARGIN);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (view), MARGIN);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (view), MARGIN);
  gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (view), MARGIN);
  gtk_text_view_set_pixels_below_lines (GTK_TEXT_VIEW (view), MARGIN / 2);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), text, -1);
  return view;
}

static void
add_escape (GtkWidget *window)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys),
      gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0), gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (window, keys);
}

void
import_report_show (GtkWindow *parent, const char *text)
{
  GtkWidget *window = gtk_window_new ();
  GtkWidget *bar = gtk_header_bar_new ();
  GtkWidget *copy = gtk_button_new_with_label ("Copy");
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *view = make_text (text);

  g_signal_connect_object (copy, "clicked", G_CALLBACK (copy_all), gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), 0);
  gtk_header_bar_pack_start (GTK_HEADER_BAR (bar), copy);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  gtk_window_set_title (GTK_WINDOW (window), "Import Report");
  gtk_window_set_titlebar (GTK_WINDOW (window), bar);
  gtk_window_set_child (GTK_WINDOW (window), scrolled);
  gtk_window_set_default_size (GTK_WINDOW (window), WIDTH, HEIGHT);
  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  gtk_window_set_modal (GTK_WINDOW (window), TRUE);
  add_escape (window);
  gtk_window_present (GTK_WINDOW (window));
}
