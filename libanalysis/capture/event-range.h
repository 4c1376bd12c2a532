/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which events of a capture lie in a stretch of time, for programs that count events instead of telling the time. */
#pragma once

#include <glib.h>

typedef struct
{
  char *buffer;  /* The buffer's name; empty for the top one. */
  guint64 first; /* The first event from the start on, of all CPUs in the order of time; they count from 0. */
  guint64 last;  /* The last one up to the end. */
  GArray *cpus;  /* of guint: the CPUs that have events */
} CulpritEventRange;

/* Finds the events from @start_ns to @end_ns in the capture at @path. A place where events were lost counts as one
 * event, as in KernelShark. FALSE with a CULPRIT_CAPTURE_ERROR. Clear @range with culprit_event_range_clear(). */
gboolean culprit_event_range_read (
    const char *path, guint64 start_ns, guint64 end_ns, CulpritEventRange *range, GError **error);

void culprit_event_range_clear (CulpritEventRange *range);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CulpritEventRange, culprit_event_range_clear)
