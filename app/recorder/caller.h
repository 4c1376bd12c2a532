/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The user who requested root's action. */
#pragma once

#include <stdbool.h>

/* Becomes the requesting user: as reported by pkexec, sudo or doas, else the one logged in; with that user's groups,
 * home and a clean environment. Remains root if root itself logged in, or nobody did. False: the user is not known, or
 * something failed; the process must then exit. */
bool caller_become (void);
