/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a timeline: one walk that turns stretches and calls into spans, visit by visit. */
#include "lane-private.h"

#include "budgets.h"
#include "capture/capture-private.h"
#include "each.h"

#define SILENCE_UNKNOWN_NS 100000 /* without a late wake-up */

/* What was collected for a CPU. */
typedef struct
{
  GPtrArray *lanes; /* of Lane: the tasks, then by depth */
  GArray *gaps;     /* of CulpritTimelineGap: losses */
  GArray *silences; /* of CulpritTimelineSilence; their lanes are depths plus one */
} ReadCpu;

typedef struct
{
  CulpritTimeline *timeline;
  const Walk *walk;
  ReadCpu *cpus; /* by stream */
  guint n_cpus;
  const Visit *visit; /* the current one; NULL between visits */
  guint64 now_ns;     /* of its most recent event */
  gint64 room;        /* bytes that spans may still take; below 0: they are no longer kept */
  guint64 bare_ns;    /* the part of it that belongs to no call */
  guint64 silence_ns; /* from which on a stretch is a silence */
  const CulpritWindow *outlier;
} Reading;

static Lane *
find_lane (Reading *reading, guint stream, int depth)
{
  GPtrArray *lanes = reading->cpus[stream].lanes;

  while ((int) lanes->len <= depth + 1)
    g_ptr_array_add (lanes, lane_new (stream, (int) lanes->len - 1));
  return g_ptr_array_index (lanes, depth + 1);
}

/* Whether there is still room for a span: each time a task leaves a CPU, each of its open calls ends one. */
static inline gboolean
take_room (Reading *reading, gboolean is_split)
{
  reading->room -= sizeof (Span) + (is_split ? sizeof (SplitRef) : 0);
  return G_LIKELY (reading->room >= 0);
}

static SplitCall *
split_at (const Reading *reading, guint32 call)
{
  return &g_array_index (reading->timeline->split, SplitCall, call);
}

/* The record of a call that is more than one span, created when needed; the frame stores its index plus one. */
static SplitCall *
find_split (Reading *reading, Frame *frame)
{
  GArray *split = reading->timeline->split;

  if (frame->node == 0)
    {
      g_array_append_val (split, ((SplitCall) { .start_ns = frame->start_ns }));
      frame->node = split->len;
    }
  return split_at (reading, frame->node - 1);
}

static guint
mark_bits (const Frame *frame)
{
  return (frame->marks & MARK_HEAD ? CULPRIT_SPAN_HEAD : 0) | (frame->marks & MARK_CUT ? CULPRIT_SPAN_CUT : 0);
}

/* The start of the part of a call that is in the current visit. For a call that was not known to be open, only its end
 * is drawn: its time was counted for others. */
static inline guint64
part_start_ns (const Reading *reading, const Frame *frame)
{
  if (G_LIKELY (frame->node == 0 && !(frame->marks & MARK_HEAD)))
    return frame->start_ns;
  return frame->marks & MARK_UNSEEN ? reading->now_ns : reading->visit->start_ns;
}

/* Adds that part, up to @end_ns. */
static inline void
add_span (Reading *reading, const Task *task, Frame *frame, guint64 end_ns, guint marks, gboolean is_split)
{
  guint64 start_ns = part_start_ns (reading, frame);
  Lane *lane = find_lane (reading, reading->visit->stream, frame - task->frames);
  SplitCall *call = is_split ? find_split (reading, frame) : NULL;
  SplitRef ref;

  marks |= mark_bits (frame) | (call && call->spans > 0 ? CULPRIT_SPAN_CONTINUED : 0);
  ref.span = lane_add (lane, start_ns, end_ns, frame->function | frame->context << CONTEXT_SHIFT | marks << MARKS_SHIFT,
                       frame->self_ns, frame->tracing_ns);
  if (G_LIKELY (!call))
    return;
  ref.call = frame->node - 1;
  g_array_append_val (lane->splits, ref);
  call->self_ns += frame->self_ns;
  call->tracing_ns += frame->tracing_ns;
  call->spans++;
  call->last_lane = lane;
  call->last_span = ref.span;
  frame->self_ns = frame->tracing_ns = 0;
}

/* Keeps a long stretch as a silence; of idle time and user mode what is in the late wake-up. */
static void
add_silence (Reading *reading, const Stretch *stretch)
{
  CulpritTimelineSilence silence = { .cpu = stretch->stream_index,
                                     .lane = stretch->task->top + 1,
                                     .start_ns = stretch->start_ns,
                                     .end_ns = stretch->end_ns };

  if (stretch->function == CULPRIT_FUNCTION_NOT_CAPTURED)
    return;
  if (stretch->function == CULPRIT_FUNCTION_USER || stretch->context == CULPRIT_CONTEXT_IDLE)
    {
      if (!reading->outlier || reading->outlier->cpu != stretch->stream->cpu)
        return;
      silence.start_ns = MAX (silence.start_ns, reading->outlier->start_ns);
      silence.end_ns = MIN (silence.end_ns, reading->outlier->end_ns);
    }
  if (silence.end_ns > silence.start_ns && silence.end_ns - silence.start_ns >= reading->silence_ns)
    g_array_append_val (reading->cpus[silence.cpu].silences, silence);
}

static inline void
on_stretch (gpointer data, const Stretch *stretch)
{
  Reading *reading = data;
  guint64 length_ns = stretch->end_ns - stretch->start_ns;

  reading->now_ns = stretch->end_ns;
  if (G_UNLIKELY (stretch->lost))
    {
      CulpritTimelineGap gap = { stretch->stream_index, stretch->start_ns, stretch->end_ns, TRUE };

      g_array_append_val (reading->cpus[stretch->stream_index].gaps, gap);
      return;
    }
  if (G_UNLIKELY (length_ns >= reading->silence_ns))
    add_silence (reading, stretch);
  if (G_LIKELY (stretch->function >= CULPRIT_FUNCTION_PSEUDO))
    {
      Frame *frame = &stretch->task->frames[stretch->task->top];

      frame->self_ns += length_ns;
      frame->tracing_ns += MIN (length_ns, stretch->floor_ns);
    }
  else if (stretch->function != CULPRIT_FUNCTION_NOT_CAPTURED)
    reading->bare_ns += length_ns;
}

static inline void
on_enter (gpointer data, guint stream, Task *task, Frame *frame)
{
}

/* Between visits only calls end whose exits are missing: their last spans exist already. */
static void
cut_away (Reading *reading, const Task *task, const Frame *frame, guint64 end_ns)
{
  SplitCall *call;

  if (frame->node == 0)
    return;
  call = split_at (reading, frame->node - 1);
  call->end_ns = end_ns;
  call->off_cpu_ns = task->off_ns - frame->off_before_ns;
  g_array_index (call->last_lane->spans, Span, call->last_span).what |= CULPRIT_SPAN_CUT << MARKS_SHIFT;
}

static inline void
on_leave (gpointer data, guint stream, Task *task, Frame *frame, guint64 end_ns)
{
  Reading *reading = data;
  gboolean is_split = frame->node > 0 || (frame->marks & MARK_HEAD);
  SplitCall *call;

  if (G_UNLIKELY (!reading->visit))
    {
      cut_away (reading, task, frame, end_ns);
      return;
    }
  if (!take_room (reading, is_split))
    return;
  add_span (reading, task, frame, reading->now_ns, 0, is_split);
  if (G_LIKELY (!is_split))
    return;
  call = split_at (reading, frame->node - 1);
  call->end_ns = end_ns;
  call->off_cpu_ns = task->off_ns - frame->off_before_ns;
}

static inline void
on_arrive (gpointer data, const Visit *visit, Task *task)
{
  Reading *reading = data;

  reading->visit = visit;
  reading->now_ns = visit->start_ns;
  reading->bare_ns = 0;
}

static inline void
on_depart (gpointer data, const Visit *visit, Task *task, guint64 end_ns)
{
  Reading *reading = data;
  guint32 index = task - (const Task *) (gpointer) reading->walk->tasks->data;

  if (take_room (reading, FALSE))
    lane_add (find_lane (reading, visit->stream, -1), visit->start_ns, end_ns, index | task->context << CONTEXT_SHIFT,
              reading->bare_ns, 0);
  for (int depth = 0; depth <= task->top && reading->room >= 0; depth++)
    {
      Frame *frame = &task->frames[depth];

      if (frame->function == NO_FUNCTION)
        continue;
      if (frame->node > 0 && end_ns <= part_start_ns (reading, frame))
        continue;
      if (take_room (reading, TRUE))
        add_span (reading, task, frame, end_ns, CULPRIT_SPAN_CONTINUES, TRUE);
    }
  reading->visit = NULL;
}

static void
add_tasks (CulpritTimeline *timeline, const Session *session, const Walk *walk)
{
  for (guint i = 0; i < walk->tasks->len; i++)
    {
      CulpritTimelineTask task = { .pid = g_array_index (walk->tasks, Task, i).pid };
      g_autofree char *comm = task.pid == 0 ? g_strdup ("idle") : session_find_comm (session, task.pid);

      task.comm = g_string_chunk_insert (timeline->capture->strings, comm ? comm : "");
      g_array_append_val (timeline->tasks, task);
    }
}

static void
add_gap (CulpritTimeline *timeline, guint cpu, guint64 start_ns, guint64 end_ns)
{
  CulpritTimelineGap gap = { cpu, start_ns, end_ns, FALSE };

  if (end_ns > start_ns)
    g_array_append_val (timeline->gaps, gap);
}

static void
find_range (CulpritTimeline *timeline, const Session *session)
{
  const CulpritWindow *outlier = culprit_capture_outlier (timeline->capture);

  timeline->first_ns = outlier ? outlier->start_ns : G_MAXUINT64;
  timeline->last_ns = outlier ? outlier->end_ns : 0;
  for (guint i = 0; i < session->streams->len; i++)
    {
      const Stream *stream = g_ptr_array_index (session->streams, i);

      timeline->first_ns = MIN (timeline->first_ns, stream_first_ns (stream));
      timeline->last_ns = MAX (timeline->last_ns, stream_last_ns (stream));
    }
}

/* Moves what was read of the CPUs to the timeline, whose lanes are ordered by CPU. */
static void
add_cpus (Reading *reading, const Session *session)
{
  CulpritTimeline *timeline = reading->timeline;

  for (guint i = 0; i < reading->n_cpus; i++)
    {
      const Stream *stream = g_ptr_array_index (session->streams, i);
      ReadCpu *read = &reading->cpus[i];
      CulpritTimelineCpu cpu = { stream->cpu, stream_first_ns (stream), stream_last_ns (stream), timeline->lanes->len,
                                 read->lanes->len };

      g_array_append_val (timeline->cpus, cpu);
      for (guint k = 0; k < read->lanes->len; k++)
        {
          const Lane *lane = g_ptr_array_index (read->lanes, k);

          timeline->spans += k > 0 ? lane->spans->len : 0;
          for (guint32 span = 0; k > 0 && span < lane->spans->len; span++)
            timeline->calls += span_begins (lane_span (lane, span));
        }
      g_ptr_array_extend_and_steal (timeline->lanes, g_steal_pointer (&read->lanes));
      add_gap (timeline, i, timeline->first_ns, cpu.first_ns);
      g_array_append_vals (timeline->gaps, read->gaps->data, read->gaps->len);
      for (guint k = 0; k < read->silences->len; k++)
        g_array_index (read->silences, CulpritTimelineSilence, k).lane += cpu.first_lane;
      g_array_append_vals (timeline->silences, read->silences->data, read->silences->len);
      add_gap (timeline, i, cpu.last_ns, timeline->last_ns);
    }
}

static gboolean
check_room (const Session *session, const CulpritCapture *capture, const Walk *walk, GError **error)
{
  if (capture->functions->len <= WHAT_MASK && walk->tasks->len <= WHAT_MASK)
    return TRUE;
  g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_UNSUPPORTED,
               "%s: more functions or tasks than a timeline can show (%u)", session->path, WHAT_MASK);
  return FALSE;
}

/* FALSE with an error: calls have more parts than are in proportion to the file. */
static gboolean
walk_over (CulpritTimeline *timeline, const Session *session, Walk *walk, GError **error)
{
  static const WalkOps ops = { on_stretch, on_enter, on_leave, on_arrive, on_depart };
  const CulpritWindow *outlier = culprit_capture_outlier (timeline->capture);
  Reading reading = { .timeline = timeline, .walk = walk, .n_cpus = session->streams->len, .outlier = outlier };

  reading.cpus = g_new (ReadCpu, reading.n_cpus);
  reading.room = SHOWN_ALLOWANCE + SHOWN_PER_BYTE * (gint64) MIN (session->size_bytes, G_MAXINT64 / 100);
  reading.silence_ns = outlier ? culprit_silence_least_ns (culprit_window_latency_ns (outlier)) : SILENCE_UNKNOWN_NS;
  for (guint i = 0; i < reading.n_cpus; i++)
    {
      reading.cpus[i].lanes = g_ptr_array_new ();
      reading.cpus[i].gaps = g_array_new (FALSE, FALSE, sizeof (CulpritTimelineGap));
      reading.cpus[i].silences = g_array_new (FALSE, FALSE, sizeof (CulpritTimelineSilence));
    }
  walk_run (walk, &ops, &reading, NULL);
  add_cpus (&reading, session);
  for (guint i = 0; i < reading.n_cpus; i++)
    {
      g_array_unref (reading.cpus[i].gaps);
      g_array_unref (reading.cpus[i].silences);
    }
  g_free (reading.cpus);
  if (reading.room >= 0)
    return TRUE;
  g_set_error (
      error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_UNSUPPORTED,
      "%s: damaged, or its calls are interrupted too often to be shown: its timeline would take far more memory "
      "than the file",
      session->path);
  return FALSE;
}

static void
index_lane (gpointer data, guint index)
{
  const CulpritTimeline *timeline = data;

  lane_index (g_ptr_array_index (timeline->lanes, index), timeline->first_ns, timeline->last_ns);
}

CulpritTimeline *
culprit_timeline_read (
    const char *path, const char *definition, guint64 threshold_ns, GCancellable *cancellable, GError **error)
{
  const CulpritCaptureOptions options = { .threshold_ns = threshold_ns };
  g_autoptr (Session) session = session_open (path, definition, NULL, cancellable, error);
  g_autoptr (CulpritCapture) capture = session ? capture_describe (session) : NULL;
  g_autoptr (Walk) walk = capture ? walk_new (session->streams, -1) : NULL;
  g_autoptr (CulpritTimeline) timeline = NULL;

  if (!walk || !check_room (session, capture, walk, error) || !windows_find (session, walk, &options, capture, error))
    return NULL;
  timeline = timeline_new (g_steal_pointer (&capture));
  timeline->marker_ns = session->marker.text ? session->marker.at_ns : 0;
  find_range (timeline, session);
  add_tasks (timeline, session, walk);
  if (g_cancellable_set_error_if_cancelled (cancellable, error) || !walk_over (timeline, session, walk, error))
    return NULL;
  g_clear_pointer (&walk, walk_free);
  g_clear_pointer (&session, session_free);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  culprit_each (timeline->lanes->len, index_lane, timeline);
  timeline_find_stays (timeline);
  return g_steal_pointer (&timeline);
}
