/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What GTK 4.8 lacks, and what newer versions deprecate. */
#pragma once

#include <gtk/gtk.h>

/* Called with the chosen files (of GFile), at least one. */
typedef void (*CompatChosen) (GPtrArray *files, gpointer data);

/* Asks for files to open, in @folder at first (NULL: the last one). @filters: pairs of a name and patterns separated by
 * semicolons, ending with NULL. @data belongs to the caller and must live as long as @parent. */
void compat_open (GtkWindow *parent,
                  const char *title,
                  const char *folder,
                  const char *const *filters,
                  CompatChosen chosen,
                  gpointer data);

/* Asks for a file to write, at first @name, made valid UTF-8, in @folder. @destroy: for @data, once there is an answer;
 * NULL: it belongs to the caller, as above. */
void compat_save (GtkWindow *parent,
                  const char *title,
                  const char *folder,
                  const char *name,
                  CompatChosen chosen,
                  gpointer data,
                  GDestroyNotify destroy);

/* Reports a failure. */
void compat_alert (GtkWindow *parent, const char *title, const char *text);

/* Opens the file at @path with the default program for it. */
void compat_show (GtkWindow *parent, const char *path);

/* A dialog that asks whether to @accept something, and marks that it is @destructive: Enter and Escape mean @cancel.
 * @accepted is called with @parent. The dialog is destroyed when it is answered, or with @parent. */
GtkWindow *compat_ask (GtkWindow *parent,
                       const char *title,
                       const char *text,
                       const char *cancel,
                       const char *accept,
                       gboolean destructive,
                       void (*accepted) (gpointer parent));

/* Scrolls to the item at @place of a column view. */
void compat_scroll_to (GtkColumnView *view, guint place);

/* Makes Tab leave any list, as the arrows go from row to row, and enter it at the row that is selected;
 * GtkListTabBehavior came with 4.12. Text that can be selected takes the focus also from a row that goes when it has no
 * longer the focus, of which GTK read freed memory. To be called before there is a list. */
void compat_mend_focus (void);

/* Focuses the row that is selected in @list, a GtkListView; FALSE: there is none in view. */
gboolean compat_focus_selected (GtkWidget *list);

/* The place, among visible columns, of the one whose title is at @x, @y of the row of titles; -1: none. */
int compat_title_at (GtkColumnView *view, double x, double y);

/* Aligns the title of the column at @place to the right, like numbers. */
void compat_align_title (GtkColumnView *view, guint place);
