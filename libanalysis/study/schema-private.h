/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Studies of strangers: SQLite's rules for files that are not trusted, and whether a schema is ours. */
#pragma once

#include "budgets.h"
#include "statement-private.h"

/* Makes SQLite distrust the file, before anything of it is read: its schema cannot be written to, values have a limit,
 * and no trigger runs until the schema was checked. @read_only: the schema calls but harmless functions; json_valid(),
 * which ours calls for what is written, does not count among them. */
void study_distrust (CulpritStudy *study, gboolean read_only);

/* Whether nothing that writing to @study runs could take for ever, in a study of any version. FALSE with an error. */
gboolean study_check_words (CulpritStudy *study, GError **error);

/* Whether @study has the tables, views, indices and triggers of data/schema.sql and nothing else. FALSE
 * with an error. */
gboolean study_check_schema (CulpritStudy *study, GError **error);
