/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A known state to start from, whatever the program that started us left behind. */
#pragma once

/* Resets what a process inherits: signal dispositions and mask, resource limits, file mode mask, open files. Output
 * that nobody reads will not block. */
void start_afresh (void);

/* Puts the resource limits back, for a program of the user's. */
void start_restore_limits (void);

/* Leaves standard output as it was found. */
void start_restore_output (void);
