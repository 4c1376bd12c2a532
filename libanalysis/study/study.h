/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study: one SQLite file with everything that is known of many captures and runs.
 *
 * A study belongs to the thread that opened it. Errors are one line that names the file. */
#pragma once

#include <gio/gio.h>

#define CULPRIT_STUDY_ERROR (culprit_study_error_quark ())

typedef enum
{
  CULPRIT_STUDY_ERROR_OPEN,      /* There is none, or it cannot be opened. */
  CULPRIT_STUDY_ERROR_NOT_STUDY, /* The file is something else, or damaged. */
  CULPRIT_STUDY_ERROR_NEWER,     /* A newer culprit made it. */
  CULPRIT_STUDY_ERROR_WRITE,     /* Read-only, or the disk is full. */
  CULPRIT_STUDY_ERROR_BUSY,      /* Another program holds it for too long. */
  CULPRIT_STUDY_ERROR_QUERY,     /* A query, or part of one, is wrong. */
  CULPRIT_STUDY_ERROR_NOT_FOUND, /* Nothing of that name or number is in it. */
} CulpritStudyError;

GQuark culprit_study_error_quark (void);

typedef struct _CulpritStudy CulpritStudy;

typedef enum
{
  CULPRIT_STUDY_READ,   /* The study must exist; nothing is written. */
  CULPRIT_STUDY_CREATE, /* It is made where there is none, and brought up to date where it is older. */
} CulpritStudyMode;

/* Opens the study at @path. Close with culprit_study_close(). */
CulpritStudy *culprit_study_open (const char *path, CulpritStudyMode mode, GError **error);

void culprit_study_close (CulpritStudy *study);

const char *culprit_study_path (const CulpritStudy *study);

/* Makes what @study is reading or writing fail soon. Unlike all else this may be called from another thread. */
void culprit_study_interrupt (CulpritStudy *study);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritStudy, culprit_study_close)
