/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a study is whole. */
#pragma once

#include "study.h"

/* Everything that is wrong with @study, a sentence each; an empty array where nothing is. NULL with an error where the
 * study cannot be read at all. Looks at SQLite's own structures, at the references between rows, and at every sum that
 * must add up. */
GPtrArray *culprit_study_check (CulpritStudy *study, GError **error);
