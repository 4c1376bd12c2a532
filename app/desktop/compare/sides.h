/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The widget to choose the baseline and the runs compared with it. It emits "changed" when either changes. */
#pragma once

#include "document.h"

#include <gtk/gtk.h>

#define CULPRIT_TYPE_COMPARE_SIDES (culprit_compare_sides_get_type ())
G_DECLARE_FINAL_TYPE (CulpritCompareSides, culprit_compare_sides, CULPRIT, COMPARE_SIDES, GtkWidget)

/* Offers what @document has read. What was chosen stays chosen where it is still there. */
void culprit_compare_sides_fill (CulpritCompareSides *sides, CulpritDocument *document);

/* How many there are to choose from. */
guint culprit_compare_sides_offered (CulpritCompareSides *sides);

/* What is chosen, of CompareChoice, the base first. The caller owns the array. */
GPtrArray *culprit_compare_sides_chosen (CulpritCompareSides *sides);
