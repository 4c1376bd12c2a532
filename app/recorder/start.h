/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts from a known state, whatever the calling program left behind. */
#pragma once

#include <stdbool.h>

/* The user who requested root's action. */

/* Becomes the requesting user: as reported by pkexec, sudo or doas, else the one logged in; with that user's groups,
 * home and a clean environment. Remains root if root itself logged in, or nobody did. False: the user is not known, or
 * something failed; the process must then exit. */
bool caller_become (void);

/* A control group of the recorder's own, with version 2 of the kernel's. Whoever owns the caller's, as users own those
 * of their session, could otherwise freeze or kill everything that restores the machine. What runs for the caller, the
 * load and the measuring threads, stays in the caller's, with the limits and CPUs that it has. */

/* Moves this process out of the caller's group, and with it the children that it will have. True without doing anything
 * if no group may hold us: there are none, or the caller is in the first one. False with errno. */
bool group_leave (void);

/* Moves this process back to the caller's group. True as well if it never left. */
bool group_return (void);

/* Before this process ends: leaves our group, and removes it if nobody else is in it. Not for the caller's, which may
 * be frozen. */
void group_end (void);

/* Drops privileges that are no longer needed. */

/* For the supervisor once everything is set up: from here on, it and what it starts can measure, trace, extract
 * captures and restore everything, but cannot load modules, mount file systems, trace processes, become another user,
 * or gain privileges by running a program. */
void privileges_confine (void);

/* For a measuring thread once it is scheduled: the only capability it keeps is that to lock memory. */
void privileges_drop (void);

/* Resets what a process inherits: signal dispositions and mask, resource limits, file mode mask, open files. Output
 * that nobody reads will not block. */
void start_afresh (void);

/* Restores the resource limits, for a program of the user's. */
void start_restore_limits (void);

/* Leaves standard output as it was found. */
void start_restore_output (void);
