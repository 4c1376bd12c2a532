/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the windows of a capture's cycles. */
#pragma once

#include "capture.h"
#include "walk-private.h"

/* Finds the windows of @capture, of the thread that wrote @marker, and adds them in order of time. If there are none,
 * capture->no_windows says why. Sets the measured task of the walk. */
void windows_find (Walk *walk, const Marker *marker, const CulpritCaptureOptions *options, CulpritCapture *capture);

/* The same from the cycle log of @capture, exactly. */
void windows_from_cycles (Walk *walk, CulpritCapture *capture);
