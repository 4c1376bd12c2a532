/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The widget in which a field is set: an entry, a choice or a switch. Values are texts, whatever shows them. */
#pragma once

#include "record/fields.h"

#include <gtk/gtk.h>

/* An input for @field that holds its first value. @changed is called with @data when it is set to another. */
GtkWidget *field_input_new (const Field *field, void (*changed) (gpointer data), gpointer data);

/* What is set: "" for nothing, "true" for a switch that is on. Belongs to the input. */
const char *field_input_text (const Field *field, GtkWidget *input);

/* Sets it to @text; NULL: to its first value. FALSE where @text is none of the choices. */
gboolean field_input_set (const Field *field, GtkWidget *input, const char *text);

/* Marks that it is wrong, and why; NULL: it is not. */
void field_input_mark (const Field *field, GtkWidget *input, const char *problem);
