/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cleans text before GTK gets it. */
#include "show.h"

#include "clean.h"

#define LONGEST_ROW 300   /* characters: a table has hundreds of cells, and all of each is shaped */
#define LONGEST_LINE 1000 /* more than fit on any screen */
#define LONGEST_TEXT 10000

char *
shown (const char *text)
{
  return text ? culprit_clean_start (text, LONGEST_LINE, ' ') : NULL;
}

char *
shown_escaped (const char *text)
{
  g_autofree char *line = shown (text);

  return g_markup_escape_text (line, -1);
}

void
show_line (GtkWidget *label, const char *text)
{
  gboolean wraps = gtk_label_get_wrap (GTK_LABEL (label));
  g_autofree char *line = text ? culprit_clean_start (text, wraps ? LONGEST_LINE : LONGEST_ROW, ' ') : NULL;

  gtk_label_set_label (GTK_LABEL (label), line);
}

GtkWidget *
show_label_new (const char *text)
{
  g_autofree char *line = shown (text);

  return gtk_label_new (line);
}

void
show_lines (GtkWidget *label, const char *text)
{
  g_autofree char *lines = culprit_clean_start (text, LONGEST_TEXT, '\n');

  gtk_label_set_label (GTK_LABEL (label), lines);
}

void
show_tooltip (GtkWidget *widget, const char *text)
{
  g_autofree char *line = shown (text);

  gtk_widget_set_tooltip_text (widget, line);
}

void
show_tip (GtkTooltip *tooltip, const char *text)
{
  g_autofree char *line = shown (text);

  gtk_tooltip_set_text (tooltip, line);
}

void
show_to_reader (gpointer widget, GtkAccessibleProperty property, const char *text)
{
  g_autofree char *line = culprit_clean_start (text ? text : "", LONGEST_TEXT, ' ');

  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), property, line, -1);
}

gboolean
show_in_field (GtkWidget *field, const char *text)
{
  gboolean editable = culprit_is_editable (text, LONGEST_TEXT);
  g_autofree char *line = editable ? NULL : shown (text);

  if (!g_str_equal (gtk_editable_get_text (GTK_EDITABLE (field)), editable ? text : line)) /* It moves the cursor. */
    gtk_editable_set_text (GTK_EDITABLE (field), editable ? text : line);
  return editable;
}

void
show_in_list (GtkStringList *list, const char *text)
{
  gtk_string_list_take (list, culprit_clean_start (text, LONGEST_ROW, ' '));
}

GtkWidget *
show_tick_new (const char *text)
{
  g_autofree char *line = shown (text);

  return gtk_check_button_new_with_label (line);
}

void
show_title (GtkWindow *window, const char *text)
{
  g_autofree char *line = shown (text);

  gtk_window_set_title (window, line);
}

PangoLayout *
show_layout_new (GtkWidget *widget, const char *text)
{
  g_autofree char *line = shown (text);

  return gtk_widget_create_pango_layout (widget, line);
}

PangoLayout *
show_layout_new_lines (GtkWidget *widget, const char *text)
{
  return gtk_widget_create_pango_layout (widget, text);
}
