/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what a study knows of late wake-ups, for the verdict. */
#pragma once

#include "case.h"
#include "population.h"
#include "study/query.h"

typedef struct
{
  const CulpritFilter *filter; /* which captures; their where is of culprit_query_outliers(); may be NULL */
  const char *base;            /* the run whose ordinary wake-ups to compare with; NULL: each capture's own */
  gboolean raw;                /* with the tracer's time */
} CulpritEvidenceOptions;

typedef struct
{
  GArray *cases;       /* of CulpritCase, in the order of their captures; explained and not yet judged */
  GArray *populations; /* of CulpritPopulation, with their suspects */
  guint base_captures; /* of the run that was named to compare with; 0: none was */
  GHashTable *keys;    /* what functions are known by, as of culprit_function_key(), by their number (gint64) */
  GStringChunk *texts;
  GPtrArray *more_texts; /* of GStringChunk */
} CulpritEvidence;

CulpritEvidence *culprit_evidence_read (CulpritStudy *study, const CulpritEvidenceOptions *options, GError **error);

/* The cases of each population: an array of arrays of CulpritCase *, that the caller owns. */
GPtrArray *culprit_evidence_members (const CulpritEvidence *evidence);

void culprit_evidence_free (CulpritEvidence *evidence);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritEvidence, culprit_evidence_free)
