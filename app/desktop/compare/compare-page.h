/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page that compares runs with a baseline, above all tracing on with tracing off. */
#pragma once

#include "latency/comparison.h"
#include "page.h"

#include <gtk/gtk.h>

#define CULPRIT_TYPE_RULES_BUTTON (culprit_rules_button_get_type ())

G_DECLARE_FINAL_TYPE (CulpritRulesButton, culprit_rules_button, CULPRIT, RULES_BUTTON, GtkWidget)

/* Adds to @map the actions that its widgets stand for, which have states:
 * - compare-independent (b);
 * - compare-margin (s): as culprit compare --margin takes it; empty: the default. */
void culprit_rules_button_add_actions (CulpritRulesButton *button, GActionMap *map);

#define COMPARE_TYPE_PAGE (compare_page_get_type ())

G_DECLARE_FINAL_TYPE (ComparePage, compare_page, COMPARE, PAGE, CulpritPage)

CulpritRulesButton *compare_page_rules (ComparePage *page);
