/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of a study that evidence is made of. */
#pragma once

#include "base-private.h"
#include "evidence.h"

/* What is put together while reading: everything, or a portion of the cases. */
typedef struct
{
  CulpritStudy *study;
  const CulpritEvidenceOptions *options;
  CulpritEvidence *evidence;
  GHashTable *names;   /* of functions, by their number */
  GHashTable *indices; /* of cases, by their capture's number */
  GHashTable *known;   /* of the indices of populations, by host, kernel and series */
  GPtrArray *own;      /* of GArray of double: how long each case's own ordinary wake-ups are */

  /* Of each portion its own. */
  guint from; /* the index of its first case */
  guint to;   /* behind its last */
  GStringChunk *texts;
  GHashTable *kept; /* of texts, by what the study has for them */
  GPtrArray *pools; /* of Base: of each population's cases together */
  gint *stop;       /* not 0: another portion failed */

  /* Where reading is. */
  gint64 capture;
  guint index; /* of its case; G_MAXUINT where it is none of those asked for */
  PartCursor cursor;
  guint holders; /* that the case has itself */
} Reading;

/* Read the names of functions, and which late wake-ups the cases are, into what was begun for them. */
gboolean evidence_read_names (Reading *reading, GError **error);
gboolean evidence_read_outliers (Reading *reading, GError **error);

/* Read what the late wake-ups of a portion cost, and its ordinary ones. FALSE without an error where it was stopped. */
gboolean evidence_read_late (Reading *reading, GError **error);
gboolean evidence_read_ordinary (Reading *reading, GError **error);

/* The same, of all cases; FALSE with an error. */
gboolean evidence_read_portions (Reading *reading, GError **error);

static inline CulpritCase *
reading_case (const Reading *reading, guint index)
{
  return &g_array_index (reading->evidence->cases, CulpritCase, index);
}
