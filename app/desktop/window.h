/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A window: one study and its pages, or the start page while no study is open. */
#pragma once

#include "document.h"

#include <gtk/gtk.h>

#define CULPRIT_TYPE_STUDY_WINDOW (culprit_study_window_get_type ())

G_DECLARE_FINAL_TYPE (CulpritStudyWindow, culprit_study_window, CULPRIT, STUDY_WINDOW, GtkApplicationWindow)

/* The hint of g_application_open() by which windows ask for a new study, the first of the files; captures that follow
 * are imported into it. */
#define WINDOW_NEW_STUDY "new"

CulpritStudyWindow *culprit_study_window_new (GtkApplication *application);

/* Shows @document, which may still be loading; at most once per window. */
void culprit_study_window_open (CulpritStudyWindow *window, CulpritDocument *document);

/* What is open, and its path; NULL: nothing. */
CulpritDocument *culprit_study_window_document (CulpritStudyWindow *window);
const char *culprit_study_window_path (CulpritStudyWindow *window);

/* Imports @paths (of char *) into the study of @window; if there is none, asks for the name of a new one first. */
void culprit_study_window_import (CulpritStudyWindow *window, const GPtrArray *paths);

void culprit_study_window_show_page (CulpritStudyWindow *window, const char *name);

/* Shows an error, as culprit_document_fail() does. */
void culprit_study_window_fail (CulpritStudyWindow *window, CulpritAbout about, const char *message);

/* What it shows of these; empty: nothing. The caller owns it. */
char *culprit_study_window_message (CulpritStudyWindow *window);
