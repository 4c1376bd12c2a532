/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stretches of a verdict, and the places they struck, as tables. */
#pragma once

#include "tables/table.h"
#include "verdict/verdict.h"

/* A row for the longest stretch of each late wake-up that is not ignored. The caller owns it. */
CulpritTable *culprit_stalls_table (const CulpritVerdict *verdict);

/* A row for each place. The caller owns it. */
CulpritTable *culprit_places_table (const CulpritStalls *stalls);

/* In how many captures stalls were looked for, and what was found, in sentences that the caller owns. */
char *culprit_stalls_tested (const CulpritVerdict *verdict);
char *culprit_stalls_finding (const CulpritVerdict *verdict);

/* The events before and after the stretch at @place, "entry of a to exit of b"; NULL: they vary, or are not known. The
 * caller owns it. */
char *culprit_place_between (const CulpritPlace *place);
