/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts from a known state, whatever the calling program left behind. */
#pragma once

/* Resets what a process inherits: signal dispositions and mask, resource limits, file mode mask, open files. Output
 * that nobody reads will not block. */
void start_afresh (void);

/* Restores the resource limits, for a program of the user's. */
void start_restore_limits (void);

/* Leaves standard output as it was found. */
void start_restore_output (void);
