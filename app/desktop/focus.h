/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives the keyboard somewhere to go: where the focus is lost, with a menu that closes or a page that is left, it comes
 * back to what had it before, else to the list of the page that is shown. */
#pragma once

#include <gtk/gtk.h>

/* Looks after @window, whose pages are in @pages. */
void focus_guard (GtkWindow *window, GtkStack *pages);

/* Gives the focus to the list of the page that is shown in @pages, else to the first that takes it. */
void focus_page (GtkStack *pages);
