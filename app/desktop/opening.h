/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens studies in windows, and remembers the recent ones. */
#pragma once

#include "window.h"

/* Brings the study at @path to the front, in a window of its own, once it is known that it can be read; until then all
 * stays as it is, and where it cannot, the window in front tells why. @page: to be shown; NULL: as remembered. */
void opening_open (CulpritApplication *application, const char *path, const char *page);

/* Shows the study that will come to be at @path, to which the ending of studies is added where it lacks. Where there is
 * one already it is opened. */
CulpritStudyWindow *opening_begin (CulpritApplication *application, const char *path, const char *page);

/* The study window in front, which is made where there is none. */
CulpritStudyWindow *opening_front (CulpritApplication *application);

/* The window without a study; NULL: there is none. */
CulpritStudyWindow *opening_find_empty (CulpritApplication *application);
