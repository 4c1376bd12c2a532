/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys of the window that text fields have as well: only what these leave comes to it. */
#pragma once

#include <gtk/gtk.h>

/* Undo, redo and copy of @window. */
void edit_keys_add (GtkWidget *window);
