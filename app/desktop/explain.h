/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A button that explains the numbers next to it. */
#pragma once

#include <gtk/gtk.h>

/* A button that opens definitions. @entries: pairs of what is explained and a sentence, ending with NULL. */
GtkWidget *explain_button_new (const char *const *entries);
