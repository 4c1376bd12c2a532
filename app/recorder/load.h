/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A load beside the measurement: any command, with all that it starts. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Starts @command by sh, in a session of its own, as the user who asked where pkexec or sudo tells who that is. Returns
 * the session; -1: @problem says why not. */
pid_t load_start (const char *command, char *problem, size_t size);

/* Whether the load of @session has ended by itself, and with what exit status. It stays to be taken away by load_end().
 */
bool load_has_ended (pid_t session, int *status);

/* Ends all processes of the load's @session, by force where needed, and takes their remains away. 0 is none. */
void load_end (pid_t session);
