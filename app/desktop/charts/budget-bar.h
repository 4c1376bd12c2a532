/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A latency as a stacked bar: its parts, largest first, small ones combined, the tracer's share last. */
#pragma once

#include "tables/table.h"

#include <gtk/gtk.h>

#define CULPRIT_TYPE_BUDGET_BAR (culprit_budget_bar_get_type ())
G_DECLARE_FINAL_TYPE (CulpritBudgetBar, culprit_budget_bar, CULPRIT, BUDGET_BAR, GtkWidget)

/* Shows the parts of @budget, from culprit_query_budget(), which may be freed afterwards; NULL: nothing. */
void culprit_budget_bar_set_budget (CulpritBudgetBar *bar, const CulpritTable *budget);

/* Highlights the parts of the function with the culprit_function_key() @key; NULL: none. */
void culprit_budget_bar_set_function (CulpritBudgetBar *bar, const char *key);
