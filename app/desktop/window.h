/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A window: one study and its pages, or the start page where no study is open yet. */
#pragma once

#include "application.h"
#include "compare/compare-page.h"
#include "document.h"
#include "notices.h"
#include "outliers/outliers-page.h"
#include "page.h"
#include "record/record-page.h"

#define CULPRIT_TYPE_STUDY_WINDOW (culprit_study_window_get_type ())

G_DECLARE_FINAL_TYPE (CulpritStudyWindow, culprit_study_window, CULPRIT, STUDY_WINDOW, GtkApplicationWindow)

CulpritStudyWindow *culprit_study_window_new (CulpritApplication *application);

/* Shows @document, which may be being read; once for each window. */
void culprit_study_window_open (CulpritStudyWindow *window, CulpritDocument *document);

/* The path of its study; NULL where none is open. */
const char *culprit_study_window_path (CulpritStudyWindow *window);

/* Brings @paths (of char *) into the study of @window; where none is open, asks for a new one first. */
void window_import (CulpritStudyWindow *window, const GPtrArray *paths);

/* What it shows, for exports. */
CulpritDocument *culprit_study_window_document (CulpritStudyWindow *window);
CulpritPage *culprit_study_window_page (CulpritStudyWindow *window);

CulpritTableView *culprit_study_window_table (CulpritStudyWindow *window); /* of its page; NULL: it has none */

OutliersPage *culprit_study_window_outliers (CulpritStudyWindow *window);

GtkWidget *culprit_study_window_pages (CulpritStudyWindow *window); /* a GtkStack */

void culprit_study_window_show_page (CulpritStudyWindow *window, const char *name);
GMenu *culprit_study_window_export_menu (CulpritStudyWindow *window);
CulpritNotices *culprit_study_window_notices (CulpritStudyWindow *window);

/* Tells of a failure; an empty @message takes the last one away. */
void culprit_study_window_fail (CulpritStudyWindow *window, const char *message);
