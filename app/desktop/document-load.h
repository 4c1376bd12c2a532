/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the parts of a document, in a thread. */
#pragma once

#include "document.h"
#include "study/function-points.h"

/* What came of reading a part; only what belongs to it is there. */
typedef struct
{
  CulpritTable *outliers;
  CulpritTable *captures;
  CulpritVerdict *verdict;
  guint ignored;
  CulpritTable *functions;
  CulpritFunctionPoints *points; /* of the functions in late wake-ups */
  CulpritTable *runs;
  GPtrArray *latencies; /* of CulpritLatencies */
} DocumentPart;

/* Reads @part of @run (NULL: of all) from @study. */
DocumentPart *document_part_read (CulpritStudy *study, CulpritPartKind part, const char *run, GError **error);

void document_part_free (DocumentPart *part);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DocumentPart, document_part_free)
