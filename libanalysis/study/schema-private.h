/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Studies from outside: SQLite's settings for untrusted files, and checks of the schema. */
#pragma once

#include "budgets.h"
#include "statement-private.h"

/* Makes SQLite treat the file as untrusted, before anything in it is read: its schema cannot be written to, the size of
 * values is limited, and no trigger runs until the schema was checked. @read_only: the schema may call only harmless
 * functions; json_valid(), which ours calls for what is written, is not considered one. */
void study_distrust (CulpritStudy *study, gboolean read_only);

/* Whether no code that writing to @study runs could take forever, in a study of any version. FALSE with an error. */
gboolean study_check_words (CulpritStudy *study, GError **error);

/* Whether @study has exactly the tables, views, indices and triggers of data/schema.sql. FALSE with an error. */
gboolean study_check_schema (CulpritStudy *study, GError **error);
