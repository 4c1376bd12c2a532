/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keyboard and the pointer of the display, as a user has them. */
#pragma once

#include "sample-window.h"

/* Presses and releases @key in the window while @modifier (GDK_KEY_Shift_L; 0: none) is down, and waits. */
void sample_input_key (SampleWindow *sample, guint key, guint modifier);

/* Types letters, one behind a ^ with Control, and waits. */
void sample_input_type (SampleWindow *sample, const char *keys);

/* Clicks at @x, @y of @widget, or in its middle. */
void sample_input_click_at (SampleWindow *sample, GtkWidget *widget, double across, double down, guint button);
void sample_input_click (SampleWindow *sample, GtkWidget *widget, guint button);
