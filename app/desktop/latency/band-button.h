/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The button to record a band of latencies. Before the form is filled in it asks in whose latencies the band was
 * chosen, and shows which band this gives with tracing. Then it emits "chosen" (const char *run). */
#pragma once

#include "document.h"

#include <gtk/gtk.h>

#define CULPRIT_TYPE_BAND_BUTTON (culprit_band_button_get_type ())
G_DECLARE_FINAL_TYPE (CulpritBandButton, culprit_band_button, CULPRIT, BAND_BUTTON, GtkWidget)

/* Offers the band from @low_ns to @high_ns of each of the runs @shown (of CulpritLatencies of @document), @likely of
 * them first; not possible where there are none. */
void culprit_band_button_set_band (CulpritBandButton *button,
                                   CulpritDocument *document,
                                   const GPtrArray *shown,
                                   guint likely,
                                   gint64 low_ns,
                                   gint64 high_ns);
