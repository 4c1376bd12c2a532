/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Captures that a recording wrote but could not import: it was killed, or the study could not be written. */
#pragma once

#include "study.h"

typedef struct
{
  char *path;
  char *run; /* the run of the study that it belongs to */
} CulpritLeftover;

/* The leftovers in @folder, which contains the captures of @study's recordings; none if it does not exist. They are
 * recognised by their names: files that a recording would not name so are ignored. An array that the caller owns; NULL
 * with an error. */
GPtrArray *culprit_study_leftovers (CulpritStudy *study, const char *folder, GError **error);
