/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page that records: a form, what the doctor finds on the target, and the recording as it goes on. Its property
 * "recording" tells whether one does. */
#pragma once

#include "page.h"

GtkWidget *record_page_new (CulpritDocument *document);

/* Fills in the band from @low_ns to @high_ns, which was chosen among the latencies of @run, carried to latencies with
 * tracing where it is without and the study tells how. */
void record_page_band (GtkWidget *page, const char *run, gint64 low_ns, gint64 high_ns);

/* Sets the form to what @text says, as of form_fill(), and records; NULL: with the form as it is. */
void record_page_start (GtkWidget *page, const char *text);

/* Examines the target of the form, unless that or a recording is going on. */
void record_page_check (GtkWidget *page);

/* Stops in order, where something is being recorded. */
void record_page_stop (GtkWidget *page);

gboolean record_page_recording (GtkWidget *page);
