/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study that is open in a window, and what its pages have in common: what was chosen, and what is being done.
 *
 * Reading and writing happen in threads, each with its own handle of the study; what they give is never changed
 * afterwards, but for states and notes. All functions are for the main thread. */
#pragma once

#include "latency/description.h"
#include "study/profiles.h"
#include "study/study.h"
#include "tables/rows.h"
#include "verdict/verdict.h"

/* What is read by itself, so that no page waits for another's. */
typedef enum
{
  CULPRIT_PART_OUTLIERS,  /* the late wake-ups */
  CULPRIT_PART_VERDICT,   /* the verdict, and what of it is in the late wake-ups; "changed" also where there is none: as
                             long as it is being computed, and when that failed */
  CULPRIT_PART_FUNCTIONS, /* the functions across captures */
  CULPRIT_PART_LATENCIES, /* the runs and their latencies */
  CULPRIT_PARTS,
} CulpritPartKind;

/* The latencies of a run. */
typedef struct
{
  char *name;
  char *series;        /* that it belongs to */
  char *arm;           /* what it is called together with those of its series and tracing */
  char *tracing;       /* "off", "on"; "": not known */
  guint number;        /* of the run in its study, which gives its colour */
  gint64 threshold_ns; /* what made a wake-up of it a hit; 0: there was none, or it is not known, as the next */
  gint64 band_low_ns;
  gint64 band_high_ns;
  CulpritProfileFacts facts;
  CulpritProfile *profile;         /* NULL: only the summary is known, as for the next */
  CulpritDescription *description; /* without fits; may be NULL */
} CulpritLatencies;

#define CULPRIT_TYPE_DOCUMENT (culprit_document_get_type ())

G_DECLARE_FINAL_TYPE (CulpritDocument, culprit_document, CULPRIT, DOCUMENT, GObject)

/* The study at @path, which need not be there yet; nothing is read before culprit_document_reload().
 *
 * Properties, which notify; what is chosen: "capture" (gint64, 0: none), "function" (string, as of
 * culprit_function_key(), empty: none), "run" (string, empty: all), "traced" (whether times are shown with the tracer's
 * own time); and "doing" (string, what is being done; NULL: nothing).
 * Signals: "changed" (CulpritPartKind), "failed" (const char *, empty: that is over), "told" (const char *, of what was
 * imported), "done" (const char *, what; const char *, a button; const char *, its detailed action, NULL: no button).
 */
CulpritDocument *culprit_document_new (const char *path);
const char *culprit_document_path (CulpritDocument *document);

/* Reads all parts anew; where they are being read, when that has ended, so that who asks often gets them too. */
void culprit_document_reload (CulpritDocument *document);

/* Stops what is being done. */
void culprit_document_cancel (CulpritDocument *document);

/* What was read; NULL as long as it was not. They belong to the document, until "changed". The functions have their
 * CulpritFunctionPoints attached. While a study is read again there is the verdict before; captures that it does not
 * know have no class yet. */
CulpritRows *culprit_document_outliers (CulpritDocument *document);
CulpritRows *culprit_document_functions (CulpritDocument *document);
CulpritRows *culprit_document_runs (CulpritDocument *document);
const CulpritVerdict *culprit_document_verdict (CulpritDocument *document);

guint culprit_document_ignored (CulpritDocument *document); /* captures that verdict and functions leave out */

const GPtrArray *culprit_document_latencies (CulpritDocument *document); /* of CulpritLatencies */

/* Whether nothing of it could be read. */
gboolean culprit_document_is_unreadable (CulpritDocument *document);

/* Whether a verdict is still to come, and what is said where none is there. */
gboolean culprit_document_is_judging (CulpritDocument *document);
const char *culprit_document_no_verdict (CulpritDocument *document);

/* What is chosen; NULL: none, or all runs. */
gint64 culprit_document_capture (CulpritDocument *document);
void culprit_document_choose_capture (CulpritDocument *document, gint64 capture);
const char *culprit_document_function (CulpritDocument *document);
void culprit_document_choose_function (CulpritDocument *document, const char *function);
const char *culprit_document_run (CulpritDocument *document);
void culprit_document_choose_run (CulpritDocument *document, const char *run);
CulpritTimes culprit_document_times (CulpritDocument *document);
const char *culprit_document_doing (CulpritDocument *document);

/* Tells that the file at @path was written; what failed before is over. */
void culprit_document_tell_written (CulpritDocument *document, const char *path);

/* The path of the last file of which that was told; NULL: there is none. */
const char *culprit_document_written (CulpritDocument *document);

/* Brings captures, folders of them and latencies of other tools (@paths, of char *) into the study. */
void culprit_document_import (CulpritDocument *document, const GPtrArray *paths);

/* Gives the captures of @rows (of CulpritRow) another state or note; NULL leaves it. Can be undone. */
void culprit_document_triage (CulpritDocument *document, const GPtrArray *rows, const char *state, const char *note);

/* Takes the last change of states and notes back, or makes it again. FALSE where there is none. */
gboolean culprit_document_undo (CulpritDocument *document);
gboolean culprit_document_redo (CulpritDocument *document);

/* Reads something else of the study in a thread: @read gets a handle of its own. @ready gets what it returned, in the
 * main thread, unless @owner is gone by then or the document was reloaded for another answer; else @destroy does. */
typedef gpointer (*DocumentRead) (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error);

typedef void (*DocumentReady) (GObject *owner, gpointer result, const GError *error);

void culprit_document_read (CulpritDocument *document,
                            GObject *owner,
                            GCancellable *cancellable,
                            DocumentRead read,
                            gpointer data,
                            GDestroyNotify data_destroy,
                            DocumentReady ready,
                            GDestroyNotify destroy);
