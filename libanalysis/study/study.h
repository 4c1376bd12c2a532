/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study: one SQLite file with everything known about many captures and runs.
 *
 * A study belongs to the thread that opened it. Errors are one line that names the file. */
#pragma once

#include <gio/gio.h>

#define CULPRIT_STUDY_ERROR (culprit_study_error_quark ())

typedef enum
{
  CULPRIT_STUDY_ERROR_OPEN,      /* It does not exist, or cannot be opened. */
  CULPRIT_STUDY_ERROR_NOT_STUDY, /* The file is something else, or damaged. */
  CULPRIT_STUDY_ERROR_NEWER,     /* It was made by a newer version of Culprit. */
  CULPRIT_STUDY_ERROR_WRITE,     /* Read-only, or the disk is full. */
  CULPRIT_STUDY_ERROR_BUSY,      /* Another program has kept it locked for too long. */
  CULPRIT_STUDY_ERROR_MEMORY,    /* There is not enough of it. */
  CULPRIT_STUDY_ERROR_QUERY,     /* A query, or part of one, is wrong. */
  CULPRIT_STUDY_ERROR_NOT_FOUND, /* It contains nothing of that name or number. */
} CulpritStudyError;

GQuark culprit_study_error_quark (void);

typedef struct _CulpritStudy CulpritStudy;

typedef enum
{
  CULPRIT_STUDY_READ,    /* The study must exist; it is only upgraded, or its journal rolled back, if need be. */
  CULPRIT_STUDY_EXAMINE, /* As READ, also if runs or captures belong to rows that are not there: queries leave them out.
                          */
  CULPRIT_STUDY_CREATE,  /* It is created if it does not exist, and upgraded if it is older. */
} CulpritStudyMode;

/* Opens the study at @path. Close with culprit_study_close(). The thread's current cancellable ends an upgrade. */
CulpritStudy *culprit_study_open (const char *path, CulpritStudyMode mode, GError **error);
void culprit_study_close (CulpritStudy *study);

/* The same for a program that stored something. Returns why that is not all in the file, as a line for the user, who
 * may move it; NULL if it is. The caller owns it. */
char *culprit_study_end (CulpritStudy *study);

const char *culprit_study_path (const CulpritStudy *study);

/* For a program that keeps @study open while it waits: its file gets what is in its log, and that is emptied, unless
 * somebody reads for long, so that it may be moved, copied or replaced meanwhile. Unless @at_once, not if that was done
 * just now, by the measure of how long it takes. */
void culprit_study_settle (CulpritStudy *study, gboolean at_once);

/* Makes the current operation on @study fail soon. Unlike all other functions, this may be called from another
 * thread. */
void culprit_study_interrupt (CulpritStudy *study);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritStudy, culprit_study_close)

/* Everything that is wrong with @study, one sentence each; an empty array if nothing is. NULL with an error if the
 * study cannot be read at all. Checks SQLite's own structures, the references between rows, and every sum that must add
 * up. */
GPtrArray *culprit_study_check (CulpritStudy *study, GError **error);
