/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a blind stall is called in the table of where the time went: the function that it struck is not to blame. */
#pragma once

#include "tables/table.h"
#include "verdict/case.h"

/* Marks the part of @budget that the stall struck if @one, the case of its capture, is a blind stall. @one may be NULL:
 * it is not judged. */
void culprit_budget_mark_stall (CulpritTable *budget, const CulpritCase *one);

/* Whether @row is the part that was marked. */
gboolean culprit_budget_is_stall (const CulpritTable *budget, guint row);

/* The function of @row of any table, made unique by its ordinal; "stall (in do_idle)" for the part that was marked. The
 * caller owns it. */
char *culprit_part_label (const CulpritTable *table, guint row);
