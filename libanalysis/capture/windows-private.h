/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cuts a capture into the windows of its cycles. */
#pragma once

#include "capture.h"
#include "walk-private.h"

/* Finds the windows of @capture, of the thread that wrote @marker, and adds them in order of time. Where there can
 * be none, capture->no_windows says why. The walk is told who is measured. */
void windows_find (Walk *walk, const Marker *marker, const CulpritCaptureOptions *options, CulpritCapture *capture);

/* The same from the cycle log of @capture: exact. */
void windows_from_cycles (Walk *walk, CulpritCapture *capture);
