/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Imports files into the study of a window, or into a new one. */
#pragma once

#include "window.h"

/* Brings @paths (of char *) into the study of @window; where none is open, asks for a new one first. */
void window_import (CulpritStudyWindow *window, const GPtrArray *paths);

/* The same without a question: a new study is put beside the first of @paths and called like their folder. */
void window_import_beside (CulpritStudyWindow *window, const GPtrArray *paths);
