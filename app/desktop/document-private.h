/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the source files of the document share. */
#pragma once

#include "document.h"
#include "triage.h"

struct _CulpritDocument
{
  GObject parent;
  char *path;
  gint64 capture;
  char *function;
  char *run;
  gboolean traced;
  char *doing;
  char *written; /* the last file that was; NULL: none */
  /* What was read; NULL as long as it was not. */
  CulpritRows *outliers;
  CulpritRows *functions;
  CulpritRows *runs;
  CulpritVerdict *verdict;
  guint ignored;
  GPtrArray *latencies;
  /* Reading. */
  GCancellable *loading;
  guint left;     /* parts that are still to come */
  gboolean again; /* The study changed while they are read. */
  gboolean judging;
  gboolean failed; /* A part could not be read, which was told. */
  guint generation;
  /* Importing. */
  GCancellable *importing;
  GPtrArray *waiting; /* of char *: what came in the meantime */
  CulpritTriageLog *triage;
};

/* Whether late wake-ups are being read, perhaps as they were before a change. */
gboolean document_reads_outliers (CulpritDocument *document);

/* Tells that something @failed, or else of something else. */
void document_tell (CulpritDocument *document, gboolean failed, const char *message);

/* Tells that something was done; @button does @action, a detailed name, where that is not NULL. */
void document_tell_done (CulpritDocument *document, const char *text, const char *button, const char *action);
