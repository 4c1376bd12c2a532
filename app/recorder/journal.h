/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a recording must restore, in a file that outlives it: /run/culprit/journal, readable by root only. The folder is
 * also the lock that keeps two recordings from changing tracing at once; it is held as long as any of our processes
 * lives. */
#pragma once

#include "rescue.h"

/* Opens the folder, before processes are forked, so that they share its lock. Without root, or without a place for it,
 * there is no journal, and the functions below say so. */
void journal_open (void);

/* Takes the lock, waiting a moment for the remains of a killed recording. False: @problem says who holds it. */
bool journal_lock (char *problem, size_t size);

/* Whether a recording whose processes are all gone did not restore what it changed. */
bool journal_is_left (void);

/* Restores what a killed recording left; needs the lock. Returns whether there was anything to restore. @failed: as in
 * rescue_all(). */
bool journal_recover (Rescue *rescue, const char **failed);

/* Writes the content of @rescue. False: @problem says why that failed. */
bool journal_write (const Rescue *rescue, char *problem, size_t size);

/* Everything was restored: removes the journal and releases the lock. */
void journal_remove (void);
