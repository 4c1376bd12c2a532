/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the queries. */
#pragma once

#include "query.h"
#include "statement-private.h"

/* Binds :run, :captures and, if @statement has it, :counted as @filter says. */
void query_bind_filter (Statement *statement, const CulpritFilter *filter);

/* The rows of study/sql/@name.sql that @filter selects. */
CulpritTable *query_read_filtered (CulpritStudy *study, const char *name, const CulpritFilter *filter, GError **error);
