/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The costs of a capture: every stretch is added to its owner, over the whole capture and inside windows. */
#pragma once

#include "session-private.h"

/* Computes the functions' sums of the capture of @session, the tracing of its windows, their nodes, and its stall.
 * Functions and windows must be known. */
void costs_find (const Session *session);
