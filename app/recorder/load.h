/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A load beside the measurement: any command, with all that it starts. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Statuses of a load that could not begin. */
#define LOAD_NO_USER 125
#define LOAD_NO_COMMAND 127

/* Starts @command by sh, as the user who asked for the recording, below a keeper. Returns the keeper's process; -1:
 * @problem says why not.
 *
 * The keeper is the first process of a PID namespace: with it the kernel ends everything that the load ever started,
 * whatever sessions and groups that formed. The keeper ends with us, however we end. Where the kernel has no such
 * namespaces, the keeper adopts the load's orphans and ends all of them before it ends. */
pid_t load_start (const char *command, char *problem, size_t size);

/* Whether the load has ended by itself with all that it started, and with what exit status. It stays to be taken away
 * by load_end(). */
bool load_has_ended (pid_t keeper, int *status);

/* Ends all processes of the load, by force where needed, and all other children of ours. 0 is no load. */
void load_end (pid_t keeper);
