/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The timeline of the selected capture, read when it is first shown. */
#pragma once

#include "page.h"
#include "tables/rows.h"

/* The window of a late wake-up, for a thread, which must not touch rows. */

typedef struct
{
  gint64 capture;
  guint cpu;
  gint32 pid;
  guint64 start_ns;
  guint64 end_ns;
} LateWindow;

/* The window of @row, of culprit_query_outliers(). The caller owns it. */
static inline LateWindow *
late_window_new (CulpritRow *row)
{
  LateWindow *window = g_new (LateWindow, 1);

  *window = (LateWindow) { .capture = culprit_row_integer (row, "capture"),
                           .cpu = culprit_row_integer (row, "cpu"),
                           .pid = culprit_row_integer (row, "pid"),
                           .start_ns = culprit_row_integer (row, "window.start_ns"),
                           .end_ns = culprit_row_integer (row, "window.end_ns") };
  return window;
}

#define CULPRIT_TYPE_CAPTURE_TIMELINE (culprit_capture_timeline_get_type ())

G_DECLARE_FINAL_TYPE (CulpritCaptureTimeline, culprit_capture_timeline, CULPRIT, CAPTURE_TIMELINE, CulpritDocumentView)

/* Writes the visible part to @path (.svg or .png). */
gboolean culprit_capture_timeline_export (CulpritCaptureTimeline *timeline, const char *path, GError **error);

/* Zooms to the late wake-up and scrolls to the highlighted function. */
void culprit_capture_timeline_show_window (CulpritCaptureTimeline *timeline);

/* Focuses the search. */
void culprit_capture_timeline_search (CulpritCaptureTimeline *timeline);

/* Focuses the timeline, as soon as it is read. Not an implementation of gtk_widget_grab_focus(), which GTK calls for
 * each container that Shift+Tab leaves. */
void culprit_capture_timeline_focus (CulpritCaptureTimeline *timeline);

/* Whether a timeline is visible. */
gboolean culprit_capture_timeline_is_shown (CulpritCaptureTimeline *timeline);
