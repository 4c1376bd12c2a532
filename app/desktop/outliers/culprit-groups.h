/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Late wake-ups grouped by culprit, the culprit with the largest total excess first. */
#pragma once

#include "tables/table-view.h"

typedef struct _CulpritGroups CulpritGroups;

/* The groups of @rows, late wake-ups. */
CulpritGroups *culprit_groups_new (CulpritRows *rows);

void culprit_groups_free (CulpritGroups *groups);

/* How rows stand together, with CulpritGroups as data: those without a culprit last but for those that are ignored; in
 * a group what is latest first. */
extern const TableGroups culprit_groups_by_culprit;
