/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the window keeps from one session to the next and nobody configures: sizes, sort orders, forms.
 *
 * A key file in the user's state folder (~/.local/state/culprit/desktop.ini), read at the first question and written
 * soon after a change. What people choose in menus is in the settings instead. All functions are for the main thread.
 */
#pragma once

#include <glib-object.h>

/* The group for the study at @path, for what is kept of that study alone. The caller owns it. */
char *state_group_of (const char *path);

/* What is kept as @key in @group; NULL: nothing. The caller owns it. */
char *state_text (const char *group, const char *key);

/* Keeps @text; NULL: nothing any longer. */
void state_set_text (const char *group, const char *key, const char *text);

/* The number that is kept as @key in @group; @otherwise: there is none. */
int state_integer (const char *group, const char *key, int otherwise);
void state_set_integer (const char *group, const char *key, int value);

/* Sets the property of @object, an integer, to what is kept, and keeps what it becomes, as long as @object lives. */
void state_keep (gpointer object, const char *property, const char *group, const char *key);

/* Writes what was not written yet. The next question reads the file again. */
void state_close (void);
