/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every text that is not part of the program gets into widgets through these functions. Names in studies and of files
 * are hostile: culprit_clean_start() makes them one line, short enough for layout: GTK needs a second for a megabyte,
 * and HarfBuzz aborts at 32,768 accents of one letter. */
#pragma once

#include <gtk/gtk.h>

/* @text, clean. The caller owns it; NULL if it is NULL. */
char *shown (const char *text);

/* The same as markup. The caller owns it. */
char *shown_escaped (const char *text);

void show_line (GtkWidget *label, const char *text);
GtkWidget *show_label_new (const char *text);

/* Shows several lines. Hostile names in them must already be clean. */
void show_lines (GtkWidget *label, const char *text);

void show_tooltip (GtkWidget *widget, const char *text);
void show_tip (GtkTooltip *tooltip, const char *text);

/* For screen readers: a label or description. */
void show_to_reader (gpointer widget, GtkAccessibleProperty property, const char *text);

/* FALSE: @text is cleaned or cut, and what would be edited is not what was meant. */
gboolean show_in_field (GtkWidget *field, const char *text);

void show_in_list (GtkStringList *list, const char *text);
GtkWidget *show_tick_new (const char *text);
void show_title (GtkWindow *window, const char *text);

/* A layout of @text for @widget to draw. The caller owns it. */
PangoLayout *show_layout_new (GtkWidget *widget, const char *text);

/* The same of several lines, in which hostile names are clean already. */
PangoLayout *show_layout_new_lines (GtkWidget *widget, const char *text);
