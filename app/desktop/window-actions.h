/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can be done in a window, by menu, key, or another program (org.gtk.Actions). */
#pragma once

#include "page.h"
#include "window.h"

void window_actions_add (CulpritStudyWindow *window);

/* Those that need a study. */
void window_actions_enable (CulpritStudyWindow *window, gboolean enabled);

/* Something is told or failed, or, where @message is empty, was dismissed. */
void window_actions_told (CulpritStudyWindow *window, const char *message);

/* Another page is shown. */
void window_actions_page_shown (CulpritStudyWindow *window, const char *name);

/* What the actions need of the window. */
CulpritDocument *culprit_study_window_document (CulpritStudyWindow *window);
CulpritPage *culprit_study_window_page (CulpritStudyWindow *window);
GtkWidget *culprit_study_window_outliers (CulpritStudyWindow *window);
GtkWidget *culprit_study_window_compare (CulpritStudyWindow *window);
GtkWidget *culprit_study_window_record (CulpritStudyWindow *window);
void culprit_study_window_show_page (CulpritStudyWindow *window, const char *name);

/* Tells of a failure; an empty @message takes the last one away. */
void culprit_study_window_fail (CulpritStudyWindow *window, const char *message);
