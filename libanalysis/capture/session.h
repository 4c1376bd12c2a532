/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which events of a capture lie in a time range, for programs that count events instead of using times. */
#pragma once

#include <glib.h>

typedef struct
{
  char *buffer;  /* The buffer's name; empty for the top-level one. */
  guint64 first; /* The first event in the range, counted from 0 over all CPUs in order of time. */
  guint64 last;  /* The last event in the range. */
  GArray *cpus;  /* of guint: the CPUs that have events */
} CulpritEventRange;

/* Finds the events from @start_ns to @end_ns in the capture at @path. A loss of events counts as one event, as in
 * KernelShark. FALSE with a CULPRIT_CAPTURE_ERROR. Clear @range with culprit_event_range_clear(). */
gboolean culprit_event_range_read (
    const char *path, guint64 start_ns, guint64 end_ns, CulpritEventRange *range, GError **error);
void culprit_event_range_clear (CulpritEventRange *range);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CulpritEventRange, culprit_event_range_clear)
