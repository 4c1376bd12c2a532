/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the spans of a capture's timeline, one per line, for test_spans.py to compare with the naive reference. */
#include "timeline/timeline.h"

#include <stdio.h>

static void
print_span (const CulpritTimeline *timeline, guint lane, guint32 span)
{
  CulpritTimelineCall call;
  guint32 caller = culprit_timeline_caller (timeline, lane, span);
  CulpritTimelineCall above = { .name = "" };

  culprit_timeline_describe (timeline, lane, span, &call);
  if (caller != CULPRIT_TIMELINE_NONE)
    culprit_timeline_describe (timeline, lane - 1, caller, &above);
  printf ("span\t%u\t%d\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\t%s\t%s\t%s\t%d\t%u\t%" G_GUINT64_FORMAT
          "\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT
          "\t%s\t%" G_GUINT64_FORMAT "\n",
          call.cpu, call.depth, call.span_start_ns, call.span_end_ns, call.name, call.module,
          culprit_context_name (call.context), call.pid, call.marks, call.start_ns, call.end_ns, call.self_ns,
          call.tracing_ns, call.off_cpu_ns, above.name, call.span_self_ns);
}

int
main (int argc, char *argv[])
{
  for (int i = 1; i < argc; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (CulpritTimeline) timeline = culprit_timeline_read (argv[i], NULL, &error);

      printf ("capture\t%s\n", argv[i]);
      if (!timeline)
        {
          printf ("error\t%s\n", error->message);
          continue;
        }
      printf ("calls\t%" G_GUINT64_FORMAT "\n", timeline->calls);
      for (guint gap = 0; gap < timeline->gaps->len; gap++)
        {
          const CulpritTimelineGap *found = &g_array_index (timeline->gaps, CulpritTimelineGap, gap);

          printf ("gap\t%u\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\t%d\n",
                  g_array_index (timeline->cpus, CulpritTimelineCpu, found->cpu).cpu, found->start_ns, found->end_ns,
                  found->lost);
        }
      for (guint window = 0; window < timeline->capture->windows->len; window++)
        {
          const CulpritWindow *found = &g_array_index (timeline->capture->windows, CulpritWindow, window);

          printf ("window\t%u\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\t%d\n", found->cpu, found->start_ns,
                  found->end_ns, found->outlier);
        }
      for (guint lane = 0; lane < timeline->lanes->len; lane++)
        for (guint32 span = 0; span < culprit_timeline_lane_spans (timeline, lane); span++)
          print_span (timeline, lane, span);
    }
  return 0;
}
