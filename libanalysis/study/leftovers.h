/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Captures that a recording wrote and did not live to import: it was killed, or the study could not be written. */
#pragma once

#include "study.h"

typedef struct
{
  char *path;
  char *run; /* of the study, that it belongs to */
} CulpritLeftover;

/* Those in @folder, which holds the captures of @study's recordings; none where there is no such folder. Told by their
 * names: what recordings do not call a capture is none. An array that the caller owns; NULL with an error. */
GPtrArray *culprit_study_leftovers (CulpritStudy *study, const char *folder, GError **error);
