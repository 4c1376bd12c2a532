/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a window is too narrow to show everything side by side; GTK knows breakpoints of no kind. */
#pragma once

#include <gtk/gtk.h>

/* Keeps the property "narrow" of @window up to date, from its default size on. */
void narrow_keep (GtkWindow *window);
