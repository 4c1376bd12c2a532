/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The application: opens studies in windows, remembers the recent ones, applies the colour scheme. */
#pragma once

#include "window.h"

#define CULPRIT_APPLICATION_ID "io.github.culprit.Culprit"

GtkApplication *culprit_application_new (void);

/* Brings the study at @path to the front, in a window of its own, as soon as it has turned out to be readable; if it is
 * not, the window in front says why. @page: the page to show; NULL: the one that was shown last. */
void culprit_application_open (GtkApplication *application, const char *path, const char *page);

/* Shows the study at @path, which need not exist yet; the suffix of studies is added if it is missing. NULL: there is
 * a study of that longer name, which the window in front says. */
CulpritStudyWindow *culprit_application_begin (GtkApplication *application, const char *path, const char *page);

/* Reads @document again, and others of the same study: its window may have been closed, and the study opened again. */
void culprit_application_reload (GtkApplication *application, CulpritDocument *document);

/* Says @message, what went wrong with @about, in the windows that show @document; if there is none any more, in the
 * window in front, or a new one, which it returns, and on standard error. */
GtkWindow *culprit_application_fail (GtkApplication *application,
                                     CulpritDocument *document,
                                     CulpritAbout about,
                                     const char *message);
