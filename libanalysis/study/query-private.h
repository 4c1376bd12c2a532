/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the queries share. */
#pragma once

#include "query.h"
#include "statement-private.h"
#include "triage.h"

/* The run of a filter and a JSON list of its captures, as the parameters ?1 and ?2 in every query. */
#define IN_RUN "(?1 IS NULL OR run.name = ?1 OR run.recording = ?1)"
#define IN_CAPTURES(column) "(?2 IS NULL OR " column " IN (SELECT value FROM json_each (?2)))"
#define IN_CAPTURE IN_CAPTURES ("capture.capture_id")

/* Whether a capture counts, @column being its triage: not where it is ignored, unless the filter names it. */
#define COUNTS(column) "(?2 IS NOT NULL OR " column " <> '" CULPRIT_TRIAGE_IGNORED "')"

/* As culprit_function_key(), of the row @table of functions. */
#define FUNCTION_KEY(table)                                                                                            \
  table ".name || IIF (" table ".ordinal > 0, '#' || (" table ".ordinal + 1), '') || IIF (" table                      \
        ".module <> '', ' [' || " table ".module || ']', '')"

/* The captures that @filter names, as a JSON list; NULL: all. The caller owns it. */
char *query_list_captures (const CulpritFilter *filter);

/* The rows of @statement, whose columns may be in groups. */
CulpritTable *query_read (CulpritStudy *study, Statement *statement, GError **error);

/* The rows of @inner that @filter lets through, as @columns, in the order @order. */
CulpritTable *query_filtered (CulpritStudy *study,
                              const CulpritFilter *filter,
                              const char *columns,
                              const char *inner,
                              const char *order,
                              GError **error);
