/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that hide what GTK 4.8 lacks and what newer versions deprecate. */
#pragma once

#include <gtk/gtk.h>

/* Called with what was chosen (GFile), never with nothing. */
typedef void (*CompatChosen) (GPtrArray *files, gpointer data);

/* Asks for files to open, in @folder at first (NULL: the last one). @filters: pairs of a name and patterns with
 * semicolons between, ending with NULL. @data stays the caller's and must live as long as @parent. */
void compat_open (GtkWindow *parent,
                  const char *title,
                  const char *folder,
                  const char *const *filters,
                  CompatChosen chosen,
                  gpointer data);

/* Asks for a file to write, in @folder and called @name at first. */
void compat_save (
    GtkWindow *parent, const char *title, const char *folder, const char *name, CompatChosen chosen, gpointer data);

/* Tells of a failure. */
void compat_alert (GtkWindow *parent, const char *title, const char *text);

/* Shows the file at @path in the program that people have for it. */
void compat_show (GtkWindow *parent, const char *path);

/* A dialog that asks whether to @accept, which is not to be done by mistake: Enter and Escape mean @cancel. @accepted
 * is called with @parent. The dialog goes when it is answered, and with @parent. */
GtkWindow *compat_ask (GtkWindow *parent,
                       const char *title,
                       const char *text,
                       const char *cancel,
                       const char *accept,
                       void (*accepted) (gpointer parent));

/* Shows the item at @place of a column view. */
void compat_scroll_to (GtkColumnView *view, guint place);

/* The place of the column whose title is at @x and @y of the row of titles, of those that are shown; -1: none. */
int compat_title_at (GtkColumnView *view, double x, double y);

/* Puts the title of the column at @place to the right, as numbers are. */
void compat_align_title (GtkColumnView *view, guint place);
