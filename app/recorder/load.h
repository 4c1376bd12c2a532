/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A load during the measurement: any command, with everything that it starts. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Exit statuses of a load that could not begin. */
#define LOAD_NO_GROUP 124
#define LOAD_NO_USER 125
#define LOAD_NO_COMMAND 127

/* Starts @command with sh, as the user who requested the recording, below a keeper process. Returns the keeper's
 * process id; -1: @problem says why not.
 *
 * The keeper is the first process of a PID namespace: when it ends, the kernel ends everything that the load ever
 * started, whatever sessions and groups that formed. The keeper ends when we do, however we end. If the kernel has no
 * such namespaces, the keeper adopts the load's orphans and ends all of them before it ends. */
pid_t load_start (const char *command, char *problem, size_t size);

/* Whether the load has ended by itself with everything that it started, and with what exit status. It is reaped by
 * load_end(). */
bool load_has_ended (pid_t keeper, int *status);

/* Ends all processes of the load, by force if necessary, and all other children of ours. 0 means no load. */
void load_end (pid_t keeper);
