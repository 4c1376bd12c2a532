/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The latencies of runs as a table. */
#pragma once

#include "latency/description.h"
#include "tables/table.h"

/* The latencies of a run, or of one CPU of it. */
typedef struct
{
  const char *name;
  const CulpritProfile *profile;         /* NULL: only the summary is known, as for the next */
  const CulpritDescription *description; /* with culprit_quantiles_usual */
  CulpritSummary summary;                /* if nothing more is known */
  CulpritLateness lateness;              /* zero if neither period nor deadline is known */
} CulpritRunLatencies;

/* A table without rows with the columns @keys, separated by spaces; NULL: all columns. The caller owns it. */
CulpritTable *culprit_latencies_table (const char *keys);

/* Adds @run to such a table. */
void culprit_latencies_add (CulpritTable *table, const CulpritRunLatencies *run);
