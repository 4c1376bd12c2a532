/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The details of one capture: its cause, where its time went, its state and note. While the property "full" is set,
 * only the name of the capture and the timeline are shown. */
#pragma once

#include "page.h"

#define CULPRIT_TYPE_CAPTURE_DETAILS (culprit_capture_details_get_type ())

G_DECLARE_FINAL_TYPE (CulpritCaptureDetails, culprit_capture_details, CULPRIT, CAPTURE_DETAILS, CulpritDocumentView)

/* Shows "budget", "tree" or "timeline". */
void culprit_capture_details_show (CulpritCaptureDetails *details, const char *view);

/* Gives the focus to the timeline if that is shown. */
void culprit_capture_details_focus (CulpritCaptureDetails *details);

/* Goes to the search of the timeline; FALSE: that is not at full size. */
gboolean culprit_capture_details_search (CulpritCaptureDetails *details);

/* Shows the timeline, zoomed to the late wake-up. */
void culprit_capture_details_show_window (CulpritCaptureDetails *details);

/* Makes the fields for note and state refer to @rows (of CulpritRow), until another capture is chosen. */
void culprit_capture_details_set_rows (CulpritCaptureDetails *details, const GPtrArray *rows);

/* Copies the call tree if it has the focus; else returns FALSE. */
gboolean culprit_capture_details_copy (CulpritCaptureDetails *details);

/* Whether the timeline is visible. */
gboolean culprit_capture_details_shows_picture (CulpritCaptureDetails *details);

/* Writes the visible part of the timeline to @path (.svg or .png). */
gboolean culprit_capture_details_export (CulpritCaptureDetails *details, const char *path, GError **error);
