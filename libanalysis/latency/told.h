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
} CulpritTold;

/* An empty one. */
CulpritTold *culprit_told_new (void);

void culprit_told_free (CulpritTold *told);

/* The quantile @p_millionths / 1e6 is @ns. */
void culprit_told_add_quantile (CulpritTold *told, guint p_millionths, double ns);

/* The quantile @p_millionths / 1e6; NaN if @told is NULL or does not have it. */
double culprit_told_quantile (const CulpritTold *told, guint p_millionths);

/* Which figures were printed: "min, mean, max, quantiles". The caller owns it. */
char *culprit_told_in_words (const CulpritTold *told);

/* As stored in a study: an object of min_ns, mean_ns, mode_ns, max_ns, sd_ns, p25_ns and so on. NULL if it is empty.
 * The caller owns it. */
char *culprit_told_to_json (const CulpritTold *told);

/* The reverse; NULL if @json is NULL or contains nothing that makes sense. */
CulpritTold *culprit_told_from_json (const char *json);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritTold, culprit_told_free)
