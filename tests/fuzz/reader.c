/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the reader of captures: whatever the bytes, it reads them or says why not. What it reads must add up. */
#include "capture/capture.h"
#include "capture/tree.h"
#include "timeline/timeline.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
require_sum (const CulpritCapture *capture)
{
  const CulpritWindow *outlier = culprit_capture_outlier (capture);
  guint64 sum_ns = 0;

  for (guint i = 0; i < capture->costs->len; i++)
    sum_ns += g_array_index (capture->costs, CulpritCost, i).self_ns;
  if (outlier && sum_ns != culprit_window_latency_ns (outlier))
    abort ();
}

/* The timeline must hold every call that was counted. */
static void
require_calls (const CulpritCapture *capture, const char *path)
{
  g_autoptr (CulpritTimeline) timeline = culprit_timeline_read (path, NULL, NULL);
  guint64 calls = 0;

  for (guint i = 0; i < capture->functions->len; i++)
    calls += g_array_index (capture->functions, CulpritFunction, i).calls;
  if (!timeline || timeline->calls != calls)
    abort ();
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  const CulpritCaptureOptions options = { 0 };
  int fd = memfd_create ("capture", MFD_CLOEXEC);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  g_autoptr (GError) error = NULL;
  g_autoptr (CulpritCapture) capture = NULL;

  if (write (fd, data, size) != (gssize) size)
    abort ();
  capture = culprit_capture_read (path, &options, NULL, &error);
  if (!capture == !error || (error && strchr (error->message, '\n')))
    abort ();
  if (capture)
    {
      const CulpritWindow *outlier = culprit_capture_outlier (capture);

      require_sum (capture);
      require_calls (capture, path);
      if (outlier)
        {
          g_autoptr (CulpritTree) tree =
              culprit_tree_read (path, outlier->cpu, outlier->start_ns, outlier->end_ns, outlier->pid, NULL);

          if (!tree)
            abort ();
        }
    }
  close (fd);
  return 0;
}
