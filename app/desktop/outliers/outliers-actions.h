/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The actions of the Outliers page, as actions of the window. */
#pragma once

#include "outliers/outliers-page.h"

/* Adds to @map what concerns @page, which lives as long:
 * - triage (s): the selected ones get a state;
 * - note (s): they get a note;
 * - cause (s): only the captures that a cause explains are shown, its state; all, where it is so already;
 * - group, with a state (b): those of one culprit stand together. */
void outliers_actions_add (GActionMap *map, OutliersPage *page);
