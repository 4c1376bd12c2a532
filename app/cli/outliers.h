/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Late wake-ups, as commands show them. */
#pragma once

#include "tables/outliers.h"

/* Judges all late wake-ups of @study. The caller owns the verdict. */
CulpritVerdict *outliers_judge (CulpritStudy *study, GError **error);

/* Adds the budget of an outlier and its sum as members to the outlier's object; @data is the study. */
gboolean outliers_add_budget (GString *json, const CulpritTable *table, guint row, gpointer data, GError **error);
