/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the rows of a study that evidence is made of. */
#pragma once

#include "base-private.h"
#include "evidence.h"

/* The state of reading: for everything, or for a portion of the cases. */
#define ROOM_BLOCK (256 * 1024)

typedef struct
{
  CulpritStudy *study;
  const CulpritEvidenceOptions *options;
  CulpritEvidence *evidence;
  GHashTable *names;   /* of functions, by their number */
  GHashTable *indices; /* of cases, by their capture's number */
  GHashTable *known;   /* of the indices of populations, by host, kernel and series */
  GPtrArray *rooms;    /* of GStringChunk: of all portions */
  GPtrArray *own;      /* of GArray of double: the latencies of each case's own ordinary wake-ups */

  /* Separate for each portion: */
  guint from; /* the index of its first case */
  guint to;   /* the index after its last case */
  GStringChunk *texts;
  GHashTable *kept;   /* of texts, indexed by the study's copy */
  GStringChunk *room; /* for packed spreads */
  GPtrArray *pools;   /* of Base: for each population, the sum over its cases */
  gint *stop;         /* not 0: another portion failed */

  /* The current position. */
  gint64 capture;
  guint index; /* of its case; G_MAXUINT if it is not among the selected ones */
  PartCursor cursor;
  guint holders; /* those that the case has itself */
} Reading;

/* Read the names of functions, and the list of late wake-ups, into prepared evidence. */
gboolean evidence_read_names (Reading *reading, GError **error);
gboolean evidence_read_outliers (Reading *reading, GError **error);

/* Read the costs of a portion's late wake-ups, and of its ordinary ones. FALSE without an error if it was stopped. */
gboolean evidence_read_late (Reading *reading, GError **error);
gboolean evidence_read_ordinary (Reading *reading, GError **error);

/* The same for all cases; FALSE with an error. */
gboolean evidence_read_portions (Reading *reading, GError **error);

static inline CulpritCase *
reading_case (const Reading *reading, guint index)
{
  return &g_array_index (reading->evidence->cases, CulpritCase, index);
}
