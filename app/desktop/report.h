/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the HTML report in a thread. */
#pragma once

#include "document.h"

/* Writes the report of the captures of @rows (of CulpritRow), of all where there are none, to @path; a failure is told
 * by the document. */
void report_write (CulpritDocument *document, const GPtrArray *rows, const char *path);
