/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Late wake-ups grouped by culprit, the culprit with the largest total excess first. */
#pragma once

#include "tables/rows.h"

typedef struct _CulpritGroups CulpritGroups;

/* The groups of @rows, late wake-ups. */
CulpritGroups *culprit_groups_new (CulpritRows *rows);

void culprit_groups_free (CulpritGroups *groups);

/* Which of two rows' groups (@data) comes first; 0: they are of the same. Rows without a culprit come last. */
int culprit_groups_compare (CulpritRow *left, CulpritRow *right, gpointer data);

/* The order inside a group: what is latest first. */
int culprit_groups_compare_latency (CulpritRow *left, CulpritRow *right, gpointer data);
