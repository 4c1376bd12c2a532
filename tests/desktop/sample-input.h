/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keyboard and the pointer of the display, as a user has them. */
#pragma once

#include "sample-window.h"

/* Presses or releases a key, of the window that has the focus. */
void sample_input_press (SampleWindow *sample, guint key, gboolean down);

/* Presses and releases it in the window, with Shift where it says so, and waits. */
void sample_input_key (SampleWindow *sample, guint key, gboolean shift);

/* Clicks in the middle of @widget. */
void sample_input_click (SampleWindow *sample, GtkWidget *widget, guint button);
