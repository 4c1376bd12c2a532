/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The actions that copy and export what a window shows: tables, charts, and the report. */
#pragma once

#include "window.h"

/* Adds them to @window, in which a study is open. */
void export_actions_add (CulpritStudyWindow *window);

/* Offers in the menu what can be exported of the page that is shown; what cannot be is grey and says why. */
void export_actions_fill_menu (CulpritStudyWindow *window);
