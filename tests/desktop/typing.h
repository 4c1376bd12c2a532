/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys from the display's keyboard, as a user's are. */
#pragma once

#include "sample-window.h"

/* Types letters; one behind a ^ with Control. */
void typing_type (SampleWindow *sample, const char *keys);

/* Presses one key and lets it go: GDK_KEY_Escape. */
void typing_press (SampleWindow *sample, guint key);

/* Presses one key while another is down: GDK_KEY_Shift_L. */
void typing_hold (SampleWindow *sample, guint modifier, guint key);
