/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files that SQLite keeps beside a study. Where a stranger made the folder, he made these too: SQLite writes
 * through links, waits for pipes, and deletes any file that a journal names as its super-journal. */
#pragma once

#include "statement-private.h"

/* @path as in a URI, where a second slash at its beginning would begin the name of a host. The caller owns it. */
char *journal_uri_path (const char *path);

/* The name of how SQLite reaches the files of studies: as it does others, but for super-journals, which it deletes.
 * None of ours has one, and who owns the folder may put a journal into it at any moment. From the first call on, locks
 * of SQLite stay with this program though it opens and closes the same file otherwise. */
const char *journal_vfs (void);

/* Whether what is beside @path, which may not exist, can be used: regular files, no super-journal. @hot: there is a
 * journal, of which no program is the author any more, that SQLite will roll back into the study. */
gboolean journal_check (const char *path, gboolean *hot, GError **error);

/* A copy of a study and its journal, in a folder of their own that is locked while a program uses it. */
typedef struct
{
  char *path;
  char *folder;
  int lock;
} JournalCopy;

/* Copies the study at @path and its journal to where rolling back harms nobody. FALSE with an error. What killed
 * programs left of theirs is removed. */
gboolean journal_copy (const char *path, JournalCopy *copy, GError **error);

/* Removes a copy, also one that is not complete. */
void journal_remove_copy (JournalCopy *copy);
