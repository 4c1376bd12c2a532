/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A button with what counts as a significant difference: the margin, and whether single latencies are independent. Both
 * are claims about the runs at hand, so they are not remembered. It emits "changed". */
#pragma once

#include "latency/comparison.h"

#include <gtk/gtk.h>

#define CULPRIT_TYPE_RULES_BUTTON (culprit_rules_button_get_type ())
G_DECLARE_FINAL_TYPE (CulpritRulesButton, culprit_rules_button, CULPRIT, RULES_BUTTON, GtkWidget)

/* How to compare. Lives as long as @button. */
const CulpritRules *culprit_rules_button_rules (CulpritRulesButton *button);

/* Adds to @map the actions that its widgets stand for, which have states:
 * - compare-independent (b);
 * - compare-margin (s): as culprit compare --margin takes it; empty: the default. */
void culprit_rules_button_add_actions (CulpritRulesButton *button, GActionMap *map);
