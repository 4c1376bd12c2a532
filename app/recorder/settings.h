/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of tracefs that are settings: reads and writes them, and keeps what they were.
 *
 * What was saved lives in memory that processes share, so that whichever of them is left can restore it. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define SAVED_TEXT_SIZE (4 << 20)

/* The settings as they were. */
typedef struct
{
  atomic_bool changed; /* There is something to restore. */
  size_t used;
  char text[SAVED_TEXT_SIZE]; /* name, value, name, value..., each ending with 0 */
} SavedSettings;

/* Opens a file of tracefs for writing; -1 where that fails. */
int setting_open (const char *name);

/* Writes @text word by word, as the files of tracefs take it: a write ends with the word. False with errno. */
bool setting_write (const char *name, const char *text);

/* Likewise; @problem says in a line why it failed. */
bool setting_require (const char *name, const char *text, char *problem, size_t size);

/* The contents of a file of tracefs without comments, or NULL; freed by the caller. */
char *setting_read (const char *name);

/* Saves all settings that a recording changes. Whoever then changes one first says so in @saved->changed. */
bool settings_save (SavedSettings *saved, char *problem, size_t size);

/* Writes them back. Gives the name of one that could not be, which is in @saved; NULL: all could. */
const char *settings_restore (const SavedSettings *saved);
