/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a recording must put back, in a file that outlives it: /run/culprit/journal, for root's eyes only. The folder is
 * also the lock that lets no two recordings change tracing at once; it is held by whoever of us is left. */
#pragma once

#include "rescue.h"

/* Opens the folder, before processes part, so that they share its lock. Without root, or a place for it, there is none
 * and the functions below say so. */
void journal_open (void);

/* Takes the lock, waiting a moment for the remains of a recording that was killed. False: @problem says who has it. */
bool journal_lock (char *problem, size_t size);

/* Whether a recording that nobody is left of did not put back what it changed. */
bool journal_is_left (void);

/* Puts back what a recording that was killed left behind; needs the lock. Returns whether there was anything. @failed:
 * as of rescue_all(). */
bool journal_recover (Rescue *rescue, const char **failed);

/* Writes what is in @rescue. False: @problem says why that cannot be. */
bool journal_write (const Rescue *rescue, char *problem, size_t size);

/* Everything was put back: removes it and gives the lock back. */
void journal_remove (void);
