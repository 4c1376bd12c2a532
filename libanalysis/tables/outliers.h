/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of late wake-ups with what each is due to. */
#pragma once

#include "verdict/verdict.h"

/* culprit_query_outliers() with the columns class, culprit, excess_ns, share and confidence of @verdict behind them,
 * which judged at least these; @class: only those of this one, NULL for all. The caller owns the table. */
CulpritTable *culprit_verdict_outliers (
    CulpritStudy *study, const CulpritFilter *filter, const CulpritVerdict *verdict, const char *class, GError **error);

/* Whether @name is a class. */
gboolean culprit_class_exists (const char *name);
