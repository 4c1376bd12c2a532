/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Determines what a capture did not trace. */
#pragma once

#include "session-private.h"

/* Fills in capture->coverage: for a recorded capture from the settings in its cycle log; else from the events.
 * Something is reported as not traced only if there is no other explanation for them. */
void coverage_find (const Session *session, CulpritCapture *capture);
