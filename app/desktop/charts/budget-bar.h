/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A latency as one stacked bar: its parts, largest first, the small ones together, the tracer's share last. */
#pragma once

#include "study/table.h"

#include <gtk/gtk.h>

#define CULPRIT_TYPE_BUDGET_BAR (culprit_budget_bar_get_type ())
G_DECLARE_FINAL_TYPE (CulpritBudgetBar, culprit_budget_bar, CULPRIT, BUDGET_BAR, GtkWidget)

/* Shows the parts of @budget, as of culprit_query_budget(), which need not live on; NULL for none. */
void culprit_budget_bar_set_budget (CulpritBudgetBar *bar, const CulpritTable *budget);

/* Lights the parts of the function of culprit_function_key() @key; NULL for none. */
void culprit_budget_bar_set_function (CulpritBudgetBar *bar, const char *key);
