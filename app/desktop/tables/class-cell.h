/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cell of a class: a badge in its colour. */
#pragma once

#include <gtk/gtk.h>

GtkWidget *class_cell_make (void);

/* Shows @class; where it is empty, @missing, which may be NULL, without a badge. */
void class_cell_set (GtkWidget *cell, const char *class, const char *missing);
