/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page shown while no study is open: how to start, and recent studies; and the sample study that it offers. */
#pragma once

#include <gtk/gtk.h>

/* Adds the page to @stack as "start". */
void start_page_add (GtkStack *stack);

/* The path of the user's own copy of the sample study, captures included, which is made if there is none: the installed
 * one stays as it is, states and notes go into the copy. The caller owns it; NULL with an error. */
char *sample_copy (GError **error);
