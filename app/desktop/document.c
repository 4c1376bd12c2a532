/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each part is asked for with a number; an answer to an older question is dropped. */
#include "document.h"

#include "document-load.h"
#include "import.h"
#include "triage.h"
#include "units.h"

#define MOST_TOLD 4 /* lines of a kind, of what an import came to */

struct _CulpritDocument
{
  GObject parent;
  char *path;
  gint64 capture;
  char *function;
  char *run;
  char *doing;
  CulpritRows *outliers;
  CulpritRows *captures;
  CulpritRows *functions;
  CulpritRows *runs;
  CulpritVerdict *verdict;
  guint ignored;
  GPtrArray *latencies;
  GCancellable *loading;
  guint left;     /* parts that are still to come */
  gboolean again; /* The study changed while they are read. */
  GCancellable *importing;
  GPtrArray *waiting; /* of char *: what came in the meantime */
  guint generation;
  CulpritTriageLog *triage;
};

G_DEFINE_FINAL_TYPE (CulpritDocument, culprit_document, G_TYPE_OBJECT)

enum
{
  PROPERTY_PATH = 1,
  PROPERTY_CAPTURE,
  PROPERTY_FUNCTION,
  PROPERTY_RUN,
  PROPERTY_DOING,
  PROPERTIES,
};

enum
{
  CHANGED,
  FAILED,
  TOLD,
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
fail (CulpritDocument *document, const char *message)
{
  g_signal_emit (document, signals[FAILED], 0, message);
}

/* The parts. */

typedef struct
{
  CulpritPartKind part;
  guint generation;
  char *run;
  DocumentPart *found;
} Wanted;

static void
wanted_free (gpointer data)
{
  Wanted *wanted = data;

  g_clear_pointer (&wanted->found, document_part_free);
  g_free (wanted->run);
  g_free (wanted);
}

static gpointer
read_part (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error)
{
  const Wanted *wanted = data;
  DocumentPart *found = document_part_read (study, wanted->part, wanted->run, error);
  Wanted *result = found ? g_new0 (Wanted, 1) : NULL;

  if (result)
    *result = (Wanted) { wanted->part, wanted->generation, NULL, found };
  return result;
}

/* Puts a model of @table, which it takes, in the place of another. */
static void
take_rows (CulpritRows **rows, CulpritTable **table)
{
  g_clear_object (rows);
  *rows = culprit_rows_new (g_steal_pointer (table));
}

static void
take_part (CulpritDocument *document, CulpritPartKind kind, DocumentPart *part)
{
  g_autoptr (CulpritVerdict) verdict = NULL;
  g_autoptr (GPtrArray) latencies = NULL;

  switch (kind)
    {
    case CULPRIT_PART_OUTLIERS:
      take_rows (&document->outliers, &part->outliers);
      take_rows (&document->captures, &part->captures);
      verdict = g_steal_pointer (&document->verdict);
      document->verdict = g_steal_pointer (&part->verdict);
      document->ignored = part->ignored;
      break;
    case CULPRIT_PART_FUNCTIONS:
      take_rows (&document->functions, &part->functions);
      culprit_rows_attach (document->functions, g_steal_pointer (&part->points),
                           (GDestroyNotify) culprit_function_points_free);
      break;
    default:
      take_rows (&document->runs, &part->runs);
      latencies = g_steal_pointer (&document->latencies);
      document->latencies = g_steal_pointer (&part->latencies);
    }
  g_signal_emit (document, signals[CHANGED], 0, kind);
}

static void ask_part (CulpritDocument *document, CulpritPartKind part);
static void read_all (CulpritDocument *document);

/* The verdict has come: now the rest, which shall not take its time. */
static void
ask_rest (CulpritDocument *document)
{
  for (CulpritPartKind part = CULPRIT_PART_OUTLIERS + 1; part < CULPRIT_PARTS; part++)
    ask_part (document, part);
}

static void
on_part (GObject *owner, gpointer result, const GError *error)
{
  CulpritDocument *document = CULPRIT_DOCUMENT (owner);
  Wanted *wanted = result;

  if (error)
    {
      fail (document, error->message);
      document->left = 0;
    }
  else if (wanted->generation == document->generation)
    {
      document->left--;
      take_part (document, wanted->part, wanted->found);
      if (wanted->part == CULPRIT_PART_OUTLIERS)
        ask_rest (document);
    }
  g_clear_pointer (&wanted, wanted_free);
  if (document->left == 0 && document->again)
    read_all (document);
}

static void
ask_part (CulpritDocument *document, CulpritPartKind part)
{
  Wanted *wanted = g_new0 (Wanted, 1);

  *wanted = (Wanted) { part, document->generation, g_strdup (document->run), NULL };
  culprit_document_read (document, G_OBJECT (document), document->loading, read_part, wanted, wanted_free, on_part,
                         wanted_free);
}

/* What is being read is given up. */
static void
read_all (CulpritDocument *document)
{
  g_cancellable_cancel (document->loading);
  g_set_object (&document->loading, NULL);
  document->loading = g_cancellable_new ();
  document->generation++;
  document->left = CULPRIT_PARTS;
  document->again = FALSE;
  ask_part (document, CULPRIT_PART_OUTLIERS);
}

void
culprit_document_reload (CulpritDocument *document)
{
  document->again = document->left > 0;
  if (!document->again)
    read_all (document);
}

/* Importing. */

static void
on_import_progress (const char *text, gpointer data)
{
  CulpritDocument *document = data;

  set_text (document, &document->doing, text, PROPERTY_DOING);
}

/* Adds the first lines of @lines (of char *) to @text. */
static void
add_lines (GString *text, const GPtrArray *lines, guint most)
{
  for (guint i = 0; i < MIN (lines->len, most); i++)
    g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", (const char *) g_ptr_array_index (lines, i));
  if (lines->len > most)
    g_string_append_printf (text, "\nand %u more", lines->len - most);
}

/* What went wrong, or was left out, and what latency results were taken for; else that nothing came. */
static void
tell_imported (CulpritDocument *document, const CulpritImportTally *tally)
{
  g_autoptr (GString) text = g_string_new (NULL);

  add_lines (text, tally->problems, 1);
  add_lines (text, tally->warnings, MOST_TOLD);
  add_lines (text, tally->read_as, MOST_TOLD);
  if (text->len == 0 && tally->known > 0 && tally->stored + tally->again + tally->profiles == 0)
    g_string_append_printf (text, "%u file%s known already: nothing was changed", tally->known,
                            culprit_plural (tally->known));
  if (text->len > 0)
    g_signal_emit (document, signals[tally->problems->len > 0 ? FAILED : TOLD], 0, text->str);
}

static void
on_imported (const CulpritImportTally *tally, gpointer data)
{
  CulpritDocument *document = data;
  g_autoptr (GPtrArray) waiting = g_steal_pointer (&document->waiting);
  gboolean cancelled = g_cancellable_is_cancelled (document->importing);

  g_clear_object (&document->importing);
  set_text (document, &document->doing, NULL, PROPERTY_DOING);
  culprit_document_reload (document);
  tell_imported (document, tally);
  if (waiting && !cancelled)
    culprit_document_import (document, waiting);
}

/* Until the import that is going on has ended. */
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
  if (document->importing)
    {
      wait_for_import (document, paths);
      return;
    }
  document->importing = g_cancellable_new ();
  set_text (document, &document->doing, "Looking for captures", PROPERTY_DOING);
  import_files (document->path, paths, document->importing, G_OBJECT (document), on_import_progress, on_imported);
}

void
culprit_document_cancel (CulpritDocument *document)
{
  if (document->importing)
    g_cancellable_cancel (document->importing);
}

/* Triage. */

/* Shows in @row what @triage says. Gives whether its capture counts now and did not, or the other way round. */
static gboolean
show_triage (CulpritRow *row, const CulpritTriage *triage)
{
  gboolean ignored = triage_ignores (row);

  culprit_row_set_text (row, "triage", triage->state);
  culprit_row_set_text (row, "note", triage->note);
  return ignored != culprit_triage_ignores (triage->state);
}

static void
on_triaged (GObject *owner, const GArray *stored, const GError *error)
{
  CulpritDocument *document = CULPRIT_DOCUMENT (owner);
  gboolean others_count = FALSE;

  if (error)
    fail (document, error->message);
  for (guint i = 0; !error && i < stored->len; i++)
    {
      const CulpritTriage *one = &g_array_index (stored, CulpritTriage, i);
      CulpritRow *rows[] = { culprit_rows_find (document->outliers, "capture", one->capture),
                             culprit_rows_find (document->captures, "capture", one->capture) };

      for (guint k = 0; k < G_N_ELEMENTS (rows); k++)
        if (rows[k] && show_triage (rows[k], one))
          others_count = TRUE;
    }
  if (others_count)
    culprit_document_reload (document);
}

void
culprit_document_triage (CulpritDocument *document, const GPtrArray *rows, const char *state, const char *note)
{
  g_autoptr (GArray) changes = triage_changes (rows, state, note);

  if (changes->len > 0)
    triage_log_apply (document->triage, changes);
}

gboolean
culprit_document_undo (CulpritDocument *document)
{
  return triage_log_undo (document->triage);
}

gboolean
culprit_document_redo (CulpritDocument *document)
{
  return triage_log_redo (document->triage);
}

/* What the pages read and choose. */

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

CulpritRows *
culprit_document_captures (CulpritDocument *document)
{
  return document->captures;
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
}

const char *
culprit_document_function (CulpritDocument *document)
{
  return document->function;
}

void
culprit_document_choose_function (CulpritDocument *document, const char *function)
{
  set_text (document, &document->function, function, PROPERTY_FUNCTION);
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
  read_all (document);
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
      g_value_set_string (value, document->function);
      break;
    case PROPERTY_RUN:
      g_value_set_string (value, document->run);
      break;
    case PROPERTY_DOING:
      g_value_set_string (value, document->doing);
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
  g_cancellable_cancel (document->importing);
  g_clear_object (&document->loading);
  g_clear_object (&document->importing);
  g_clear_pointer (&document->waiting, g_ptr_array_unref);
  g_clear_object (&document->outliers);
  g_clear_object (&document->captures);
  g_clear_object (&document->functions);
  g_clear_object (&document->runs);
  g_clear_pointer (&document->verdict, culprit_verdict_free);
  g_clear_pointer (&document->latencies, g_ptr_array_unref);
  g_clear_pointer (&document->triage, triage_log_free);
  G_OBJECT_CLASS (culprit_document_parent_class)->dispose (object);
}

static void
document_finalize (GObject *object)
{
  CulpritDocument *document = CULPRIT_DOCUMENT (object);

  g_free (document->path);
  g_free (document->function);
  g_free (document->run);
  g_free (document->doing);
  G_OBJECT_CLASS (culprit_document_parent_class)->finalize (object);
}

static void
culprit_document_class_init (CulpritDocumentClass *class)
{
  GObjectClass *object = G_OBJECT_CLASS (class);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object->get_property = document_get_property;
  object->dispose = document_dispose;
  object->finalize = document_finalize;
  properties[PROPERTY_PATH] = g_param_spec_string ("path", NULL, NULL, NULL, flags);
  properties[PROPERTY_CAPTURE] = g_param_spec_int64 ("capture", NULL, NULL, 0, G_MAXINT64, 0, flags);
  properties[PROPERTY_FUNCTION] = g_param_spec_string ("function", NULL, NULL, NULL, flags);
  properties[PROPERTY_RUN] = g_param_spec_string ("run", NULL, NULL, NULL, flags);
  properties[PROPERTY_DOING] = g_param_spec_string ("doing", NULL, NULL, NULL, flags);
  g_object_class_install_properties (object, PROPERTIES, properties);
  signals[CHANGED] = g_signal_new ("changed", CULPRIT_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[FAILED] = g_signal_new ("failed", CULPRIT_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                  1, G_TYPE_STRING);
  signals[TOLD] = g_signal_new ("told", CULPRIT_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                G_TYPE_STRING);
}

static void
culprit_document_init (CulpritDocument *document)
{
}

CulpritDocument *
culprit_document_new (const char *path)
{
  CulpritDocument *document = g_object_new (CULPRIT_TYPE_DOCUMENT, NULL);

  document->path = g_strdup (path);
  document->triage = triage_log_new (document, on_triaged);
  return document;
}
