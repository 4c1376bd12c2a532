/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page that compares runs with a baseline, above all runs with tracing with runs without it. */
#pragma once

#include "latency/comparison/comparison.h"
#include "page.h"

#include <adwaita.h>

#define CULPRIT_TYPE_RULES_BUTTON (culprit_rules_button_get_type ())

G_DECLARE_FINAL_TYPE (CulpritRulesButton, culprit_rules_button, CULPRIT, RULES_BUTTON, AdwBin)

/* Adds actions with states to @map, which the widgets of @button change: compare-independent (b); compare-margin (s),
 * the argument of culprit compare --margin, empty: the default. */
void culprit_rules_button_add_actions (CulpritRulesButton *button, GActionMap *map);

#define COMPARE_TYPE_PAGE (compare_page_get_type ())

G_DECLARE_FINAL_TYPE (ComparePage, compare_page, COMPARE, PAGE, CulpritPage)

CulpritRulesButton *compare_page_rules (ComparePage *page);
