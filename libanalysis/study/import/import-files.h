/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Imports files into a study: captures, and latency results of other tools. */
#pragma once

#include "import.h"
#include "study/study.h"

/* Captures that a recording wrote but could not import: it was killed, or the study could not be written. */

typedef struct
{
  char *path;
  char *run; /* the run of the study that it belongs to */
} CulpritLeftover;

/* The leftovers in @folder, which contains the captures of @study's recordings; none if it does not exist. They are
 * recognised by their names: files that a recording would not name so are ignored. An array that the caller owns; NULL
 * with an error. */
GPtrArray *culprit_study_leftovers (CulpritStudy *study, const char *folder, GError **error);

/* The result of an import. Each file is one that was stored (read again; read_as), known, a problem or unread. */
typedef struct
{
  guint files;            /* that were found, or asked for in vain */
  guint stored;           /* captures */
  guint again;            /* captures that an older version had read */
  guint known;            /* of either kind, already in the study */
  guint profiles;         /* latency results of other tools */
  GPtrArray *known_files; /* of char *: files of which everything was in the study already */
  GPtrArray *unread;      /* of char *: files that were not stored, since there was no point in continuing */
  GPtrArray *problems;    /* of char *: a line for each file that was skipped */
  GPtrArray *warnings;    /* of CulpritProblem: likewise, for files that were stored */
  GPtrArray *read_as;     /* of char *: likewise, for latency results: how they were interpreted */
} CulpritImportTally;

/* Called before each file, the @number-th of @all. */
typedef void (*CulpritImportProgress) (guint number, guint all, const char *path, gpointer data);

void culprit_import_tally_init (CulpritImportTally *tally);
void culprit_import_tally_clear (CulpritImportTally *tally);

/* All files that @paths (ending with NULL) refer to: a file as it is; for a folder every file in and below it that
 * begins like a trace.dat or is a jitterdebugger result, sorted by name. A folder that cannot be read or has no such
 * files becomes a problem of @tally. An array of paths that the caller owns. */
GPtrArray *culprit_import_find_all (char **paths, CulpritImportTally *tally);

/* Imports all @files into the study at @study_path; if there is none, it is created once the first of them was read.
 * @unit_ns: as culprit_latency_read(). FALSE if there is no point in continuing: nothing can be written to the study,
 * or the user cancelled; what was stored before remains, and the error says how many were not. */
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
