/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The actions that copy and export what a window shows: tables, charts, and the report. */
#pragma once

#include "window.h"

/* Adds them to @window, in which a study is open. */
void export_actions_add (CulpritStudyWindow *window);
