/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what a study knows about late wake-ups, for the verdict. */
#pragma once

#include "case.h"
#include "population.h"
#include "study/query.h"

typedef struct
{
  const CulpritFilter *filter; /* which captures; its where is over culprit_query_outliers(); may be NULL */
  const char *base;            /* the run whose ordinary wake-ups to compare with; NULL: each capture's own */
  gboolean raw;                /* include the tracer's time */
} CulpritEvidenceOptions;

typedef struct
{
  GArray *cases;       /* of CulpritCase, in the order of their captures; explained but not judged yet */
  GArray *populations; /* of CulpritPopulation, with their suspects */
  guint base_captures; /* of the run to compare with; 0: none was named */
  GHashTable *keys;    /* what identifies functions, from culprit_function_key(), by their number (gint64) */
  GStringChunk *texts;
  GPtrArray *more_texts; /* of GStringChunk */
} CulpritEvidence;

CulpritEvidence *culprit_evidence_read (CulpritStudy *study, const CulpritEvidenceOptions *options, GError **error);

/* The cases of each population: an array of arrays of CulpritCase * that the caller owns. */
GPtrArray *culprit_evidence_members (const CulpritEvidence *evidence);

void culprit_evidence_free (CulpritEvidence *evidence);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritEvidence, culprit_evidence_free)
