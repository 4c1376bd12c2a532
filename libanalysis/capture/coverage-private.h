/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells what a capture did not trace. */
#pragma once

#include "session-private.h"

/* Fills in capture->coverage: of a recorded capture what was set, as its cycle log tells; else what the events show.
 * Says that something was not traced only if there is no other way to read them. */
void coverage_find (const Session *session, CulpritCapture *capture);
