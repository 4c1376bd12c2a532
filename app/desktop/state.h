/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is remembered from one session to the next. Most of it nobody configures: sizes, sort orders, forms. That is in
 * a key file in the user's state folder (~/.local/state/culprit/desktop.ini), read when it is first needed and written
 * soon after a change. What people choose in menus is in the settings. All functions are for the main thread. */
#pragma once

#include <gio/gio.h>

/* The settings; NULL: their schema is not installed. Valid until state_close(). */
GSettings *state_settings (void);

/* The group of the study at @path, for what concerns that study alone. The caller owns it. */
char *state_group_of (const char *path);

/* The value of @key in @group, or NULL. The caller owns it. */
char *state_text (const char *group, const char *key);

/* Sets the value; NULL: removes it. */
void state_set_text (const char *group, const char *key, const char *text);

/* The number at @key in @group; @otherwise if there is none. */
int state_integer (const char *group, const char *key, int otherwise);
void state_set_integer (const char *group, const char *key, int value);

/* Sets the integer @property of @object to its remembered value and remembers its changes, as long as @object lives. */
void state_keep (gpointer object, const char *property, const char *group, const char *key);

/* Writes what has not been written yet, and frees everything; what is needed later is read again. */
void state_close (void);
