/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of a study that evidence is made of. */
#pragma once

#include "base-private.h"
#include "evidence.h"

/* What is put together while reading. */
typedef struct
{
  CulpritStudy *study;
  const CulpritEvidenceOptions *options;
  CulpritEvidence *evidence;
  GHashTable *names;  /* of functions, by their number */
  GHashTable *places; /* of cases, by their capture's number */
  GPtrArray *bases;   /* of Base: each case's own */
  GPtrArray *pools;   /* of Base: of each population's cases together, with their spreads */
} Reading;

/* Read the names of functions, the cases' late wake-ups, and their ordinary ones, into what was begun for them. */
gboolean evidence_read_names (Reading *reading, GError **error);
gboolean evidence_read_outliers (Reading *reading, GError **error);
gboolean evidence_read_ordinary (Reading *reading, GError **error);

static inline CulpritCase *
reading_case (const Reading *reading, guint place)
{
  return &g_array_index (reading->evidence->cases, CulpritCase, place);
}
