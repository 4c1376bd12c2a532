/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws merged late wake-ups: a box for each call path, as wide as its time, in the colour of its difference. */
#pragma once

#include "flame/flame.h"

#include <gtk/gtk.h>

#define CULPRIT_TYPE_FLAME_VIEW (culprit_flame_view_get_type ())

G_DECLARE_FINAL_TYPE (CulpritFlameView, culprit_flame_view, CULPRIT, FLAME_VIEW, GtkWidget)

/* A widget for a scrolled window. Its property "upwards" says whether callees are above their callers, as flames are.
 * It emits "changed" when another node becomes the current one, or the one that it is zoomed to; "menu" (double,
 * double) when the menu of the current node is asked for, at these coordinates; and "activated" when its captures are.
 *
 * Shows @flame, which must outlive its use; NULL: nothing. */
void culprit_flame_view_set_flame (CulpritFlameView *view, CulpritFlame *flame);

/* Draws again what the verdict has marked. */
void culprit_flame_view_update (CulpritFlameView *view);

/* Dims all but the nodes with @text in their names; NULL or empty: none is dimmed. @found and @ns: as in
 * culprit_flame_find(). */
void culprit_flame_view_search (CulpritFlameView *view, const char *text, guint *found, guint64 *ns);

/* How many of the nodes found last are outside of what it is zoomed to. */
guint culprit_flame_view_found_outside (CulpritFlameView *view);

/* Writes the picture as it is shown, completely, to @path (.svg or .png), below @heading. */
gboolean culprit_flame_view_export (CulpritFlameView *view, const char *heading, const char *path, GError **error);

/* The node that is meant by keys and menu, and the one that it is zoomed to, which can be set. */
guint culprit_flame_view_current (CulpritFlameView *view);
guint culprit_flame_view_zoomed (CulpritFlameView *view);
void culprit_flame_view_zoom (CulpritFlameView *view, guint node);
