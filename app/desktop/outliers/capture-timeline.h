/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The timeline of the selected capture, read when it is first shown. */
#pragma once

#include "document-view.h"

#define CULPRIT_TYPE_CAPTURE_TIMELINE (culprit_capture_timeline_get_type ())
G_DECLARE_FINAL_TYPE (CulpritCaptureTimeline, culprit_capture_timeline, CULPRIT, CAPTURE_TIMELINE, CulpritDocumentView)

/* Writes what is seen to @path (.svg or .png). */
gboolean culprit_capture_timeline_export (CulpritCaptureTimeline *timeline, const char *path, GError **error);

/* Gives the timeline the focus. Not gtk_widget_grab_focus(): GTK calls that of each container which Shift+Tab leaves.
 */
void culprit_capture_timeline_focus (CulpritCaptureTimeline *timeline);

/* Whether a timeline is seen. */
gboolean culprit_capture_timeline_is_shown (CulpritCaptureTimeline *timeline);
