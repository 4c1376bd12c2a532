/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A window: one study and its pages, or the start page where no study is open yet. */
#pragma once

#include "application.h"
#include "document.h"

#define CULPRIT_TYPE_STUDY_WINDOW (culprit_study_window_get_type ())
G_DECLARE_FINAL_TYPE (CulpritStudyWindow, culprit_study_window, CULPRIT, STUDY_WINDOW, GtkApplicationWindow)

CulpritStudyWindow *culprit_study_window_new (CulpritApplication *application);

/* Shows @document, which may be being read; once for each window. */
void culprit_study_window_open (CulpritStudyWindow *window, CulpritDocument *document);

/* The path of its study; NULL where none is open. */
const char *culprit_study_window_path (CulpritStudyWindow *window);
