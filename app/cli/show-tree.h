/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call tree of an outlier as text. */
#pragma once

#include "study/query.h"

/* Writes the tree of @outlier, a row of culprit_query_outliers(), or why there is none. Nodes that held the CPU for
 * less than @smallest_ns are combined. */
void show_tree (CulpritStudy *study, const CulpritTable *outlier, CulpritTimes times, gint64 smallest_ns);
