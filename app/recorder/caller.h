/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The user on whose behalf root was asked for this. */
#pragma once

#include <stdbool.h>

/* Becomes the user who asked: as pkexec, sudo and doas tell, else who logged in; with that user's groups, home and a
 * clean environment. Root where root itself logged in, or nobody did. False: the user is not known, or something
 * failed; the process must end then. */
bool caller_become (void);
