/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a tool itself printed about its latencies. It knew each of them; its histogram only says how many fell into a
 * bin. */
#pragma once

#include <glib.h>

typedef struct
{
  double min_ns; /* NaN: not printed, also below */
  double mean_ns;
  double mode_ns;
  double max_ns;
  double sd_ns;
  GHashTable *quantiles; /* of double *, in ns, by millionths (GUINT_TO_POINTER) */
} CulpritPrinted;

/* An empty one. */
CulpritPrinted *culprit_printed_new (void);

void culprit_printed_free (CulpritPrinted *printed);

/* The quantile @p_millionths / 1e6 is @ns. */
void culprit_printed_add_quantile (CulpritPrinted *printed, guint p_millionths, double ns);

/* The quantile @p_millionths / 1e6; NaN if @printed is NULL or does not have it. */
double culprit_printed_quantile (const CulpritPrinted *printed, guint p_millionths);

/* Which figures were printed: "min, mean, max, quantiles". The caller owns it. */
char *culprit_printed_in_words (const CulpritPrinted *printed);

/* As stored in a study: an object of min_ns, mean_ns, mode_ns, max_ns, sd_ns, p25_ns and so on, of @printed, which may
 * be NULL, and beyond, the number of latencies above the histogram's end, end_ns. NULL if it is empty. The caller
 * owns it. */
char *culprit_printed_to_json (const CulpritPrinted *printed, guint64 beyond, gint64 end_ns);

/* The reverse; NULL if @json is NULL or contains nothing that makes sense. */
CulpritPrinted *culprit_printed_from_json (const char *json);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritPrinted, culprit_printed_free)
