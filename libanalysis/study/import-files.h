/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Brings many files into a study, whatever they are: captures, and latency results of other tools. */
#pragma once

#include "import.h"

/* What came of the files. */
typedef struct
{
  guint stored;        /* captures */
  guint again;         /* captures that an older version had read */
  guint known;         /* of either kind, that were there already */
  guint profiles;      /* latency results of other tools */
  GPtrArray *problems; /* of char *: a line for each file that was passed over */
  GPtrArray *warnings; /* likewise, for files that were stored */
  GPtrArray *read_as;  /* likewise, for latency results: what was taken as what */
} CulpritImportTally;

/* Called before each file: it is @number of @all. */
typedef void (*CulpritImportProgress) (guint number, guint all, const char *path, gpointer data);

void culprit_import_tally_init (CulpritImportTally *tally);
void culprit_import_tally_clear (CulpritImportTally *tally);

/* All files that @paths (ending with NULL) mean, as of culprit_import_find(); what cannot be read becomes a problem of
 * @tally. An array of paths that the caller owns. */
GPtrArray *culprit_import_find_all (char **paths, CulpritImportTally *tally);

/* Brings all of @files into the study at @study_path; where there is none it is made when the first of them was read.
 * @unit_ns: what a latency without a unit is, where its file does not tell. FALSE where it makes no sense to go on: the
 * study itself fails, or the user cancelled; what came before is in the study. */
gboolean culprit_import_files (const char *study_path,
                               const GPtrArray *files,
                               const CulpritImportOptions *options,
                               gint64 unit_ns,
                               GCancellable *cancellable,
                               CulpritImportProgress progress,
                               gpointer data,
                               CulpritImportTally *tally,
                               GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CulpritImportTally, culprit_import_tally_clear)
