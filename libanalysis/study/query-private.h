/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the queries share. */
#pragma once

#include "query.h"

/* The run and the capture of a filter, as the parameters ?1 and ?2 in every query. */
#define IN_RUN "(?1 IS NULL OR run.name = ?1 OR run.recording = ?1)"
#define IN_CAPTURE "(?2 = 0 OR capture.capture_id = ?2)"

/* The rows of @inner that @filter lets through, as @columns, in the order @order. */
CulpritTable *query_filtered (CulpritStudy *study,
                              const CulpritFilter *filter,
                              const char *columns,
                              const char *inner,
                              const char *order,
                              GError **error);
