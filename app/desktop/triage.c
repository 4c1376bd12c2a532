/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes states and notes, with undo and redo stacks. Writes go through one queue, so that a quick undo never
 * overtakes its change. A change is shown at once; the study decides what really changed. */
#include "document-private.h"

/* Where what was before goes when a change was stored. */
typedef enum
{
  TO_UNDO_AS_NEW,
  TO_UNDO,
  TO_REDO,
} Before;

struct _CulpritTriageLog
{
  CulpritDocument *document; /* which owns the log */
  GPtrArray *undo;           /* of GArray of CulpritTriage */
  GPtrArray *redo;           /* likewise */
  GQueue waiting;            /* of Change */
  GArray *storing;           /* what is being written; NULL: nothing is */
  Before storing_to;
  gboolean from_stack; /* It was taken from the stack that its before does not go to. */
};

typedef struct
{
  GArray *changes; /* NULL: what lies on top of a stack when its turn comes */
  GArray *before;
  Before to;
} Change;

static void
change_free (gpointer data)
{
  Change *change = data;

  g_clear_pointer (&change->changes, g_array_unref);
  g_clear_pointer (&change->before, g_array_unref);
  g_free (change);
}

static void
clear_triage (gpointer data)
{
  CulpritTriage *triage = data;

  g_free (triage->state);
  g_free (triage->note);
}

gboolean
triage_ignores (CulpritRow *row)
{
  return culprit_triage_ignores (culprit_row_text (row, "triage"));
}

/* What @state and @note make of @rows (of CulpritRow). */
static GArray *
triage_changes (const GPtrArray *rows, const char *state, const char *note)
{
  GArray *changes = g_array_new (FALSE, FALSE, sizeof (CulpritTriage));

  g_array_set_clear_func (changes, clear_triage);
  for (guint i = 0; i < rows->len; i++)
    {
      CulpritTriage change = { culprit_row_integer (g_ptr_array_index (rows, i), "capture"), g_strdup (state),
                               g_strdup (note) };

      g_array_append_val (changes, change);
    }
  return changes;
}

/* Completes @changes by what was @before, and leaves out of both what stays as it was. */
static void
keep_changes (GArray *changes, GArray *before)
{
  for (guint i = changes->len; i-- > 0;)
    {
      CulpritTriage *change = &g_array_index (changes, CulpritTriage, i);
      const CulpritTriage *old = &g_array_index (before, CulpritTriage, i);

      if (!change->state)
        change->state = g_strdup (old->state);
      if (!change->note)
        change->note = g_strdup (old->note);
      if (!g_str_equal (change->state, old->state) || !g_str_equal (change->note, old->note))
        continue;
      g_array_remove_index (changes, i);
      g_array_remove_index (before, i);
    }
}

/* Stores a change; what was before is kept in it. */
static gpointer
store (CulpritStudy *unused, gpointer data, GCancellable *cancellable, GError **error)
{
  const Change *change = data;
  g_autoptr (CulpritStudy) study = culprit_study_open (culprit_study_path (unused), CULPRIT_STUDY_CREATE, error);
  g_autofree gint64 *captures = g_new (gint64, change->changes->len);
  Change *done = g_new0 (Change, 1);

  for (guint i = 0; i < change->changes->len; i++)
    captures[i] = g_array_index (change->changes, CulpritTriage, i).capture;
  done->to = change->to;
  done->changes = g_array_ref (change->changes);
  done->before = study ? culprit_study_triage (study, captures, change->changes->len, error) : NULL;
  if (done->before)
    keep_changes (done->changes, done->before);
  if (done->before && culprit_study_set_triage (study, done->changes, error))
    return done;
  change_free (done);
  return NULL;
}

static void on_stored (GObject *owner, gpointer result, const GError *error);

/* The stack that what @to says comes from. */
static GPtrArray *
source_of (CulpritTriageLog *log, Before to)
{
  return to == TO_REDO ? log->undo : log->redo;
}

/* The next change, with what it shall be; NULL where there is none. */
static Change *
take_next (CulpritTriageLog *log)
{
  Change *change;

  while ((change = g_queue_pop_head (&log->waiting)))
    {
      GPtrArray *source = source_of (log, change->to);

      log->from_stack = change->changes == NULL;
      if (log->from_stack && source->len > 0)
        change->changes = g_ptr_array_steal_index (source, source->len - 1);
      if (change->changes)
        return change;
      change_free (change);
    }
  return NULL;
}

static void
store_next (CulpritTriageLog *log)
{
  Change *change = log->storing ? NULL : take_next (log);

  if (!change)
    return;
  log->storing = g_array_ref (change->changes);
  log->storing_to = change->to;
  /* What was noted is stored, even when its window is closed meanwhile. */
  g_object_ref (log->document);
  g_application_hold (g_application_get_default ());
  culprit_document_read (log->document, G_OBJECT (log->document), NULL, store, change, change_free, on_stored,
                         change_free);
}

/* Shows what @triage (of CulpritTriage) says. */
static void
show (CulpritDocument *document, const GArray *triage)
{
  for (guint i = 0; i < triage->len; i++)
    {
      const CulpritTriage *one = &g_array_index (triage, CulpritTriage, i);
      CulpritRow *row = culprit_rows_find (document->outliers, "capture", one->capture);

      if (row && one->state)
        culprit_row_set_text (row, "triage", one->state);
      if (row && one->note)
        culprit_row_set_text (row, "note", one->note);
    }
}

/* Shows what was stored, and what waits to be. */
static void
show_all (CulpritTriageLog *log, const GArray *stored)
{
  show (log->document, stored);
  for (const GList *at = log->waiting.head; at; at = at->next)
    if (((const Change *) at->data)->changes)
      show (log->document, ((const Change *) at->data)->changes);
}

/* Whether a capture counts now that did not, or the other way round. */
static gboolean
others_count (const Change *stored)
{
  for (guint i = 0; i < stored->changes->len; i++)
    if (culprit_triage_ignores (g_array_index (stored->changes, CulpritTriage, i).state) !=
        culprit_triage_ignores (g_array_index (stored->before, CulpritTriage, i).state))
      return TRUE;
  return FALSE;
}

/* Keeps what was before, to be taken back. */
static void
keep_before (CulpritTriageLog *log, Change *stored)
{
  if (stored->changes->len == 0)
    return;
  if (stored->to == TO_UNDO_AS_NEW)
    g_ptr_array_set_size (log->redo, 0);
  g_ptr_array_add (stored->to == TO_REDO ? log->redo : log->undo, g_steal_pointer (&stored->before));
}

/* Whether @stored changed any state. */
static gboolean
has_states (const Change *stored)
{
  for (guint i = 0; i < stored->changes->len; i++)
    if (g_strcmp0 (g_array_index (stored->changes, CulpritTriage, i).state,
                   g_array_index (stored->before, CulpritTriage, i).state) != 0)
      return TRUE;
  return FALSE;
}

/* Tells what was undone or redone: it may not be in sight. */
static void
tell (CulpritTriageLog *log, const Change *stored)
{
  const char *what = stored->to == TO_REDO ? "Undone" : "Redone";
  const CulpritTriage *first = &g_array_index (stored->changes, CulpritTriage, 0);
  guint n = stored->changes->len;
  g_autofree char *text = NULL;

  if (stored->to == TO_UNDO_AS_NEW || n == 0)
    return;
  if (!has_states (stored) && n == 1)
    text = g_strdup_printf ("%s: the note of capture %" G_GINT64_FORMAT, what, first->capture);
  else if (!has_states (stored))
    text = g_strdup_printf ("%s: the notes of %u captures", what, n);
  else if (n == 1)
    text = g_strdup_printf ("%s: capture %" G_GINT64_FORMAT " is %s", what, first->capture, first->state);
  else
    text = g_strdup_printf ("%s: the states of %u captures", what, n);
  document_tell (log->document, FALSE, text);
}

static void
on_stored (GObject *owner, gpointer result, const GError *error)
{
  CulpritDocument *document = CULPRIT_DOCUMENT (owner);
  CulpritTriageLog *log = document->triage;
  Change *change = result;
  g_autoptr (GArray) tried = g_steal_pointer (&log->storing);

  if (change)
    {
      show_all (log, change->changes);
      tell (log, change);
      if (others_count (change) || document_reads_outliers (document))
        culprit_document_reload (document);
      keep_before (log, change);
      change_free (change);
    }
  else
    {
      /* What is shown was not stored. */
      document_tell (document, TRUE, error->message);
      culprit_document_reload (document);
      if (log->from_stack)
        g_ptr_array_add (source_of (log, log->storing_to), g_steal_pointer (&tried));
    }
  store_next (log);
  g_application_release (g_application_get_default ());
  g_object_unref (document);
}

static void
push (CulpritTriageLog *log, GArray *changes, Before to)
{
  Change *change = g_new0 (Change, 1);

  change->changes = changes ? g_array_ref (changes) : NULL;
  change->to = to;
  g_queue_push_tail (&log->waiting, change);
  store_next (log);
}

/* What is still being written may be what is meant. */
static gboolean
take_back (CulpritTriageLog *log, Before to)
{
  gboolean something = source_of (log, to)->len > 0 || log->storing;

  if (something)
    push (log, NULL, to);
  return something;
}

/* To how many, where that is more than what was in view. */
static void
tell_many (CulpritDocument *document, guint n, const char *state)
{
  g_autofree char *text = state ? g_strdup_printf ("Marked %u late wake-ups as %s", n, state)
                                : g_strdup_printf ("Wrote the note to %u late wake-ups", n);

  if (n > 1)
    document_tell_done (document, text, "Undo", "win.undo");
}

void
culprit_document_triage (CulpritDocument *document, const GPtrArray *rows, const char *state, const char *note)
{
  g_autoptr (GArray) changes = triage_changes (rows, state, note);

  show (document, changes);
  push (document->triage, changes, TO_UNDO_AS_NEW);
  tell_many (document, rows->len, state);
}

gboolean
culprit_document_undo (CulpritDocument *document)
{
  return take_back (document->triage, TO_REDO);
}

gboolean
culprit_document_redo (CulpritDocument *document)
{
  return take_back (document->triage, TO_UNDO);
}

CulpritTriageLog *
triage_log_new (CulpritDocument *document)
{
  CulpritTriageLog *log = g_new0 (CulpritTriageLog, 1);

  log->document = document;
  log->undo = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  log->redo = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  return log;
}

void
triage_log_free (CulpritTriageLog *log)
{
  g_queue_clear_full (&log->waiting, change_free);
  g_clear_pointer (&log->storing, g_array_unref);
  g_ptr_array_unref (log->undo);
  g_ptr_array_unref (log->redo);
  g_free (log);
}
