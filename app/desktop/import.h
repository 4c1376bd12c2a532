/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Imports files in a thread. */
#pragma once

#include "study/import-files.h"

typedef void (*ImportProgress) (const char *text, gpointer owner);

/* @tally: its problems also say why all ended where it did. */
typedef void (*ImportDone) (const CulpritImportTally *tally, gpointer owner);

/* Brings what @paths (of char *) mean into the study @study, which is made where there is none. @progress and @done are
 * called in the main thread, as long as @owner lives. */
void import_files (const char *study,
                   const GPtrArray *paths,
                   GCancellable *cancellable,
                   GObject *owner,
                   ImportProgress progress,
                   ImportDone done);
