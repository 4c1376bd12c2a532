/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file is in memory, and overwritten for every input. */
#include "check-capture.h"

#include "capture/capture.h"
#include "timeline/timeline.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void
require_sum (const CulpritCapture *capture)
{
  const CulpritWindow *outlier = culprit_capture_outlier (capture);
  guint64 sum_ns = 0;

  for (guint i = 0; i < capture->outlier_nodes->len; i++)
    sum_ns += g_array_index (capture->outlier_nodes, CulpritNodeCost, i).self_ns;
  if (outlier && sum_ns != culprit_window_latency_ns (outlier))
    abort ();
}

/* The timeline must contain every call that was counted. */
static void
require_calls (const CulpritCapture *capture, const char *path, const char *definition)
{
  g_autoptr (CulpritTimeline) timeline = culprit_timeline_read (path, definition, 0, NULL, NULL);
  guint64 calls = 0;

  for (guint i = 0; i < capture->functions->len; i++)
    calls += g_array_index (capture->functions, CulpritFunction, i).calls;
  if (!timeline || timeline->calls != calls)
    abort ();
}

/* A node is right below its parent, which comes first, in the same context. */
static void
require_tree (const CulpritCapture *capture)
{
  for (guint i = 0; i < capture->nodes->len; i++)
    {
      const CulpritNode *node = &g_array_index (capture->nodes, CulpritNode, i);
      const CulpritNode *above = node->parent < i ? &g_array_index (capture->nodes, CulpritNode, node->parent) : NULL;

      if ((node->depth == 0) != (node->parent == CULPRIT_NODE_NONE) || node->depth > CULPRIT_NODES_DEEPEST)
        abort ();
      if (node->depth > 0 && (!above || above->depth != node->depth - 1 || above->context != node->context))
        abort ();
    }
}

void
check_capture (const guint8 *data, gsize size)
{
  static int fd = -1;
  static char path[64];
  static const char *const definitions[] = {
    NULL, "wakeup-of/timer:128", "response-of/waking:128", "marks:t..h",
    "between/pid=next_pid:sched:sched_waking/prio < 120/..sched:sched_switch"
  };
  const CulpritCaptureOptions options = { .measured = definitions[size % G_N_ELEMENTS (definitions)] };
  g_autoptr (GError) error = NULL;
  g_autoptr (CulpritCapture) capture = NULL;

  if (fd < 0)
    {
      fd = memfd_create ("capture", MFD_CLOEXEC);
      g_snprintf (path, sizeof path, "/proc/self/fd/%d", fd);
    }
  if (ftruncate (fd, size) != 0 || pwrite (fd, data, size, 0) != (gssize) size)
    abort ();
  capture = culprit_capture_read (path, &options, NULL, &error);
  if (!capture == !error || (error && strchr (error->message, '\n')))
    abort ();
  if (!capture)
    return;
  require_sum (capture);
  require_calls (capture, path, options.measured);
  require_tree (capture);
}
