/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the keyboard focus somewhere useful: if it is lost with a closed menu or another page, it returns to where it
 * was, else to the list of the visible page. */
#pragma once

#include <gtk/gtk.h>

/* Watches over the focus of @window, whose pages are in @pages. */
void focus_guard (GtkWindow *window, GtkStack *pages);

/* Focuses the list of the visible page of @pages, or else the first widget that takes the focus. */
void focus_page (GtkStack *pages);
