/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys from the display's keyboard, as a user's are. */
#pragma once

#include "sample-window.h"

/* Types letters; one behind a ^ with Control. */
void typing_type (SampleWindow *sample, const char *keys);

/* Presses one key and lets it go: GDK_KEY_Escape. */
void typing_press (SampleWindow *sample, guint key);
