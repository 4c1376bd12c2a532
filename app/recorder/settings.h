/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of tracefs that are settings: reads, writes, saves and restores them.
 *
 * Saved settings are in memory that processes share, so that any of them that is left can restore them. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define SAVED_TEXT_SIZE (4 << 20)

/* The settings before they were changed. */
typedef struct
{
  atomic_bool changed; /* There is something to restore. */
  size_t used;
  char text[SAVED_TEXT_SIZE]; /* name, value, name, value..., each ending with 0 */
} SavedSettings;

/* Opens a file of tracefs for writing; -1 if that fails. */
int setting_open (const char *name);

/* Writes @text word by word, since files of tracefs take one word per write. False with errno. */
bool setting_write (const char *name, const char *text);

/* The same; @problem says in one line why it failed. */
bool setting_require (const char *name, const char *text, char *problem, size_t size);

/* The content of a file of tracefs without comments, or NULL; the caller frees it. */
char *setting_read (const char *name);

/* Saves all settings that a recording changes. Before anything is changed, @saved->changed must be set. */
bool settings_save (SavedSettings *saved, char *problem, size_t size);

/* Restores them. Returns the name of one that could not be restored, which is in @saved; NULL: all were. */
const char *settings_restore (const SavedSettings *saved);
