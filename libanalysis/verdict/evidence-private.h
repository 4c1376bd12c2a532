/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of a study that evidence is made of. */
#pragma once

#include "base-private.h"
#include "evidence.h"

/* What a function did in a capture, less what it did in the outlier as far as that was read. */
typedef struct
{
  guint place; /* of the case; G_MAXUINT: there is nothing yet */
  gint64 function;
  double calls;
  double self_ns;
} Beyond;

/* What is put together while reading. */
typedef struct
{
  CulpritStudy *study;
  const CulpritEvidenceOptions *options;
  CulpritEvidence *evidence;
  GHashTable *names;  /* of functions, by their number */
  GHashTable *places; /* of cases, by their capture's number */
  GHashTable *kept;   /* of texts, by what the study has for them */
  GHashTable *known;  /* of the places of populations, by host, kernel and series */
  GPtrArray *own;     /* of GArray of double: how long each case's own ordinary wake-ups are */
  GPtrArray *pools;   /* of Base: of each population's cases together */

  /* Where reading is. */
  gint64 capture;
  guint place; /* of its case; G_MAXUINT where it is none of those asked for */
  PartCursor cursor;
  guint holders; /* that the case has itself */
  Beyond beyond;
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
