/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each function cost in each late wake-up: the dots of a strip plot for every function of a study at once. */
#pragma once

#include "query.h"

typedef struct _CulpritFunctionPoints CulpritFunctionPoints;

/* The own times, without the tracer's, of all functions in the late wake-ups that @filter lets through (its where is
 * not regarded); of each function at most @most, evenly chosen by rank. */
CulpritFunctionPoints *culprit_query_function_points (CulpritStudy *study,
                                                      const CulpritFilter *filter,
                                                      guint most,
                                                      GError **error);

/* Of one function, in ns, ascending, with a 0 for each late wake-up in which it did not run: an array of gint64 that
 * belongs to @points; NULL where it ran in none. */
const GArray *culprit_function_points_of (const CulpritFunctionPoints *points,
                                          const char *function,
                                          const char *module,
                                          gint64 ordinal);

void culprit_function_points_free (CulpritFunctionPoints *points);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritFunctionPoints, culprit_function_points_free)
