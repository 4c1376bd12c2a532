/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lays children out side by side in as many rows as they need, for bars in narrow windows. Children that expand get the
 * spare width of their row. */
#pragma once

#include <gtk/gtk.h>

#define CULPRIT_TYPE_WRAP_LAYOUT (culprit_wrap_layout_get_type ())
G_DECLARE_FINAL_TYPE (CulpritWrapLayout, culprit_wrap_layout, CULPRIT, WRAP_LAYOUT, GtkLayoutManager)
