/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A control group of the recorder's own, with version 2 of the kernel's. Whoever owns the caller's, as users own those
 * of their session, could otherwise freeze or kill everything that restores the machine. What runs for the caller, the
 * load and the measuring threads, stays in the caller's, with the limits and CPUs that it has. */
#pragma once

#include <stdbool.h>

/* Moves this process out of the caller's group, and with it the children that it will have. True without doing anything
 * if no group may hold us: there are none, or the caller is in the first one. False with errno. */
bool group_leave (void);

/* Moves this process back to the caller's group. True as well if it never left. */
bool group_return (void);

/* Before this process ends: leaves our group, and removes it if nobody else is in it. Not for the caller's, which may be
 * frozen. */
void group_end (void);
