/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the parts that read a capture. */
#pragma once

#include "capture.h"
#include "capture/events/walk-private.h"
#include "session-private.h"

/* A capture of which nothing is known yet. */
CulpritCapture *capture_new (void);

/* What the file and the events of @session tell, but not their windows and costs. Takes its log, and numbers its
 * functions by name instead of by address. */
CulpritCapture *capture_describe (Session *session);

/* Fills in capture->coverage: for a recorded capture from the settings in its cycle log; else from the events.
 * Something is reported as not traced only if there is no other explanation for them. */
void coverage_find (const Session *session, CulpritCapture *capture);

/* Adds the windows of @capture in order of time; if there are none, capture->no_windows says why. Sets the measured
 * task of @walk. FALSE with an error if they are absurdly long. */
gboolean windows_find (
    const Session *session, Walk *walk, const CulpritCaptureOptions *options, CulpritCapture *capture, GError **error);

/* Adds capture->sections, after its windows. FALSE with an error if sums are absurdly large. */
gboolean sections_find (const Session *session, CulpritCapture *capture, GError **error);

/* Adds every stretch to its owner, over all of @capture and inside its windows: computes the sums of its functions, the
 * tracing of its windows, their nodes, and its stall. FALSE with an error if sums are absurdly large. */
gboolean costs_find (const Session *session, Walk *walk, CulpritCapture *capture, GError **error);
