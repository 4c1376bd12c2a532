/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The actions of a window, for menus, keys and other programs (org.gtk.Actions). */
#pragma once

#include "compare/compare-page.h"
#include "notices.h"
#include "outliers/outliers-page.h"
#include "page.h"
#include "record/record-page.h"
#include "window.h"

void window_actions_add (CulpritStudyWindow *window);

/* Adds those that need a study, which is there now. */
void window_actions_add_with_study (CulpritStudyWindow *window);

/* Takes away those whose states are properties of others, who may outlive @window and would tell it of changes. */
void window_actions_end (CulpritStudyWindow *window);

/* The state of the action @name becomes what the property of @notices is. */
void window_actions_tell (CulpritStudyWindow *window, const char *name, CulpritNotices *notices, GParamSpec *property);

/* What the actions need of the window. */
CulpritDocument *culprit_study_window_document (CulpritStudyWindow *window);
CulpritPage *culprit_study_window_page (CulpritStudyWindow *window);
CulpritTableView *culprit_study_window_table (CulpritStudyWindow *window); /* of its page; NULL: it has none */
OutliersPage *culprit_study_window_outliers (CulpritStudyWindow *window);
ComparePage *culprit_study_window_compare (CulpritStudyWindow *window);
RecordPage *culprit_study_window_record (CulpritStudyWindow *window);
GtkWidget *culprit_study_window_pages (CulpritStudyWindow *window); /* a GtkStack */
void culprit_study_window_show_page (CulpritStudyWindow *window, const char *name);

GMenu *culprit_study_window_export_menu (CulpritStudyWindow *window);
CulpritNotices *culprit_study_window_notices (CulpritStudyWindow *window);

/* Tells of a failure; an empty @message takes the last one away. */
void culprit_study_window_fail (CulpritStudyWindow *window, const char *message);
