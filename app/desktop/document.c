/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The document: questions to the study in threads, imports, reading its parts, and what is selected. */
#include "document.h"

#include "application.h"
#include "background.h"
#include "charts/swatch.h"
#include "clean.h"
#include "functions/function-cells.h"
#include "notices.h"
#include "record/target.h"
#include "seeded-hash.h"
#include "show.h"
#include "study/import/import-files.h"
#include "study/triage.h"
#include "tables/outliers.h"
#include "triage.h"
#include "units.h"
#include "widgets.h"

#include <sys/stat.h>

struct _CulpritDocument
{
  GObject parent;
  char *path;
  dev_t device;      /* of the file that was read last; see is_asked_of() */
  ino_t inode;       /* 0: none was */
  char *origin;      /* of the study that was read last, see culprit_query_origin(); NULL: none was */
  GHashTable *known; /* gint64: the identity of each capture read since the study was opened or replaced */
  gint64 capture;
  char *function;
  gboolean is_culprit; /* The function was not chosen, but is the culprit of the chosen capture. */
  char *run;
  gboolean traced;
  char *doing;
  char *written; /* the file written last; NULL: none */
  /* The parts; NULL: not read yet. */
  CulpritRows *outliers;
  CulpritRows *functions;
  CulpritRows *runs;
  CulpritVerdict *verdict;
  GPtrArray *proofs;
  guint ignored;
  GPtrArray *latencies;
  /* Reading. */
  GCancellable *loading;
  guint left;                     /* parts still to be read */
  gboolean again;                 /* The study has changed meanwhile: read it again. */
  gboolean former[CULPRIT_PARTS]; /* A part is still of the run or file before. */
  gboolean judging;
  gboolean failed; /* A part could not be read, which has been reported. */
  gboolean reread; /* It is, or could not be, read again as another study was there. */
  char *left_out;  /* The runs that cannot be shown, which has been reported; NULL: none. */
  guint generation;
  /* Importing. */
  GCancellable *importing;
  GPtrArray *waiting; /* of char *: what to import next */
  GString *imported;  /* what was reported about files */
};

static void document_set_doing (CulpritDocument *document, const char *doing);
static void document_emit_changed (CulpritDocument *document, CulpritPartKind part);
static void document_emit_replaced (CulpritDocument *document);
static void document_read_all (CulpritDocument *document);
static void choose_own_culprit (CulpritDocument *document);
static void document_emit_imported (CulpritDocument *document, gboolean more);

/* Imports files in a thread and reports progress to the main thread. */

typedef struct
{
  char *study;
  char **paths;
  CulpritDocument *document; /* which stays until the import has ended */
} Import;

typedef struct
{
  GTask *task;
  char *text;
} Step;

static void
import_free (gpointer data)
{
  Import *import = data;

  g_free (import->study);
  g_strfreev (import->paths);
  g_free (import);
}

static void
step_free (gpointer data)
{
  Step *step = data;

  g_object_unref (step->task);
  g_free (step->text);
  g_free (step);
}

static gboolean
report_step (gpointer data)
{
  Step *step = data;
  const Import *import = g_task_get_task_data (step->task);

  if (!g_task_get_completed (step->task))
    document_set_doing (import->document, step->text);
  return G_SOURCE_REMOVE;
}

static void
on_file (guint number, guint all, const char *path, gpointer data)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *clean = culprit_clean_line (name);
  Step *step = g_new (Step, 1);

  *step = (Step) { g_object_ref (data), g_strdup_printf ("Importing %s, %u of %u", clean, number, all) };
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, report_step, step, step_free);
}

static void
tally_free (gpointer data)
{
  culprit_import_tally_clear (data);
  g_free (data);
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Import *import = data;
  const CulpritImportOptions options = { 0 };
  CulpritImportTally *tally = g_new0 (CulpritImportTally, 1);
  g_autoptr (GPtrArray) files = NULL;
  g_autoptr (GError) error = NULL;

  culprit_import_tally_init (tally);
  files = culprit_import_find_all (import->paths, tally);
  if (files->len > 0)
    culprit_import_files (import->study, files, &options, 0, cancellable, on_file, task, tally, &error);
  if (error && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_ptr_array_add (tally->problems, g_strdup (error->message));
  g_task_return_pointer (task, tally, tally_free);
}

/* Runs queries on the study in threads. */

typedef struct
{
  char *path;
  DocumentRead read;
  gpointer data;
  GDestroyNotify data_destroy;
  DocumentReady ready;
  GDestroyNotify destroy;
  gint64 capture; /* that it is about, or the first one of the study that it is about, */
  char *identity; /* as in CulpritTriage; NULL: about none */
  dev_t device;   /* of the file that it is about, */
  ino_t inode;    /* 0: any */
  char *origin;   /* as in CulpritDocument; NULL: any */
  gboolean other; /* The study has others by now. */
} Question;

typedef struct
{
  GWeakRef document;
  GWeakRef owner;
} Asker;

static void
question_free (gpointer data)
{
  Question *question = data;

  if (question->data_destroy)
    question->data_destroy (question->data);
  g_free (question->path);
  g_free (question->identity);
  g_free (question->origin);
  g_free (question);
}

static void
on_cancelled (GCancellable *cancellable, CulpritStudy *study)
{
  culprit_study_interrupt (study);
}

/* A file that was made anew may have the inode of the one before. */
static gboolean
is_same_file (const Question *question)
{
  struct stat status;

  return question->inode == 0 ||
         (stat (question->path, &status) == 0 && status.st_dev == question->device && status.st_ino == question->inode);
}

/* Whether what @question is about is still in @study: another file at its path, or another capture of the same number,
 * has nothing to do with what is shown. */
static gboolean
is_asked_of (CulpritStudy *study, Question *question, GError **error)
{
  g_autofree char *origin = NULL;
  g_autoptr (GError) why = NULL;

  if (question->identity && !culprit_study_check_capture (study, question->capture, question->identity, &why))
    question->other = g_error_matches (why, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND);
  if (why && (question->inode == 0 || !question->other))
    {
      g_propagate_error (error, g_steal_pointer (&why));
      return FALSE;
    }
  if (question->origin && !(origin = culprit_query_origin (study, error)))
    return FALSE;
  if (!why && is_same_file (question) && (!origin || g_str_has_prefix (origin, question->origin)))
    return TRUE;
  question->other = TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_WRONG_ETAG,
               "%s: another study has replaced the one that the window shows; ask again once that was read",
               question->path);
  return FALSE;
}

static void
answer (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Question *question = data;
  GError *error = NULL;
  g_autoptr (CulpritStudy) study = NULL;
  gpointer result = NULL;
  gulong cancelled;

  /* It may have been cancelled while it waited for a thread. */
  if (g_task_return_error_if_cancelled (task))
    return;
  study = culprit_study_open (question->path, CULPRIT_STUDY_READ, &error);
  cancelled = study && cancellable ? g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), study, NULL) : 0;
  if (study && !g_cancellable_set_error_if_cancelled (cancellable, &error) && is_asked_of (study, question, &error))
    result = question->read (study, question->data, cancellable, &error);
  g_cancellable_disconnect (cancellable, cancelled);
  if (result)
    g_task_return_pointer (task, result, question->destroy);
  else
    g_task_return_error (task, error ? error : g_error_new (G_IO_ERROR, G_IO_ERROR_FAILED, "no result"));
}

/* The rows there are will be those of another run, or of a file that another has replaced. */
static void
mark_former (CulpritDocument *document)
{
  document->former[CULPRIT_PART_OUTLIERS] = document->outliers != NULL;
  document->former[CULPRIT_PART_FUNCTIONS] = document->functions != NULL;
}

/* Reads the study again if it is another one; not if that is so once more, as where it is replaced faster than it is
 * read, or has failed, as rows that could not be replaced are asked for as well. */
static void
on_answer (GObject *source, GAsyncResult *result, gpointer data)
{
  Asker *asker = data;
  g_autoptr (CulpritDocument) document = g_weak_ref_get (&asker->document);
  g_autoptr (GObject) owner = g_weak_ref_get (&asker->owner);
  GTask *task = G_TASK (result);
  Question *question = g_task_get_task_data (task);
  GError *error = NULL;
  gpointer value = g_task_propagate_pointer (task, &error);
  gboolean cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  if (owner && !cancelled)
    question->ready (owner, value, error);
  else if (value && question->destroy)
    question->destroy (value);
  if (document && !cancelled && question->other && !document->reread)
    {
      document->reread = TRUE;
      mark_former (document);
      document_read_all (document);
    }
  g_clear_error (&error);
  g_weak_ref_clear (&asker->document);
  g_weak_ref_clear (&asker->owner);
  g_free (asker);
}

/* Takes @question. */
static void
ask (CulpritDocument *document, Question question, GObject *owner, GCancellable *cancellable)
{
  Asker *asker = g_new (Asker, 1);
  g_autoptr (GTask) task = NULL;

  g_weak_ref_init (&asker->document, document);
  g_weak_ref_init (&asker->owner, owner);
  question.path = g_strdup (document->path);
  task = g_task_new (NULL, cancellable, on_answer, asker);
  g_task_set_task_data (task, g_memdup2 (&question, sizeof question), question_free);
  background_run (task, answer);
}

void
culprit_document_read (CulpritDocument *document,
                       GObject *owner,
                       GCancellable *cancellable,
                       DocumentRead read,
                       gpointer data,
                       GDestroyNotify data_destroy,
                       DocumentReady ready,
                       GDestroyNotify destroy)
{
  g_autoptr (CulpritRow) first =
      document->outliers ? g_list_model_get_item (G_LIST_MODEL (document->outliers), 0) : NULL;

  ask (document,
       (Question) { NULL, read, data, data_destroy, ready, destroy, first ? culprit_row_integer (first, "capture") : 0,
                    g_strdup (first ? triage_identity (first) : NULL), document->device, document->inode,
                    g_strdup (document->origin) },
       owner, cancellable);
}

void
culprit_document_read_any (CulpritDocument *document,
                           DocumentRead read,
                           gpointer data,
                           GDestroyNotify data_destroy,
                           DocumentReady ready,
                           GDestroyNotify destroy)
{
  ask (document, (Question) { NULL, read, data, data_destroy, ready, destroy }, G_OBJECT (document), NULL);
}

void
culprit_document_read_capture (CulpritDocument *document,
                               GObject *owner,
                               GCancellable *cancellable,
                               DocumentRead read,
                               gpointer data,
                               GDestroyNotify data_destroy,
                               DocumentReady ready,
                               GDestroyNotify destroy)
{
  CulpritRow *row = culprit_document_chosen_row (document);

  ask (document,
       (Question) { NULL, read, data, data_destroy, ready, destroy, document->capture,
                    g_strdup (row ? triage_identity (row) : NULL) },
       owner, cancellable);
}

/* Imports, one at a time; further files wait. */

#define MAX_LINES 2 /* of one kind in the message on an import */

static void
add_line (GString *text, const char *line)
{
  g_autofree char *clean = shown (line);

  g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", clean);
}

/* Says how many of @n lines are not shown. */
static void
add_rest (GString *text, guint n, guint most)
{
  if (n > most)
    g_string_append_printf (text, "\nand %u more", n - most);
}

static void
add_lines (GString *text, const GPtrArray *lines, guint most)
{
  for (guint i = 0; i < MIN (lines->len, most); i++)
    add_line (text, g_ptr_array_index (lines, i));
  add_rest (text, lines->len, most);
}

static void
add_warnings (GString *text, const GPtrArray *warnings, guint most)
{
  for (guint i = 0; i < MIN (warnings->len, most); i++)
    {
      const CulpritProblem *warning = g_ptr_array_index (warnings, i);
      g_autofree char *words = culprit_problem_words (warning->text, warning->remedy, CULPRIT_IN_WINDOW);

      add_line (text, words);
    }
  add_rest (text, warnings->len, most);
}

static void
add_notes (GString *text, const CulpritImportTally *tally, guint most)
{
  add_warnings (text, tally->warnings, most);
  add_lines (text, tally->read_as, most);
}

/* Of several failures only their number is in the message; their reasons are in the report. */
static void
add_message (GString *text, const CulpritImportTally *tally)
{
  if (tally->problems->len > 1)
    {
      g_string_append_printf (text, "%u of %u files were not imported", tally->problems->len, tally->files);
      return;
    }
  add_lines (text, tally->problems, MAX_LINES);
  add_notes (text, tally, MAX_LINES);
}

static void
add_report (GString *text, const CulpritImportTally *tally, gboolean cancelled)
{
  if (tally->problems->len > 0)
    add_line (text, "Not imported");
  add_lines (text, tally->problems, G_MAXUINT);
  if (cancelled && tally->unread->len > 0)
    {
      add_line (text, "Not imported, as that was cancelled");
      add_lines (text, tally->unread, G_MAXUINT);
    }
  if (tally->warnings->len + tally->read_as->len > 0)
    add_line (text, "Imported, with notes");
  add_notes (text, tally, G_MAXUINT);
}

/* Reports what went wrong or was left out, and how latency results were read; else that all was imported already. Where
 * no window shows the document any more, what failed is listed at once: nobody could ask for it. */
static void
report_import (CulpritDocument *document, const CulpritImportTally *tally, gboolean cancelled)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const gsize before = document->imported->len;
  const guint left_out = cancelled ? tally->unread->len : 0;
  GtkWindow *other = NULL;

  add_message (text, tally);
  if (left_out > 0)
    g_string_append_printf (text, "%sCancelled: %u file%s not imported", text->len > 0 ? "\n" : "", left_out,
                            left_out == 1 ? " or folder was" : "s or folders were");
  add_report (document->imported, tally, cancelled);
  if (text->len == 0 && tally->known > 0 && tally->stored + tally->again + tally->profiles == 0)
    g_string_append_printf (text, "%u file%s already imported: nothing was changed", tally->known,
                            culprit_plural (tally->known));
  if (tally->problems->len > 0 || left_out > 0)
    other = culprit_application_fail (GTK_APPLICATION (g_application_get_default ()), document, CULPRIT_ABOUT_IMPORT,
                                      text->str);
  else if (text->len > 0)
    culprit_document_inform (document, CULPRIT_ABOUT_IMPORT, text->str);
  if (other)
    import_report_show (other, document->imported->str);
  if (document->imported->len > before)
    document_emit_imported (document, tally->problems->len > 0 || left_out > 0 ||
                                          MAX (tally->warnings->len, tally->read_as->len) > MAX_LINES);
}

const char *
culprit_document_imported (CulpritDocument *document)
{
  return document->imported->len > 0 ? document->imported->str : NULL;
}

/* "Imported 12 captures and 1 latency profile". The caller owns it; NULL: nothing new was imported. */
static char *
summarise (const CulpritImportTally *tally)
{
  guint captures = tally->stored + tally->again;
  g_autofree char *some = g_strdup_printf ("%u capture%s", captures, culprit_plural (captures));
  g_autofree char *others = g_strdup_printf ("%u latency profile%s", tally->profiles, culprit_plural (tally->profiles));

  if (captures + tally->profiles == 0)
    return NULL;
  return g_strdup_printf ("Imported %s%s%s", captures > 0 ? some : "",
                          captures > 0 && tally->profiles > 0 ? " and " : "", tally->profiles > 0 ? others : "");
}

static void
announce_import (CulpritDocument *document, const CulpritImportTally *tally)
{
  g_autofree char *text = summarise (tally);

  if (text)
    culprit_document_announce (document, text, "Show",
                               tally->stored + tally->again > 0 ? "win.page::outliers" : "win.page::latency");
}

static void
on_imported (GObject *source, GAsyncResult *result, gpointer data)
{
  const Import *import = g_task_get_task_data (G_TASK (result));
  CulpritDocument *document = import->document;
  CulpritImportTally *tally = g_task_propagate_pointer (G_TASK (result), NULL);
  GPtrArray *waiting = g_steal_pointer (&document->waiting);
  const gboolean cancelled = g_cancellable_is_cancelled (document->importing);

  g_clear_object (&document->importing);
  document_set_doing (document, NULL);
  if (waiting && cancelled)
    g_ptr_array_extend_and_steal (tally->unread, g_steal_pointer (&waiting));
  if (g_file_test (document->path, G_FILE_TEST_EXISTS))
    culprit_application_reload (GTK_APPLICATION (g_application_get_default ()), document);
  announce_import (document, tally);
  report_import (document, tally, cancelled);
  if (waiting)
    {
      culprit_document_import (document, waiting);
      g_ptr_array_unref (waiting);
    }
  tally_free (tally);
  g_application_release (g_application_get_default ());
  g_object_unref (document);
}

static void
wait_for_import (CulpritDocument *document, const GPtrArray *paths)
{
  if (!document->waiting)
    document->waiting = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < paths->len; i++)
    g_ptr_array_add (document->waiting, g_strdup (g_ptr_array_index (paths, i)));
}

void
culprit_document_import (CulpritDocument *document, const GPtrArray *paths)
{
  g_autoptr (GTask) task = NULL;
  Import *import;

  if (document->importing)
    {
      wait_for_import (document, paths);
      return;
    }
  import = g_new0 (Import, 1);
  import->study = g_strdup (document->path);
  import->paths = g_new0 (char *, paths->len + 1);
  for (guint i = 0; i < paths->len; i++)
    import->paths[i] = g_strdup (g_ptr_array_index (paths, i));
  /* What was given to an import is imported even if the window is closed meanwhile. */
  import->document = g_object_ref (document);
  g_application_hold (g_application_get_default ());
  document->importing = g_cancellable_new ();
  document_set_doing (document, "Looking for captures");
  task = g_task_new (NULL, document->importing, on_imported, NULL);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, import, import_free);
  background_run (task, run);
}

void
culprit_document_cancel (CulpritDocument *document)
{
  if (document->importing)
    g_cancellable_cancel (document->importing);
}

/* Reads the parts in threads. Each question carries the generation of the data: answers to older ones are dropped. */

#define MAX_POINTS 200 /* of a function: more than a cell has pixels */

/* A part, as it was read; only the members of its kind are set. */
typedef struct
{
  CulpritPartKind kind;
  guint generation;
  GError *error; /* NULL: it was read */
  CulpritTable *outliers;
  GArray *run_numbers; /* of guint, for each row of @outliers: the number of its run */
  GArray *triage;      /* of CulpritTriage, likewise */
  char *origin;
  CulpritVerdict *verdict;
  GPtrArray *proofs; /* of CulpritStoredProof, of the functions of the verdict */
  guint ignored;
  CulpritTable *functions;
  CulpritFunctionPoints *points; /* of the functions in late wake-ups */
  CulpritTable *runs;
  GPtrArray *latencies; /* of CulpritLatencies */
  char *left_out;       /* the runs that cannot be shown; NULL: none */
} Part;

static void
latencies_free (gpointer data)
{
  CulpritLatencies *latencies = data;

  g_free (latencies->name);
  g_free (latencies->series);
  g_free (latencies->arm);
  g_free (latencies->tracing);
  g_clear_pointer (&latencies->profile, culprit_profile_free);
  g_clear_pointer (&latencies->description, culprit_description_free);
  g_free (latencies);
}

static void
part_free (gpointer data)
{
  Part *part = data;

  g_clear_error (&part->error);
  g_clear_pointer (&part->outliers, culprit_table_free);
  g_clear_pointer (&part->run_numbers, g_array_unref);
  g_clear_pointer (&part->triage, g_array_unref);
  g_free (part->origin);
  g_clear_pointer (&part->verdict, culprit_verdict_free);
  g_clear_pointer (&part->proofs, g_ptr_array_unref);
  g_clear_pointer (&part->functions, culprit_table_free);
  g_clear_pointer (&part->points, culprit_function_points_free);
  g_clear_pointer (&part->runs, culprit_table_free);
  g_clear_pointer (&part->latencies, g_ptr_array_unref);
  g_free (part->left_out);
  g_free (part);
}

/* Captures of a run are consecutive. */
static gboolean
read_run_numbers (CulpritStudy *study, Part *part)
{
  const char *last = NULL;
  guint number = 0;

  part->run_numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint row = 0; row < culprit_table_rows (part->outliers); row++)
    {
      const char *run = culprit_table_text (part->outliers, row, "run");

      if (g_strcmp0 (run, last) != 0 && !culprit_study_run_number (study, run, &number, &part->error))
        return FALSE;
      last = run;
      g_array_append_val (part->run_numbers, number);
    }
  return TRUE;
}

static gboolean
read_triage (CulpritStudy *study, Part *part)
{
  guint n = culprit_table_rows (part->outliers);
  g_autofree gint64 *captures = g_new (gint64, n);

  for (guint row = 0; row < n; row++)
    captures[row] = culprit_table_integer (part->outliers, row, "capture");
  part->triage = culprit_study_triage (study, captures, n, &part->error);
  return part->triage != NULL;
}

static void
read_outliers (CulpritStudy *study, const CulpritFilter *filter, Part *part)
{
  part->outliers = culprit_outliers_unjudged (study, filter, &part->error);
  if (part->outliers && read_run_numbers (study, part) && read_triage (study, part) &&
      culprit_query_ignored (study, filter, &part->ignored, &part->error))
    part->origin = culprit_query_origin (study, &part->error);
}

static void
read_verdict (CulpritStudy *study, const CulpritFilter *filter, Part *part)
{
  const CulpritEvidenceOptions options = { .filter = filter };

  part->verdict = culprit_verdict_new (study, &options, &part->error);
  if (part->verdict)
    part->proofs = culprit_verdict_proofs (part->verdict, study, &part->error);
}

static void
read_functions (CulpritStudy *study, const CulpritFilter *filter, Part *part)
{
  part->functions = culprit_query_functions (study, filter, &part->error);
  if (part->functions)
    part->points = culprit_query_function_points (study, filter, MAX_POINTS, &part->error);
}

/* @row: the row of the run in @runs. */
static gboolean
read_one (CulpritStudy *study, const char *name, const CulpritTable *runs, guint row, GPtrArray *all, GError **error)
{
  CulpritLatencies *one = g_new0 (CulpritLatencies, 1);

  *one = (CulpritLatencies) { .name = g_strdup (name),
                              .series = g_strdup (culprit_table_text (runs, row, "series")),
                              .arm = g_strdup (culprit_table_text (runs, row, "arm")),
                              .tracing = g_strdup (culprit_table_text (runs, row, "tracing")),
                              .explains = *culprit_table_text (runs, row, "explains") != '\0',
                              .threshold_ns = culprit_table_integer (runs, row, "threshold_ns"),
                              .band_low_ns = culprit_table_integer (runs, row, "band_low_ns"),
                              .band_high_ns = culprit_table_integer (runs, row, "band_high_ns") };
  g_ptr_array_add (all, one);
  if (!culprit_study_run_number (study, name, &one->number, error) ||
      !culprit_study_profile_facts (study, name, &one->facts, error))
    return FALSE;
  if (!one->facts.whole)
    return TRUE;
  one->profile = culprit_study_profile (study, name, CULPRIT_ALL_CPUS, error);
  if (one->profile)
    one->description = culprit_describe_values (one->profile, culprit_quantiles_usual);
  return one->profile != NULL;
}

static void
read_latencies (CulpritStudy *study, Part *part)
{
  g_autoptr (GPtrArray) names = culprit_study_profile_names (study, NULL, &part->error);
  g_autoptr (GHashTable) rows = NULL;

  part->latencies = g_ptr_array_new_with_free_func (latencies_free);
  part->runs = names ? culprit_query_runs (study, &part->error) : NULL;
  if (!part->runs || !culprit_study_left_out (study, NULL, &part->left_out, &part->error))
    return;
  rows = culprit_table_index (part->runs, "run");
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);

      if (!read_one (study, name, part->runs, GPOINTER_TO_UINT (g_hash_table_lookup (rows, name)), part->latencies,
                     &part->error))
        return;
    }
}

/* Reading. */

typedef struct
{
  CulpritPartKind kind;
  guint generation;
  char *run; /* NULL: all */
} Wanted;

static void
wanted_free (gpointer data)
{
  Wanted *wanted = data;

  g_free (wanted->run);
  g_free (wanted);
}

static gpointer
read_part (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error)
{
  const Wanted *wanted = data;
  const CulpritFilter filter = { .run = wanted->run };
  Part *part = g_new0 (Part, 1);

  part->kind = wanted->kind;
  part->generation = wanted->generation;
  if (part->kind == CULPRIT_PART_OUTLIERS)
    read_outliers (study, &filter, part);
  else if (part->kind == CULPRIT_PART_VERDICT)
    read_verdict (study, &filter, part);
  else if (part->kind == CULPRIT_PART_FUNCTIONS)
    read_functions (study, &filter, part);
  else
    read_latencies (study, part);
  return part;
}

/* Replaces @rows by a model of @table, which it takes. */
static void
take_rows (CulpritRows **rows, CulpritTable **table)
{
  g_clear_object (rows);
  *rows = culprit_rows_new (g_steal_pointer (table));
}

static void
forget_verdict (CulpritDocument *document)
{
  g_clear_pointer (&document->verdict, culprit_verdict_free);
  g_clear_pointer (&document->proofs, g_ptr_array_unref);
}

/* Reports the runs that cannot be shown, once and whenever they change, also to none. */
static void
tell_left_out (CulpritDocument *document, char *left_out)
{
  gboolean is_told = left_out && g_strcmp0 (left_out, document->left_out) == 0;
  g_autofree char *message = left_out ? g_strdup_printf ("%s; see culprit check", left_out) : g_strdup ("");

  g_free (document->left_out);
  document->left_out = left_out;
  if (!is_told)
    culprit_document_fail (document, CULPRIT_ABOUT_RUNS, message);
}

/* As those of another study have their numbers. */
static void
forget_captures (CulpritDocument *document)
{
  mark_former (document);
  forget_verdict (document);
  culprit_document_choose_capture (document, 0);
  g_hash_table_remove_all (document->known);
  document_emit_replaced (document);
}

/* Whether one of @triage is another one than that of the same number before: the study is another one. What was read
 * last may have had none of these numbers, as a study that is made anew has no captures at first. */
static gboolean
is_of_others (CulpritDocument *document, const GArray *triage)
{
  for (guint i = 0; i < triage->len; i++)
    {
      const CulpritTriage *now = &g_array_index (triage, CulpritTriage, i);
      const char *known = g_hash_table_lookup (document->known, &now->capture);

      if (known && !culprit_triage_is_same (known, now->identity))
        return TRUE;
    }
  return FALSE;
}

/* Remembers what was read, and nothing of others before. */
static void
know (CulpritDocument *document, Part *part)
{
  if (is_of_others (document, part->triage) || (document->origin && !g_str_has_prefix (part->origin, document->origin)))
    forget_captures (document);
  g_free (document->origin);
  document->origin = g_steal_pointer (&part->origin);
  for (guint i = 0; i < part->triage->len; i++)
    {
      const CulpritTriage *now = &g_array_index (part->triage, CulpritTriage, i);

      g_hash_table_replace (document->known, g_memdup2 (&now->capture, sizeof now->capture), g_strdup (now->identity));
    }
}

static void
take_part (CulpritDocument *document, Part *part)
{
  switch (part->kind)
    {
    case CULPRIT_PART_OUTLIERS:
      know (document, part);
      if (document->verdict)
        culprit_outliers_judge (part->outliers, document->verdict, NULL);
      take_rows (&document->outliers, &part->outliers);
      run_cell_attach (document->outliers, g_steal_pointer (&part->run_numbers));
      triage_attach (document->outliers, g_steal_pointer (&part->triage));
      document->ignored = part->ignored;
      break;
    case CULPRIT_PART_VERDICT:
      forget_verdict (document);
      document->verdict = g_steal_pointer (&part->verdict);
      document->proofs = g_steal_pointer (&part->proofs);
      document->judging = FALSE;
      culprit_outliers_judge (culprit_rows_edit (document->outliers), document->verdict,
                              culprit_class_name (CULPRIT_CLASS_UNEXPLAINED));
      choose_own_culprit (document);
      break;
    case CULPRIT_PART_FUNCTIONS:
      take_rows (&document->functions, &part->functions);
      strip_cell_attach (document->functions, g_steal_pointer (&part->points));
      break;
    default:
      take_rows (&document->runs, &part->runs);
      g_clear_pointer (&document->latencies, g_ptr_array_unref);
      document->latencies = g_steal_pointer (&part->latencies);
      tell_left_out (document, g_steal_pointer (&part->left_out));
    }
  document->former[part->kind] = FALSE;
  document_emit_changed (document, part->kind);
  if (part->kind == CULPRIT_PART_OUTLIERS && !document->verdict)
    document_emit_changed (document, CULPRIT_PART_VERDICT);
}

static void ask_part (CulpritDocument *document, CulpritPartKind part);

/* The rest is read only after the late wake-ups, so as not to delay them. */
static void
ask_rest (CulpritDocument *document)
{
  for (CulpritPartKind part = CULPRIT_PART_OUTLIERS + 1; part < CULPRIT_PARTS; part++)
    ask_part (document, part);
}

/* Reports the first of several parts that cannot be read. */
static void
fail (CulpritDocument *document, const char *why)
{
  gboolean first = !document->failed;

  document->failed = TRUE;
  if (first)
    culprit_document_fail (document, CULPRIT_ABOUT_STUDY, why);
}

/* They are not left beside the name of another. */
static void
forget_former (CulpritDocument *document, CulpritPartKind part, CulpritRows **rows)
{
  if (!document->former[part])
    return;
  document->former[part] = FALSE;
  g_clear_object (rows);
  document_emit_changed (document, part);
}

static void
stop_judging (CulpritDocument *document)
{
  document->judging = FALSE;
  document_emit_changed (document, CULPRIT_PART_VERDICT);
}

static void
give_up (CulpritDocument *document, const char *why)
{
  g_cancellable_cancel (document->loading);
  document->generation++;
  document->left = 0;
  if (document->former[CULPRIT_PART_OUTLIERS])
    {
      forget_verdict (document);
      g_clear_pointer (&document->origin, g_free);
    }
  forget_former (document, CULPRIT_PART_OUTLIERS, &document->outliers);
  forget_former (document, CULPRIT_PART_FUNCTIONS, &document->functions);
  fail (document, why);
  stop_judging (document);
}

/* If the late wake-ups cannot be read, nothing else is; any other part may fail alone. */
static void
handle_part (CulpritDocument *document, Part *part)
{
  if (part->error && part->kind == CULPRIT_PART_OUTLIERS)
    {
      give_up (document, part->error->message);
      document->reread = FALSE; /* It was not as it is replaced again and again. */
      return;
    }
  document->left--;
  if (document->left == 0)
    document->reread = FALSE;
  if (part->error && part->kind == CULPRIT_PART_FUNCTIONS)
    forget_former (document, CULPRIT_PART_FUNCTIONS, &document->functions);
  if (part->error)
    fail (document, part->error->message);
  else
    take_part (document, part);
  if (part->error && part->kind == CULPRIT_PART_VERDICT)
    stop_judging (document);
  if (part->kind == CULPRIT_PART_OUTLIERS)
    ask_rest (document);
}

static void
on_part (GObject *owner, gpointer result, const GError *error)
{
  CulpritDocument *document = CULPRIT_DOCUMENT (owner);
  Part *part = result;

  /* Then on_answer() reads all again. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WRONG_ETAG) && !document->reread)
    return;
  if (error)
    give_up (document, error->message);
  else if (part->generation == document->generation)
    handle_part (document, part);
  g_clear_pointer (&part, part_free);
  if (document->left == 0 && document->again)
    document_read_all (document);
}

static void
ask_part (CulpritDocument *document, CulpritPartKind part)
{
  Wanted *wanted = g_new0 (Wanted, 1);

  *wanted = (Wanted) { part, document->generation, g_strdup (document->run) };
  if (part == CULPRIT_PART_OUTLIERS)
    ask (document,
         (Question) { NULL, read_part, wanted, wanted_free, on_part, part_free, .device = document->device,
                      .inode = document->inode },
         G_OBJECT (document), document->loading);
  else
    culprit_document_read (document, G_OBJECT (document), document->loading, read_part, wanted, wanted_free, on_part,
                           part_free);
}

/* What is read and asked for from now on is of the file that is there now. */
static void
take_file (CulpritDocument *document)
{
  struct stat status;

  if (stat (document->path, &status) != 0)
    return;
  if (document->inode != 0 && (status.st_dev != document->device || status.st_ino != document->inode))
    mark_former (document);
  document->device = status.st_dev;
  document->inode = status.st_ino;
}

/* Cancels what is being read and reads all parts. */
static void
document_read_all (CulpritDocument *document)
{
  g_cancellable_cancel (document->loading);
  g_clear_object (&document->loading);
  document->loading = g_cancellable_new ();
  document->generation++;
  document->left = CULPRIT_PARTS;
  document->again = FALSE;
  document->judging = TRUE;
  document->failed = FALSE;
  take_file (document);
  culprit_document_fail (document, CULPRIT_ABOUT_STUDY, "");
  ask_part (document, CULPRIT_PART_OUTLIERS);
}

gboolean
culprit_document_is_reading (CulpritDocument *document)
{
  return document->left == CULPRIT_PARTS;
}

void
culprit_document_reload (CulpritDocument *document)
{
  document->reread = FALSE;
  document->again = document->left > 0;
  if (!document->again)
    document_read_all (document);
}

void
culprit_document_reload_asked (CulpritDocument *document)
{
  g_clear_pointer (&document->left_out, g_free);
  culprit_document_reload (document);
}

G_DEFINE_FINAL_TYPE (CulpritDocument, culprit_document, G_TYPE_OBJECT)

enum
{
  PROPERTY_PATH = 1,
  PROPERTY_CAPTURE,
  PROPERTY_FUNCTION,
  PROPERTY_RUN,
  PROPERTY_TRACED,
  PROPERTY_DOING,
  PROPERTIES,
};

enum
{
  CHANGED,
  REPLACED,
  FAILED,
  INFORMED,
  DONE,
  IMPORTED,
  SIGNALS,
};

static GParamSpec *properties[PROPERTIES];

static guint signals[SIGNALS];

static void
set_text (CulpritDocument *document, char **place, const char *text, guint property)
{
  if (g_strcmp0 (*place, text) == 0)
    return;
  g_free (*place);
  *place = g_strdup (text);
  g_object_notify_by_pspec (G_OBJECT (document), properties[property]);
}

static void
document_emit_changed (CulpritDocument *document, CulpritPartKind part)
{
  g_signal_emit (document, signals[CHANGED], 0, part);
}

static void
document_emit_replaced (CulpritDocument *document)
{
  g_signal_emit (document, signals[REPLACED], 0);
}

static void
document_emit_imported (CulpritDocument *document, gboolean more)
{
  g_signal_emit (document, signals[IMPORTED], 0, more);
}

void
culprit_document_fail (CulpritDocument *document, CulpritAbout about, const char *message)
{
  g_signal_emit (document, signals[FAILED], 0, about, message);
}

void
culprit_document_inform (CulpritDocument *document, CulpritAbout about, const char *message)
{
  g_signal_emit (document, signals[INFORMED], 0, about, message);
}

void
culprit_document_announce (CulpritDocument *document, const char *text, const char *button, const char *action)
{
  g_signal_emit (document, signals[DONE], 0, text, button, action);
}

void
culprit_document_announce_written (CulpritDocument *document, CulpritAbout about, const char *path)
{
  g_autofree char *name = g_filename_display_basename (path);
  g_autofree char *text = g_strdup_printf ("Saved %s", name);

  g_free (document->written);
  document->written = g_strdup (path);
  culprit_document_fail (document, about, "");
  culprit_document_announce (document, text, "Open", "win.show-written");
}

const char *
culprit_document_written (CulpritDocument *document)
{
  return document->written;
}

static void
document_set_doing (CulpritDocument *document, const char *doing)
{
  set_text (document, &document->doing, doing, PROPERTY_DOING);
}

/* Parts and selection. */

const char *
culprit_document_path (CulpritDocument *document)
{
  return document->path;
}

CulpritRows *
culprit_document_outliers (CulpritDocument *document)
{
  return document->outliers;
}

CulpritRow *
culprit_document_row (CulpritDocument *document, gint64 capture)
{
  return document->outliers ? culprit_rows_find (document->outliers, "capture", capture) : NULL;
}

CulpritRow *
culprit_document_chosen_row (CulpritDocument *document)
{
  return culprit_document_row (document, document->capture);
}

CulpritRows *
culprit_document_functions (CulpritDocument *document)
{
  return document->functions;
}

CulpritRows *
culprit_document_runs (CulpritDocument *document)
{
  return document->runs;
}

const CulpritVerdict *
culprit_document_verdict (CulpritDocument *document)
{
  return document->verdict;
}

const GPtrArray *
culprit_document_proofs (CulpritDocument *document)
{
  return document->proofs;
}

gboolean
culprit_document_is_unreadable (CulpritDocument *document)
{
  return document->failed && !document->outliers;
}

gboolean
culprit_document_is_judging (CulpritDocument *document)
{
  return document->judging;
}

const char *
culprit_document_no_verdict (CulpritDocument *document)
{
  return document->judging ? "Computing the verdict…" : "No verdict: the study could not be read.";
}

guint
culprit_document_ignored (CulpritDocument *document)
{
  return document->ignored;
}

const GPtrArray *
culprit_document_latencies (CulpritDocument *document)
{
  return document->latencies;
}

gint64
culprit_document_capture (CulpritDocument *document)
{
  return document->capture;
}

void
culprit_document_choose_capture (CulpritDocument *document, gint64 capture)
{
  if (document->capture == capture)
    return;
  document->capture = capture;
  g_object_notify_by_pspec (G_OBJECT (document), properties[PROPERTY_CAPTURE]);
  choose_own_culprit (document);
}

const char *
culprit_document_function (CulpritDocument *document)
{
  return document->function;
}

void
culprit_document_choose_function (CulpritDocument *document, const char *function)
{
  document->is_culprit = FALSE;
  set_text (document, &document->function, function, PROPERTY_FUNCTION);
}

static void
choose_culprit (CulpritDocument *document, const char *function)
{
  document->is_culprit = TRUE;
  set_text (document, &document->function, function, PROPERTY_FUNCTION);
}

/* Unless another function was chosen. */
static void
choose_own_culprit (CulpritDocument *document)
{
  const CulpritCase *one = document->verdict ? culprit_verdict_case (document->verdict, document->capture) : NULL;

  if (document->is_culprit || !document->function)
    choose_culprit (document, one ? culprit_verdict_case_key (document->verdict, one) : NULL);
}

void
culprit_document_show_culprit (CulpritDocument *document, gint64 capture, const char *function)
{
  document->is_culprit = TRUE;
  culprit_document_choose_capture (document, capture);
  if (function)
    choose_culprit (document, function);
  else
    choose_own_culprit (document);
}

const char *
culprit_document_run (CulpritDocument *document)
{
  return document->run;
}

void
culprit_document_choose_run (CulpritDocument *document, const char *run)
{
  if (g_strcmp0 (document->run, run) == 0)
    return;
  set_text (document, &document->run, run, PROPERTY_RUN);
  /* The verdict was about other captures. */
  forget_verdict (document);
  mark_former (document);
  document_read_all (document);
}

CulpritTimes
culprit_document_times (CulpritDocument *document)
{
  return document->traced ? CULPRIT_TIMES_TRACED : CULPRIT_TIMES_UNTRACED;
}

const char *
culprit_document_doing (CulpritDocument *document)
{
  return document->doing;
}

/* The object. */

static void
document_get_property (GObject *object, guint property, GValue *value, GParamSpec *spec)
{
  CulpritDocument *document = CULPRIT_DOCUMENT (object);

  switch (property)
    {
    case PROPERTY_PATH:
      g_value_set_string (value, document->path);
      break;
    case PROPERTY_CAPTURE:
      g_value_set_int64 (value, document->capture);
      break;
    case PROPERTY_FUNCTION:
      g_value_set_string (value, document->function ? document->function : "");
      break;
    case PROPERTY_RUN:
      g_value_set_string (value, document->run ? document->run : "");
      break;
    case PROPERTY_TRACED:
      g_value_set_boolean (value, document->traced);
      break;
    case PROPERTY_DOING:
      g_value_set_string (value, document->doing);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property, spec);
    }
}

/* The text; NULL if it is empty. */
static const char *
text_of (const GValue *value)
{
  const char *text = g_value_get_string (value);

  return text && *text ? text : NULL;
}

static void
document_set_property (GObject *object, guint property, const GValue *value, GParamSpec *spec)
{
  CulpritDocument *document = CULPRIT_DOCUMENT (object);

  switch (property)
    {
    case PROPERTY_CAPTURE:
      culprit_document_choose_capture (document, g_value_get_int64 (value));
      break;
    case PROPERTY_FUNCTION:
      culprit_document_choose_function (document, text_of (value));
      break;
    case PROPERTY_RUN:
      culprit_document_choose_run (document, text_of (value));
      break;
    case PROPERTY_TRACED:
      document->traced = g_value_get_boolean (value);
      g_object_notify_by_pspec (object, spec);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property, spec);
    }
}

static void
document_dispose (GObject *object)
{
  CulpritDocument *document = CULPRIT_DOCUMENT (object);

  g_cancellable_cancel (document->loading);
  g_clear_object (&document->loading);
  g_clear_object (&document->outliers);
  g_clear_object (&document->functions);
  g_clear_object (&document->runs);
  forget_verdict (document);
  g_clear_pointer (&document->latencies, g_ptr_array_unref);
  G_OBJECT_CLASS (culprit_document_parent_class)->dispose (object);
}

static void
document_finalize (GObject *object)
{
  CulpritDocument *document = CULPRIT_DOCUMENT (object);

  g_free (document->path);
  g_free (document->origin);
  g_free (document->function);
  g_free (document->run);
  g_free (document->doing);
  g_free (document->written);
  g_free (document->left_out);
  g_hash_table_unref (document->known);
  g_string_free (document->imported, TRUE);
  G_OBJECT_CLASS (culprit_document_parent_class)->finalize (object);
}

static void
culprit_document_class_init (CulpritDocumentClass *class)
{
  GObjectClass *object = G_OBJECT_CLASS (class);
  const GParamFlags shown = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;
  const GParamFlags chosen = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object->get_property = document_get_property;
  object->set_property = document_set_property;
  object->dispose = document_dispose;
  object->finalize = document_finalize;
  properties[PROPERTY_PATH] = g_param_spec_string ("path", NULL, NULL, NULL, shown);
  properties[PROPERTY_CAPTURE] = g_param_spec_int64 ("capture", NULL, NULL, 0, G_MAXINT64, 0, chosen);
  properties[PROPERTY_FUNCTION] = g_param_spec_string ("function", NULL, NULL, "", chosen);
  properties[PROPERTY_RUN] = g_param_spec_string ("run", NULL, NULL, "", chosen);
  properties[PROPERTY_TRACED] = g_param_spec_boolean ("traced", NULL, NULL, FALSE, chosen);
  properties[PROPERTY_DOING] = g_param_spec_string ("doing", NULL, NULL, NULL, shown);
  g_object_class_install_properties (object, PROPERTIES, properties);
  signals[CHANGED] = signal_new (CULPRIT_TYPE_DOCUMENT, "changed", 1, G_TYPE_UINT);
  signals[REPLACED] = signal_new (CULPRIT_TYPE_DOCUMENT, "replaced", 0);
  signals[FAILED] = signal_new (CULPRIT_TYPE_DOCUMENT, "failed", 2, G_TYPE_UINT, G_TYPE_STRING);
  signals[INFORMED] = signal_new (CULPRIT_TYPE_DOCUMENT, "informed", 2, G_TYPE_UINT, G_TYPE_STRING);
  signals[IMPORTED] = signal_new (CULPRIT_TYPE_DOCUMENT, "imported", 1, G_TYPE_BOOLEAN);
  signals[DONE] = signal_new (CULPRIT_TYPE_DOCUMENT, "done", 3, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING);
}

static void
culprit_document_init (CulpritDocument *document)
{
  document->imported = g_string_new (NULL);
  document->known = g_hash_table_new_full (culprit_hash_number, g_int64_equal, g_free, g_free);
}

CulpritDocument *
culprit_document_new (const char *path)
{
  CulpritDocument *document = g_object_new (CULPRIT_TYPE_DOCUMENT, NULL);

  document->path = g_strdup (path);
  return document;
}
