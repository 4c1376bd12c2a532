/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The choice of the class of late wake-ups that are listed, with the number of each. */
#pragma once

#include "tables/rows.h"

#include <gtk/gtk.h>

/* Fills @choice; @rows, late wake-ups, may be NULL. What is chosen stays. */
void class_choice_fill (GtkDropDown *choice, CulpritRows *rows);

/* The name of the chosen class; NULL: any. */
const char *class_choice_chosen (GtkDropDown *choice);
