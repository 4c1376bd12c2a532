/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Headings of exported pictures: the study, and when it was recorded, not when it was exported. */
#pragma once

#include "document.h"

/* "sample.culprit, recorded 2026-11-20 to 2026-11-21": the runs that are shown. The caller owns it. */
char *heading_of_runs (CulpritDocument *document);

/* "sample.culprit: timeline of slides-001.dat (slides/on-1), 3.158 ms late, recorded 2026-11-21 11:05 UTC". The caller
 * owns it. */
char *heading_of_capture (CulpritDocument *document, gint64 capture);

/* The capture in one word, for the name of a picture's file: "slides-001". The caller owns it; NULL: there is none. */
char *heading_name_capture (CulpritDocument *document, gint64 capture);
