/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the parts that read a capture. */
#pragma once

#include "capture.h"
#include "session-private.h"
#include "walk-private.h"

/* A capture with the functions of @session, their names, its CPUs and event counts, but nothing else yet. */
CulpritCapture *capture_new (Session *session);

/* The name of @pid in the saved command lines of @file; NULL if it is not there. The caller owns it. */
char *capture_find_comm (const TraceFile *file, gint32 pid);

/* The costs of a capture: every stretch is added to its owner, over the whole capture and inside windows. */

/* Computes the functions' sums of the capture of @session, the tracing of its windows, their nodes, and its stall.
 * Functions and windows must be known. */
void costs_find (const Session *session);

/* Determines what a capture did not trace. */

/* Fills in capture->coverage: for a recorded capture from the settings in its cycle log; else from the events.
 * Something is reported as not traced only if there is no other explanation for them. */
void coverage_find (const Session *session, CulpritCapture *capture);

/* Finds the windows of a capture's cycles. */

/* Finds the windows of @capture, of the thread that wrote @marker, and adds them in order of time. If there are none,
 * capture->no_windows says why. Sets the measured task of the walk. */
void windows_find (Walk *walk, const Marker *marker, const CulpritCaptureOptions *options, CulpritCapture *capture);

/* The same from the cycle log of @capture, exactly. */
void windows_from_cycles (Walk *walk, CulpritCapture *capture);
