/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The windows of a capture: which definition holds, or why there are none. */
#include "windows-private.h"

/* As the study stores them, and in words that can follow "because". {n} is the capture's no_windows_number. */
static const struct
{
  const char *code;
  const char *words;
} reasons[] = {
  [NO_MARKER] = { "no-marker", "it has no latency marker; cyclictest writes one with -b and --tracemark" },
  [MARKER_FORMAT] = { "marker-format", "its latency marker is not in cyclictest's format" },
  [NO_RETURN] = { "no-return", "the measured task's return from its sleep was not captured" },
  [NOT_MONO] = { "not-mono", "its trace clock is not mono, so its cycle log cannot be used" },
  [CPU_NOT_TRACED] = { "cpu-not-traced", "no functions were read of CPU {n}, on which its late wake-up was" },
  [NOT_PLACED] = { "not-placed", "when its wake-up was late is uncertain by {n} us, which is no less than its latency; "
                                 "record with a larger buffer" },
  [NO_TASK] = { "no-task", "the task whose windows are wanted is not in it" },
  [NO_SWITCH_EVENTS] = { "no-switch-events",
                         "sched:sched_switch was not recorded; record with trace-cmd -e sched:sched_switch" },
  [NO_WAKING_EVENTS] = { "no-waking-events",
                         "sched:sched_waking was not recorded; record with trace-cmd -e sched:sched_waking" },
  [NO_TIMER_EVENTS] = { "no-timer-events", "the task starts no timer in it; record with trace-cmd -e "
                                           "timer:hrtimer_start, or measure from its waking" },
  [TIMER_NOT_MONO] = { "timer-not-mono",
                       "its trace clock is not mono, by which timers expire; record with trace-cmd -C mono" },
  [NO_BEGIN] = { "no-begin", "what begins its windows was not recorded" },
  [NO_END] = { "no-end", "what ends its windows was not recorded" },
  [NO_WINDOW] = { "no-window", "it has no whole window; {n} lack their end, or events were lost in them" },
  [NONE_LATE] = { "none-late", "none of its {n} windows is as late as was asked for" },
  [OTHER_LATE] = { "other-late", "none of its {n} windows is the late one that its log states; record with a larger "
                                 "buffer, so that it is whole in it" },
  [TOO_MANY_EVENTS] = { "too-many-events", "the tasks whose windows are wanted have more events than a file of this "
                                           "size can have" },
};

G_STATIC_ASSERT (G_N_ELEMENTS (reasons) == REASONS);

char *
culprit_no_windows_in_words (const char *code, gint64 number)
{
  GString *words = g_string_new (code);
  g_autofree char *n = g_strdup_printf ("%" G_GINT64_FORMAT, number);

  for (guint i = 1; i < G_N_ELEMENTS (reasons); i++)
    if (g_str_equal (reasons[i].code, code))
      g_string_assign (words, reasons[i].words);
  g_string_replace (words, "{n}", n, 1);
  return g_string_free (words, FALSE);
}

void
windows_measure (const Finding *finding, gint32 pid)
{
  CulpritCapture *capture = finding->capture;

  g_free (capture->comm);
  capture->comm = session_find_comm (finding->session, pid);
  walk_measure (finding->walk, pid);
}

/* A definition that a text states holds before that of cycles. */
static Reason
find (const Finding *finding)
{
  const Session *session = finding->session;
  const CulpritCycles *log = finding->capture->cycles;
  gboolean logged = log && !log->measured; /* It may be one of other windows than those that are asked for. */

  if (session->measured && session->measured->kind != CULPRIT_MEASURED_CYCLES)
    {
      finding->capture->measured = g_strdup (session->definition);
      return windows_by_following (finding);
    }
  if (!logged && !session->marker.text)
    return NO_MARKER;
  finding->capture->measured = g_strdup (CULPRIT_WINDOWS_OF_CYCLES);
  return logged ? windows_by_log (finding) : windows_by_marker (finding);
}

/* A window whose place is not known more closely lies on its CPU. */
static void
add_places (CulpritCapture *capture)
{
  gboolean placed = capture->pieces->len > 0;

  for (guint i = 0; !placed && i < capture->windows->len; i++)
    {
      const CulpritWindow *window = &g_array_index (capture->windows, CulpritWindow, i);
      CulpritPiece piece = { .window = i, .cpu = window->cpu, .start_ns = window->start_ns, .end_ns = window->end_ns };

      g_array_append_val (capture->pieces, piece);
    }
}

/* Whether sums over the windows fit into 64 bits. */
static gboolean
check_windows (const Session *session, const CulpritCapture *capture, GError **error)
{
  const GArray *windows = capture->windows;
  guint64 all_ns = 0;

  for (guint i = 0; i < windows->len; i++)
    {
      guint64 latency_ns = culprit_window_latency_ns (&g_array_index (windows, CulpritWindow, i));

      all_ns += MIN (latency_ns, MAX_SUM + 1);
      if (latency_ns > MAX_SPAN_NS || all_ns > MAX_SUM)
        return capture_damaged (session->path, error, "its wake-ups are too late to add up");
    }
  return TRUE;
}

gboolean
windows_find (
    const Session *session, Walk *walk, const CulpritCaptureOptions *options, CulpritCapture *capture, GError **error)
{
  const Finding finding = { session, options, walk, capture };
  Reason reason = find (&finding);

  if (reason)
    capture->no_windows = reasons[reason].code;
  add_places (capture);
  return check_windows (session, capture, error);
}
