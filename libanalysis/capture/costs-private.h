/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The costs of a capture: every stretch goes to its owner, over the whole capture and inside the windows. */
#pragma once

#include "walk-private.h"

/* Fills the functions' sums of @capture, the tracing of its windows, its budget, ordinary costs and stall.
 * The functions and the windows must be there. */
void costs_find (Walk *walk, CulpritCapture *capture);
