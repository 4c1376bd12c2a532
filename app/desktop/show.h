/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text in widgets; no text comes there otherwise, unless it is written in the program. Names in a study and of files
 * are from outside: they are shown as culprit_clean_start() has them, on one line, and so short that laying them out
 * takes no time: GTK needs a second for a megabyte, and HarfBuzz ends the program at 32,768 accents of one letter. */
#pragma once

#include <gtk/gtk.h>

/* @text as it is shown. The caller owns it; NULL where there is none. */
char *shown (const char *text);

/* As shown() has it, as markup. The caller owns it. */
char *shown_escaped (const char *text);

void show_line (GtkWidget *label, const char *text);
GtkWidget *show_label_new (const char *text);

/* Likewise, of several lines, which are the program's own: shown() cleans what is from outside in them. */
void show_lines (GtkWidget *label, const char *text);

void show_tooltip (GtkWidget *widget, const char *text);
void show_tip (GtkTooltip *tooltip, const char *text);

/* What a screen reader reads instead of, or after, what is seen. */
void show_to_reader (gpointer widget, GtkAccessibleProperty property, const char *text);

void show_in_field (GtkWidget *field, const char *text);
void show_in_list (GtkStringList *list, const char *text);
GtkWidget *show_tick_new (const char *text);
void show_title (GtkWindow *window, const char *text);

/* A layout of @text, to be drawn by @widget. The caller owns it. */
PangoLayout *show_layout_new (GtkWidget *widget, const char *text);
