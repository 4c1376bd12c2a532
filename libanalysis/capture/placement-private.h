/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Determines when the windows of a foreign capture begin and end. */
#pragma once

#include "sleeps-private.h"

/* The outlier window: the cycle that was @latency_ns late, which the task reported by @marker after the sleep number
 * @hit. */
CulpritWindow placement_find (const Walk *walk,
                              const CulpritCapture *capture,
                              const Sleeps *sleeps,
                              guint hit,
                              const Marker *marker,
                              guint64 latency_ns);

/* The same if no sleep was traced, because only chosen functions were: from the marker alone. */
CulpritWindow placement_by_marker (const Walk *walk,
                                   const CulpritCapture *capture,
                                   const Marker *marker,
                                   guint64 latency_ns);

/* Adds the ordinary windows of task @pid that are whole periods before @expected_ns. */
void placement_add_ordinary (
    const Walk *walk, CulpritCapture *capture, const Sleeps *sleeps, guint64 expected_ns, gint32 pid);
