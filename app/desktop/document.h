/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study that is open in a window, and what its pages share: the data that was read, the selection, the task in
 * progress.
 *
 * Threads read and write, each with its own handle of the study. What they return is never changed afterwards, except
 * for states and notes. All functions are for the main thread. */
#pragma once

#include "latency/description.h"
#include "study/profiles.h"
#include "study/study.h"
#include "tables/rows.h"
#include "verdict/verdict.h"

/* Parts are read separately, so that no page waits for the data of another. */
typedef enum
{
  CULPRIT_PART_OUTLIERS,  /* the late wake-ups */
  CULPRIT_PART_VERDICT,   /* the verdict, and its columns of the late wake-ups; "changed" also when it begins to be
                             computed, and when that fails */
  CULPRIT_PART_FUNCTIONS, /* the functions across captures */
  CULPRIT_PART_LATENCIES, /* the runs and their latencies */
  CULPRIT_PARTS,
} CulpritPartKind;

/* The latencies of a run. */
typedef struct
{
  char *name;
  char *series;        /* the series it belongs to */
  char *arm;           /* the name of the runs of its series with the same tracing */
  char *tracing;       /* "off", "on", or "" if unknown */
  gboolean explains;   /* It was recorded to explain a peak of another run. */
  guint number;        /* from culprit_study_run_number(), determines the colour */
  gint64 threshold_ns; /* what made a wake-up a hit; 0: unknown or none, like the band */
  gint64 band_low_ns;
  gint64 band_high_ns;
  CulpritProfileFacts facts;
  CulpritProfile *profile;         /* NULL: only the summary is known */
  CulpritDescription *description; /* without fits; may be NULL, and is if there is no profile */
} CulpritLatencies;

/* What a message is about. It stays until it is dismissed or the next about the same replaces it, an empty one by none;
 * as many openings, changes and imports can end one after the other, theirs are added to those that failed. */
typedef enum
{
  CULPRIT_ABOUT_OPENING,   /* studies that were not opened, or not begun */
  CULPRIT_ABOUT_STUDY,     /* what could not be read in it; reading it again takes it off */
  CULPRIT_ABOUT_RUNS,      /* those that cannot be shown */
  CULPRIT_ABOUT_TRIAGE,    /* states and notes that were not stored; over when all of them are */
  CULPRIT_ABOUT_IMPORT,    /* the files of imports */
  CULPRIT_ABOUT_TABLE,     /* the table that was to be written */
  CULPRIT_ABOUT_PICTURE,   /* likewise the picture, */
  CULPRIT_ABOUT_REPORT,    /* and the report */
  CULPRIT_ABOUT_RECORDING, /* the recording, or its form */
  CULPRIT_ABOUT_PROGRAM,   /* another program that was to show a capture */
  CULPRIT_ABOUTS,
} CulpritAbout;

#define CULPRIT_TYPE_DOCUMENT (culprit_document_get_type ())

G_DECLARE_FINAL_TYPE (CulpritDocument, culprit_document, CULPRIT, DOCUMENT, GObject)

/* The study at @path, which need not exist yet; nothing is read before culprit_document_reload().
 *
 * Properties, which notify. The selection: "capture" (gint64, 0: none), "function" (a culprit_function_key(), empty:
 * none), "run" (string, empty: all), "traced" (whether times include the tracer's). "doing" (string): the task in
 * progress, NULL: none.
 * Signals: "changed" (CulpritPartKind); "replaced", before it, when the study turned out to be another one: numbers of
 * captures that were kept mean nothing any more, none is chosen, and there is no verdict; "failed", "informed" and
 * "done", with the arguments of culprit_document_fail(), culprit_document_inform() and culprit_document_announce();
 * "imported", when culprit_document_imported() has grown, with whether files failed or only some of the lines were
 * reported. */
CulpritDocument *culprit_document_new (const char *path);
const char *culprit_document_path (CulpritDocument *document);

/* Reads all parts again; if they are being read, once that has finished, so that frequent calls do not starve it. */
void culprit_document_reload (CulpritDocument *document);

/* Likewise, as somebody asked for it: says once more which runs cannot be shown. */
void culprit_document_reload_asked (CulpritDocument *document);

/* Cancels the import and what waits for it; what was not imported is reported. */
void culprit_document_cancel (CulpritDocument *document);

/* The parts; NULL: not read yet. They belong to the document, and are valid until "changed". The functions have their
 * CulpritFunctionPoints attached. While a study is read again, the verdict is the previous one; captures that it does
 * not know have no class yet. */
CulpritRows *culprit_document_outliers (CulpritDocument *document);

/* The row of @capture, or of the chosen capture, among the outliers. NULL: there is none, or they are not read yet. */
CulpritRow *culprit_document_row (CulpritDocument *document, gint64 capture);
CulpritRow *culprit_document_chosen_row (CulpritDocument *document);
CulpritRows *culprit_document_functions (CulpritDocument *document);
CulpritRows *culprit_document_runs (CulpritDocument *document);
const CulpritVerdict *culprit_document_verdict (CulpritDocument *document);

/* What delays on purpose told about the functions of the verdict, of CulpritStoredProof; NULL as the verdict. */
const GPtrArray *culprit_document_proofs (CulpritDocument *document);

/* The number of captures that verdict and functions leave out. */
guint culprit_document_ignored (CulpritDocument *document);

const GPtrArray *culprit_document_latencies (CulpritDocument *document); /* of CulpritLatencies */

/* Whether the study could not be read at all. */
gboolean culprit_document_is_unreadable (CulpritDocument *document);

/* Whether late wake-ups are being read, perhaps as they were before a change. */
gboolean culprit_document_is_reading (CulpritDocument *document);

/* Whether the verdict is being computed, and the text to show instead of one. */
gboolean culprit_document_is_judging (CulpritDocument *document);
const char *culprit_document_no_verdict (CulpritDocument *document);

/* The selection; NULL: no function, or all runs. */
gint64 culprit_document_capture (CulpritDocument *document);
void culprit_document_choose_capture (CulpritDocument *document, gint64 capture);
const char *culprit_document_function (CulpritDocument *document);
void culprit_document_choose_function (CulpritDocument *document, const char *function);

/* Chooses a capture and, until another one is chosen, @function as what made it late; NULL: its own culprit. What makes
 * a capture late is also chosen with each capture, unless somebody has chosen another function. */
void culprit_document_show_culprit (CulpritDocument *document, gint64 capture, const char *function);
const char *culprit_document_run (CulpritDocument *document);
void culprit_document_choose_run (CulpritDocument *document, const char *run);
CulpritTimes culprit_document_times (CulpritDocument *document);
const char *culprit_document_doing (CulpritDocument *document);

/* Reports a failure; an empty @message: the last one about the same is over. */
void culprit_document_fail (CulpritDocument *document, CulpritAbout about, const char *message);

/* Reports something that is worth reading, but no failure. */
void culprit_document_inform (CulpritDocument *document, CulpritAbout about, const char *message);

/* Announces briefly that something was done; @button activates @action, a detailed name; both may be NULL. An empty
 * @text withdraws what was announced. */
void culprit_document_announce (CulpritDocument *document, const char *text, const char *button, const char *action);

/* Announces that the file at @path was written, @about a table, picture or report: a failure of that is over. */
void culprit_document_announce_written (CulpritDocument *document, CulpritAbout about, const char *path);

/* The path of the file that was announced last, or NULL. */
const char *culprit_document_written (CulpritDocument *document);

/* Imports captures, folders of captures and latencies of other tools (@paths, of char *), once a running import has
 * ended, and even if the window is closed meanwhile; see culprit_application_fail(). */
void culprit_document_import (CulpritDocument *document, const GPtrArray *paths);

/* All that was reported about files in imports so far, a line for each; NULL: nothing. Belongs to the document. */
const char *culprit_document_imported (CulpritDocument *document);

/* Reads something else from the study: @read runs in a thread with a handle of its own. Its result goes to @ready, in
 * the main thread; or to @destroy, if @owner has gone or @cancellable was cancelled. */
typedef gpointer (*DocumentRead) (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error);

typedef void (*DocumentReady) (GObject *owner, gpointer result, const GError *error);

/* It fails with G_IO_ERROR_WRONG_ETAG where another file has replaced the study that was read last, as its captures
 * have the numbers of others; the document is then read again on its own. */
void culprit_document_read (CulpritDocument *document,
                            GObject *owner,
                            GCancellable *cancellable,
                            DocumentRead read,
                            gpointer data,
                            GDestroyNotify data_destroy,
                            DocumentReady ready,
                            GDestroyNotify destroy);

/* The same of whatever study is there, for who looks at what is in it; the owner is @document, which stays. */
void culprit_document_read_any (CulpritDocument *document,
                                DocumentRead read,
                                gpointer data,
                                GDestroyNotify data_destroy,
                                DocumentReady ready,
                                GDestroyNotify destroy);

/* The same of the chosen capture, in whatever study; an error, and the document is read again, if it is another one
 * than is shown, as in a study that replaced this one. */
void culprit_document_read_capture (CulpritDocument *document,
                                    GObject *owner,
                                    GCancellable *cancellable,
                                    DocumentRead read,
                                    gpointer data,
                                    GDestroyNotify data_destroy,
                                    DocumentReady ready,
                                    GDestroyNotify destroy);
