/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of late wake-ups with the cause of each. */
#pragma once

#include "verdict/verdict.h"

/* culprit_query_outliers() with the additional columns class, culprit, path, excess_ns, share and confidence, which are
 * empty until culprit_outliers_judge(). The caller owns the table. */
CulpritTable *culprit_outliers_unjudged (CulpritStudy *study, const CulpritFilter *filter, GError **error);

/* Fills these columns from @verdict. @others: the class of those that it did not judge; NULL leaves them unchanged. */
void culprit_outliers_judge (CulpritTable *outliers, const CulpritVerdict *verdict, const char *others);

/* Both, with a verdict that judged at least these; @class: only those of this class, NULL for all. The caller owns the
 * table. */
CulpritTable *culprit_verdict_outliers (
    CulpritStudy *study, const CulpritFilter *filter, const CulpritVerdict *verdict, const char *class, GError **error);

/* Whether @name is a class. The error says what there are: "must be ...". */
gboolean culprit_class_check (const char *name, GError **error);

/* For how much of a latency a CPU had interrupts or preemption disabled, in words; NULL: it had
 * not, or that is not known. The caller owns it. */
char *culprit_held_in_words (gint64 interrupts_ns, gint64 preemption_ns);
