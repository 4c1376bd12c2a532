/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A button with the peaks of all runs; one that is chosen becomes the band: it emits "chosen" (double low_ns, double
 * high_ns), the latencies from the pass below the peak to the one above. */
#pragma once

#include "document.h"

#include <gtk/gtk.h>

#define CULPRIT_TYPE_PEAKS_BUTTON (culprit_peaks_button_get_type ())
G_DECLARE_FINAL_TYPE (CulpritPeaksButton, culprit_peaks_button, CULPRIT, PEAKS_BUTTON, GtkWidget)

/* Offers the peaks of @latencies (of CulpritLatencies), which need not live on. */
void culprit_peaks_button_set_latencies (CulpritPeaksButton *button, const GPtrArray *latencies);
