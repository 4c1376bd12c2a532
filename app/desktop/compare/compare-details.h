/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The details of one comparison: sentences, quantiles and peaks, and the mapping of a latency from the baseline to the
 * other run. */
#pragma once

#include "compare/comparing.h"

#include <gtk/gtk.h>

#define CULPRIT_TYPE_COMPARE_DETAILS (culprit_compare_details_get_type ())
G_DECLARE_FINAL_TYPE (CulpritCompareDetails, culprit_compare_details, CULPRIT, COMPARE_DETAILS, GtkWidget)

/* Shows the side at @place of @comparing; NULL shows nothing. @shape: NULL as long as it is not known. */
void culprit_compare_details_show (CulpritCompareDetails *details,
                                   Comparing *comparing,
                                   guint place,
                                   const CulpritShape *shape);

/* Asks what the band of the base from @low_ns to @high_ns is on the other side. */
void culprit_compare_details_map (CulpritCompareDetails *details, gint64 low_ns, gint64 high_ns);
