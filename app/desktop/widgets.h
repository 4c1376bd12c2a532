/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helpers for composite widgets. */
#pragma once

#include <gtk/gtk.h>

/* Gives widgets of @class the template in the resource @name, as "tables/table-view.ui". All of it stands in its object
 * "content", which gtk_widget_dispose_template() lets go of. @offset: where in the widget that is kept; 0: nowhere. */
void widget_class_set_template (gpointer class, const char *name, gssize offset);

/* Shows @text, which may wrap, but not between a number and its unit. */
void label_set_sentence (GtkWidget *label, const char *text);
