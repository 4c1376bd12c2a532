/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells what a capture did not trace. */
#pragma once

#include "cycles.h"
#include "streams-private.h"

/* Fills in capture->coverage: of a recorded capture what was set, as @cycles tells; else what the events show. Says
 * that something was not traced only where there is no other way to read them. */
void coverage_find (const Streams *streams, const CulpritCycles *cycles, CulpritCapture *capture);
