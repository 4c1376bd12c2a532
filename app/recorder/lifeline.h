/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Children that end with their parent, however that ends. */
#pragma once

#include <sys/types.h>

/* To be called by a new child: when @parent ends, it receives the signal @number. The kernel does not send it if
 * @parent ended before we ask for it; in that case, exits. */
void lifeline_hold (pid_t parent, int number);
