/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page that records: a form, what the doctor finds on the target, and the recording as it goes on. Its properties
 * "recording" and "progress" tell whether one does, and how far it is. */
#pragma once

#include "page.h"

#define RECORD_TYPE_PAGE (record_page_get_type ())
G_DECLARE_FINAL_TYPE (RecordPage, record_page, RECORD, PAGE, CulpritPage)

/* Fills in the band from @low_ns to @high_ns, which was chosen among the latencies of @run, carried to latencies with
 * tracing where it is without and the study tells how. */
void record_page_band (RecordPage *page, const char *run, gint64 low_ns, gint64 high_ns);

/* Fills in @run's settings with the threshold @threshold_ns. */
void record_page_threshold (RecordPage *page, const char *run, gint64 threshold_ns);

/* Fills in @run's settings to record latencies of six runs without tracing and six with it, in turn. */
void record_page_in_turn (RecordPage *page, const char *run);

/* Fills in what @run was recorded with, as of form_like(). */
void record_page_like (RecordPage *page, const char *run, const char *graph, gint64 captures);

/* Sets the form to what @text says, as of form_fill(), and records; NULL: with the form as it is. */
void record_page_start (RecordPage *page, const char *text);

/* Chooses the virtual machine as the target, unless a recording is going on. */
void record_page_use_vm (RecordPage *page);

/* Examines the target of the form, unless that or a recording is going on. */
void record_page_check (RecordPage *page);

/* Stops in order, where something is being recorded. */
void record_page_stop (RecordPage *page);

gboolean record_page_recording (RecordPage *page);
