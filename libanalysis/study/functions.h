/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each function cost in each late wake-up: the dots of the strip plots for all functions of a study at once. */
#pragma once

#include "query.h"

typedef struct _CulpritFunctionPoints CulpritFunctionPoints;

/* The untraced own times of all functions in the late wake-ups that @filter selects (its where is ignored); at most
 * @most per function, chosen evenly by rank. */
CulpritFunctionPoints *culprit_query_function_points (CulpritStudy *study,
                                                      const CulpritFilter *filter,
                                                      guint most,
                                                      GError **error);

/* For one function, in ns, ascending, with a 0 for each late wake-up in which it did not run: an array of gint64 that
 * belongs to @points; NULL if it ran in none. */
const GArray *culprit_function_points_of (const CulpritFunctionPoints *points,
                                          const char *function,
                                          const char *module,
                                          gint64 ordinal);
void culprit_function_points_free (CulpritFunctionPoints *points);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritFunctionPoints, culprit_function_points_free)
