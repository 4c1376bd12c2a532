/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells whether the theme is dark, for custom drawing. */
#pragma once

#include <gtk/gtk.h>

/* Whether the theme of @widget is dark, by the colour of its texts. */
static inline gboolean
is_dark (GtkWidget *widget)
{
  GdkRGBA text;

  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &text);
  return text.red + text.green + text.blue > 1.5;
}
