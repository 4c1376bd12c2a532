/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the queries share. */
#pragma once

#include "query.h"
#include "statement-private.h"

/* Binds :run, :captures and, where @statement has it, :counted to what @filter means. */
void query_bind_filter (Statement *statement, const CulpritFilter *filter);

/* The rows of study/sql/@name.sql that @filter lets through. */
CulpritTable *query_read_filtered (CulpritStudy *study, const char *name, const CulpritFilter *filter, GError **error);
