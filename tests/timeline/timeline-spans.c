/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the spans of a capture's timeline, one per line, for test_spans.py to compare with the naive reference. */
#include "timeline/timeline.h"

#include <stdio.h>
#include <string.h>

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

static void
print_silences (const CulpritTimeline *timeline)
{
  for (guint i = 0; i < timeline->silences->len; i++)
    {
      const CulpritTimelineSilence *silence = &g_array_index (timeline->silences, CulpritTimelineSilence, i);
      CulpritTimelineCall call = { .name = "" };
      guint32 span = culprit_timeline_hit (timeline, silence->lane, silence->start_ns, 0);

      if (span != CULPRIT_TIMELINE_NONE)
        culprit_timeline_describe (timeline, silence->lane, span, &call);
      printf ("silence\t%u\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\t%s\n",
              g_array_index (timeline->cpus, CulpritTimelineCpu, silence->cpu).cpu, silence->start_ns, silence->end_ns,
              call.name);
    }
}

/* Of the middle third, and of all. */
static void
print_totals (const CulpritTimeline *timeline)
{
  guint64 third_ns = (timeline->last_ns - timeline->first_ns) / 3;
  guint64 ranges[][2] = { { timeline->first_ns + third_ns, timeline->last_ns - third_ns },
                          { timeline->first_ns, timeline->last_ns } };

  for (guint range = 0; range < G_N_ELEMENTS (ranges); range++)
    {
      g_autoptr (GArray) totals = culprit_timeline_totals (timeline, ranges[range][0], ranges[range][1], NULL);

      for (guint i = 0; i < totals->len; i++)
        {
          const CulpritTimelineTotal *total = &g_array_index (totals, CulpritTimelineTotal, i);

          printf ("total\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\t%s\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT
                  "\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\n",
                  ranges[range][0], ranges[range][1],
                  g_array_index (timeline->capture->functions, CulpritFunction, total->function).name, total->calls,
                  total->self_ns, total->tracing_ns, total->total_ns);
        }
    }
}

/* All events, read in two parts, as a list that was scrolled would. */
static void
print_events (CulpritTimeline *timeline)
{
  static const char *const kinds[] = { "entry", "exit", "switch" };
  g_autoptr (CulpritTimelineEvents) events = culprit_timeline_events_new (timeline);
  guint64 count = culprit_timeline_events_count (events);
  g_autoptr (GArray) read = g_array_new (FALSE, FALSE, sizeof (CulpritTimelineEvent));

  culprit_timeline_events_read (events, 0, count / 2, read);
  culprit_timeline_events_read (events, count / 2, count, read);
  for (guint i = 0; i < read->len; i++)
    {
      const CulpritTimelineEvent *event = &g_array_index (read, CulpritTimelineEvent, i);
      CulpritTimelineCall call;

      culprit_timeline_describe (timeline, event->lane, event->span, &call);
      printf ("event\t%" G_GUINT64_FORMAT "\t%u\t%s\t%s\t%d\n", event->at_ns, call.cpu, kinds[event->kind], call.name,
              call.depth);
    }
}

static void
print_stays (const CulpritTimeline *timeline)
{
  for (guint i = 0; i < timeline->stays->len; i++)
    {
      const CulpritTimelineStay *stay = &g_array_index (timeline->stays, CulpritTimelineStay, i);

      printf ("stay\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\t%s\t%u\t%s\t%s\n", stay->start_ns, stay->end_ns,
              culprit_context_name (stay->context), stay->cpu, stay->who, stay->in);
    }
}

/* With --windows=DEFINITION, what the windows of the captures are. */
int
main (int argc, char *argv[])
{
  const char *definition = argc > 1 && g_str_has_prefix (argv[1], "--windows=") ? strchr (argv[1], '=') + 1 : NULL;

  for (int i = definition ? 2 : 1; i < argc; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (CulpritTimeline) timeline = culprit_timeline_read (argv[i], definition, 0, NULL, &error);

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
      print_silences (timeline);
      print_stays (timeline);
      print_totals (timeline);
      print_events (timeline);
      for (guint lane = 0; lane < timeline->lanes->len; lane++)
        for (guint32 span = 0; span < culprit_timeline_lane_spans (timeline, lane); span++)
          print_span (timeline, lane, span);
    }
  return 0;
}
