/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of what functions did in a range of a timeline. */
#pragma once

#include "tables/tables.h"
#include "timeline/timeline.h"

/* See culprit_timeline_totals(), of which this is the table: culprit_range. The caller owns it. NULL if @cancellable
 * was cancelled. */
CulpritTable *culprit_range_table (const CulpritTimeline *timeline,
                                   guint64 start_ns,
                                   guint64 end_ns,
                                   GCancellable *cancellable);
