/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fills in the form for the recording that follows from what was measured. */
#pragma once

#include "document.h"
#include "record/record-form.h"

/* The band from @low_ns to @high_ns, which was chosen among the latencies of @run, as of band_map(). */
void form_next_band (RecordForm *form, CulpritDocument *document, const char *run, gint64 low_ns, gint64 high_ns);

/* The settings of @run with the threshold @threshold_ns. */
void form_next_threshold (RecordForm *form, CulpritDocument *document, const char *run, gint64 threshold_ns);

/* The settings of @run to record latencies without tracing and with it in turn, often enough to compare shapes. */
void form_next_in_turn (RecordForm *form, CulpritDocument *document, const char *run);
