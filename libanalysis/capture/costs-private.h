/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The costs of a capture: every stretch is added to its owner, over the whole capture and inside windows. */
#pragma once

#include "walk-private.h"

/* Computes the functions' sums of @capture, the tracing of its windows, its budget, ordinary costs and stall. Functions
 * and windows must be known. */
void costs_find (Walk *walk, CulpritCapture *capture);
