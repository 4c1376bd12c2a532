/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helpers for composite widgets. */
#pragma once

#include <gtk/gtk.h>

/* Tells whether the theme is dark, for custom drawing. */

/* Whether the theme of @widget is dark, by the colour of its texts. */
static inline gboolean
is_dark (GtkWidget *widget)
{
  GdkRGBA text;

  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &text);
  return text.red + text.green + text.blue > 1.5;
}

/* The cell of a class: a badge in its colour. */

GtkWidget *class_cell_make (void);

/* Shows @class; where it is empty, @missing, which may be NULL, without a badge. */
void class_cell_set (GtkWidget *cell, const char *class, const char *missing);

/* Gives widgets of @class the template in the resource @name, as "tables/table-view.ui". All of it stands in its object
 * "content", which gtk_widget_dispose_template() lets go of. @offset: where in the widget that is kept; 0: nowhere. */
void widget_class_set_template (gpointer class, const char *name, gssize offset);

/* Shows @text, which may wrap, but not between a number and its unit. */
void label_set_sentence (GtkWidget *label, const char *text);

/* A button that explains the numbers next to it. */

/* A button that opens definitions. @entries: pairs of what is explained and a sentence, ending with NULL. */
GtkWidget *explain_button_new (const char *const *entries);

/* Whether a window is too narrow to show everything side by side; GTK knows breakpoints of no kind. */

/* Keeps the property "narrow" of @window up to date, from its default size on. */
void narrow_keep (GtkWindow *window);

/* Remembers where people put the dividers of pages. */

/* Puts the dividers in all of @pages where they were, and remembers where they are put. */
void panes_keep (GtkStack *pages);
