/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks that a study is intact. */
#pragma once

#include "study.h"

/* Everything that is wrong with @study, one sentence each; an empty array if nothing is. NULL with an error if the
 * study cannot be read at all. Checks SQLite's own structures, the references between rows, and every sum that must add
 * up. */
GPtrArray *culprit_study_check (CulpritStudy *study, GError **error);
