/* SPDX-License-Identifier: GPL-3.0-or-later */
/* States and notes, with undo and redo stacks. Changes are written one after the other, so that a quick undo never
 * overtakes what it undoes. A change is shown at once; the study decides what really changed. */
#include "triage.h"

#include "application.h"
#include "clean.h"
#include "seeded-hash.h"
#include "study/triage.h"

#define LOG "triage-log" /* as data of the document */
#define READ "triage"    /* as data of the rows */

/* The stack that the previous values go to once a change is stored. */
typedef enum
{
  TO_UNDO_AS_NEW,
  TO_UNDO,
  TO_REDO,
} Before;

/* What to set, and what has to be there for that: undo must not take back what somebody else wrote since. */
typedef struct
{
  GArray *changes;  /* of CulpritTriage */
  GArray *expected; /* likewise, of the same captures; NULL: anything */
} Step;

typedef struct
{
  CulpritDocument *document; /* owns the log */
  GPtrArray *undo;           /* of Step */
  GPtrArray *redo;           /* likewise */
  GQueue waiting;            /* of Change */
  Step *storing;             /* being written; NULL: nothing is */
  Before storing_to;
  gboolean from_stack;  /* What is being written was taken from a stack. */
  GHashTable *unstored; /* of char *: what failed and was not stored since; see remember() */
} TriageLog;

typedef struct
{
  Step *step; /* NULL: the top of a stack, once it is its turn */
  CulpritTriageChanged changed;
  Before to;
  char *unsettled; /* why what was stored is not in the study's file; NULL: it is */
} Change;

static Step *
step_new (GArray *changes, GArray *expected)
{
  Step *step = g_new (Step, 1);

  *step = (Step) { g_array_ref (changes), expected ? g_array_ref (expected) : NULL };
  return step;
}

static void
step_free (gpointer data)
{
  Step *step = data;

  g_array_unref (step->changes);
  g_clear_pointer (&step->expected, g_array_unref);
  g_free (step);
}

static void
change_free (gpointer data)
{
  Change *change = data;

  g_clear_pointer (&change->step, step_free);
  culprit_triage_changed_clear (&change->changed);
  g_free (change->unsettled);
  g_free (change);
}

void
triage_attach (CulpritRows *rows, GArray *triage)
{
  culprit_rows_attach (rows, READ, triage, (GDestroyNotify) g_array_unref);
}

const char *
triage_identity (CulpritRow *row)
{
  const GArray *triage = culprit_row_attached (row, READ);

  return triage ? g_array_index (triage, CulpritTriage, culprit_row_place (row)).identity : NULL;
}

gboolean
triage_ignores (CulpritRow *row)
{
  return culprit_triage_ignores (culprit_row_text (row, "triage"));
}

static void
log_free (gpointer data)
{
  TriageLog *log = data;

  g_queue_clear_full (&log->waiting, change_free);
  g_clear_pointer (&log->storing, step_free);
  g_ptr_array_unref (log->undo);
  g_ptr_array_unref (log->redo);
  g_hash_table_unref (log->unstored);
  g_free (log);
}

/* The log of @document, which owns it. */
static TriageLog *
log_of (CulpritDocument *document)
{
  TriageLog *log = g_object_get_data (G_OBJECT (document), LOG);

  if (log)
    return log;
  log = g_new0 (TriageLog, 1);
  log->document = document;
  log->undo = g_ptr_array_new_with_free_func (step_free);
  log->redo = g_ptr_array_new_with_free_func (step_free);
  log->unstored = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, NULL);
  g_object_set_data_full (G_OBJECT (document), LOG, log, log_free);
  return log;
}

GArray *
triage_captures (const GPtrArray *rows)
{
  GArray *captures = g_array_new (FALSE, FALSE, sizeof (CulpritTriage));

  g_array_set_clear_func (captures, culprit_triage_clear);
  for (guint i = 0; i < rows->len; i++)
    {
      CulpritRow *row = g_ptr_array_index (rows, i);
      CulpritTriage capture = { culprit_row_integer (row, "capture"), g_strdup (triage_identity (row)) };

      g_array_append_val (captures, capture);
    }
  return captures;
}

/* Stores a change and returns it with the previous values. */
static gpointer
store (CulpritStudy *unused, gpointer data, GCancellable *cancellable, GError **error)
{
  const Change *change = data;
  CulpritStudy *study = culprit_study_open (culprit_study_path (unused), CULPRIT_STUDY_CREATE, error);
  Change *done = g_new0 (Change, 1);
  gboolean stored = study && culprit_study_change_triage (study, change->step->changes, change->step->expected,
                                                          &done->changed, error);

  done->to = change->to;
  done->unsettled = study ? culprit_study_end (study) : NULL;
  if (stored)
    return done;
  change_free (done);
  return NULL;
}

static void on_stored (GObject *owner, gpointer result, const GError *error);

/* The stack that changes come from whose previous values go @to. */
static GPtrArray *
source_of (TriageLog *log, Before to)
{
  return to == TO_REDO ? log->undo : log->redo;
}

/* The next change to write, or NULL. */
static Change *
take_next (TriageLog *log)
{
  Change *change;

  while ((change = g_queue_pop_head (&log->waiting)))
    {
      GPtrArray *source = source_of (log, change->to);

      log->from_stack = change->step == NULL;
      if (log->from_stack && source->len > 0)
        change->step = g_ptr_array_steal_index (source, source->len - 1);
      if (change->step)
        return change;
      change_free (change);
    }
  return NULL;
}

static void
store_next (TriageLog *log)
{
  Change *change = log->storing ? NULL : take_next (log);

  if (!change)
    return;
  log->storing = step_new (change->step->changes, change->step->expected);
  log->storing_to = change->to;
  /* Changes are stored even if the window is closed meanwhile. */
  g_object_ref (log->document);
  g_application_hold (g_application_get_default ());
  culprit_document_read_any (log->document, store, change, change_free, on_stored, change_free);
}

/* Shows @triage (of CulpritTriage) in the table, unless others have their numbers there. */
static void
show (CulpritDocument *document, const GArray *triage)
{
  for (guint i = 0; i < triage->len; i++)
    {
      const CulpritTriage *one = &g_array_index (triage, CulpritTriage, i);
      CulpritRow *row = culprit_document_row (document, one->capture);

      if (!row || !culprit_triage_is_same (triage_identity (row), one->identity))
        continue;
      if (one->state)
        culprit_row_set_text (row, "triage", one->state);
      if (one->note)
        culprit_row_set_text (row, "note", one->note);
    }
}

/* Shows what was stored, and over it what is still waiting. */
static void
show_all (TriageLog *log, const GArray *stored)
{
  show (log->document, stored);
  for (const GList *at = log->waiting.head; at; at = at->next)
    if (((const Change *) at->data)->step)
      show (log->document, ((const Change *) at->data)->step->changes);
}

/* Whether other captures count than before: some are, or were, ignored. */
static gboolean
counts_others (const Change *stored)
{
  for (guint i = 0; i < stored->changed.after->len; i++)
    if (culprit_triage_ignores (g_array_index (stored->changed.after, CulpritTriage, i).state) !=
        culprit_triage_ignores (g_array_index (stored->changed.before, CulpritTriage, i).state))
      return TRUE;
  return FALSE;
}

/* Keeps the previous values of what changed for undo or redo. */
static void
keep_before (TriageLog *log, Change *stored)
{
  GArray *changes = stored->changed.after;

  if (stored->changed.after->len == 0)
    return;
  if (stored->to == TO_UNDO_AS_NEW)
    g_ptr_array_set_size (log->redo, 0);
  for (guint i = 0; i < changes->len; i++)
    {
      const CulpritTriage *now = &g_array_index (changes, CulpritTriage, i);
      CulpritTriage *before = &g_array_index (stored->changed.before, CulpritTriage, i);

      if (g_str_equal (now->state, before->state))
        g_clear_pointer (&before->state, g_free);
      if (g_str_equal (now->note, before->note))
        g_clear_pointer (&before->note, g_free);
    }
  g_ptr_array_add (stored->to == TO_REDO ? log->redo : log->undo, step_new (stored->changed.before, changes));
}

static gboolean
has_states (const Change *stored)
{
  for (guint i = 0; i < stored->changed.after->len; i++)
    if (g_strcmp0 (g_array_index (stored->changed.after, CulpritTriage, i).state,
                   g_array_index (stored->changed.before, CulpritTriage, i).state) != 0)
      return TRUE;
  return FALSE;
}

/* Offers to undo a change of several captures, which may be more than what is in view. Behind further changes that
 * wait, it would not be the last one. */
static void
announce (TriageLog *log, const Change *stored)
{
  const char *state = g_array_index (stored->changed.after, CulpritTriage, 0).state;
  guint n = stored->changed.after->len;
  g_autofree char *text = has_states (stored) ? g_strdup_printf ("Marked %u late wake-ups as %s", n, state)
                                              : g_strdup_printf ("Wrote the note to %u late wake-ups", n);

  if (n > 1 && g_queue_is_empty (&log->waiting))
    culprit_document_announce (log->document, text, "Undo", "win.undo");
}

/* Says what was changed, undone or redone. */
static void
report (TriageLog *log, const Change *stored)
{
  const char *what = stored->to == TO_REDO ? "Undone" : "Redone";
  const CulpritTriage *first = &g_array_index (stored->changed.after, CulpritTriage, 0);
  guint n = stored->changed.after->len;
  g_autofree char *text = NULL;

  if (stored->changed.others > 0)
    {
      text = g_strdup_printf ("%s %s: another window or program has changed %s since", n > 0 ? "Only in part" : "Not",
                              stored->to == TO_REDO ? "undone" : "redone",
                              stored->changed.others == 1 ? "a capture" : "captures");
      culprit_document_announce (log->document, text, NULL, NULL);
      return;
    }
  if (n == 0)
    return;
  if (stored->to == TO_UNDO_AS_NEW)
    {
      announce (log, stored);
      return;
    }
  if (!has_states (stored) && n == 1)
    text = g_strdup_printf ("%s: the note of capture %" G_GINT64_FORMAT, what, first->capture);
  else if (!has_states (stored))
    text = g_strdup_printf ("%s: the notes of %u captures", what, n);
  else if (n == 1)
    text = g_strdup_printf ("%s: capture %" G_GINT64_FORMAT " is marked as %s%s", what, first->capture, first->state,
                            stored->to == TO_REDO ? " again" : "");
  else
    text = g_strdup_printf ("%s: the states of %u captures", what, n);
  culprit_document_announce (log->document, text, NULL, NULL);
}

static void
remember_field (TriageLog *log, const char *field, const char *value, const char *identity, gboolean stored)
{
  g_autofree char *key = g_strdup_printf ("%s of %s", field, identity);

  if (!value)
    return;
  if (stored)
    g_hash_table_remove (log->unstored, key);
  else
    g_hash_table_add (log->unstored, g_steal_pointer (&key));
}

/* Remembers the states and notes of @step if they were not @stored; else forgets them, and if that was the last of
 * those, their message is over. */
static void
remember (TriageLog *log, const Step *step, gboolean stored)
{
  guint n = g_hash_table_size (log->unstored);

  for (guint i = 0; i < step->changes->len; i++)
    {
      const CulpritTriage *one = &g_array_index (step->changes, CulpritTriage, i);

      remember_field (log, "state", one->state, one->identity, stored);
      remember_field (log, "note", one->note, one->identity, stored);
    }
  if (n > 0 && g_hash_table_size (log->unstored) == 0)
    culprit_document_fail (log->document, CULPRIT_ABOUT_TRIAGE, "");
}

#define MOST_OF_NOTE 500 /* characters in a message: a label takes seconds for ten thousand without a blank */

/* Why @step was not stored, with the note, as its field will show another. The caller owns it. */
static char *
failure_in_words (const Step *step, const GError *error)
{
  const char *note = g_array_index (step->changes, CulpritTriage, 0).note;
  g_autofree char *told = note && *note ? culprit_clean_start (note, MOST_OF_NOTE, ' ') : NULL;

  return told ? g_strdup_printf ("A note was not stored: %s; it was “%s”", error->message, told)
              : g_strdup_printf ("A state or note was not stored: %s", error->message);
}

static void
on_stored (GObject *owner, gpointer result, const GError *error)
{
  CulpritDocument *document = CULPRIT_DOCUMENT (owner);
  TriageLog *log = log_of (document);
  Change *change = result;
  Step *tried = g_steal_pointer (&log->storing);

  remember (log, tried, change != NULL);
  if (change)
    {
      show_all (log, change->changed.after);
      report (log, change);
      /* What the window itself is reading now is over before it is closed. */
      if (change->unsettled && !culprit_document_is_reading (document))
        culprit_application_fail (GTK_APPLICATION (g_application_get_default ()), document, CULPRIT_ABOUT_TRIAGE,
                                  change->unsettled);
      if (counts_others (change) || change->changed.others > 0 || culprit_document_is_reading (document))
        culprit_document_reload (document);
      keep_before (log, change);
      change_free (change);
    }
  else
    {
      g_autofree char *message = failure_in_words (tried, error);

      /* What is shown has not been stored. */
      culprit_application_fail (GTK_APPLICATION (g_application_get_default ()), document, CULPRIT_ABOUT_TRIAGE,
                                message);
      culprit_document_reload (document);
      if (log->from_stack && !g_error_matches (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND))
        g_ptr_array_add (source_of (log, log->storing_to), g_steal_pointer (&tried));
    }
  g_clear_pointer (&tried, step_free);
  store_next (log);
  g_application_release (g_application_get_default ());
  g_object_unref (document);
}

/* Whatever a notice offers to undo is not the last change any more. */
static void
push (TriageLog *log, GArray *changes, Before to)
{
  Change *change = g_new0 (Change, 1);

  change->step = changes ? step_new (changes, NULL) : NULL;
  change->to = to;
  g_queue_push_tail (&log->waiting, change);
  culprit_document_announce (log->document, "", NULL, NULL);
  store_next (log);
}

void
triage_set_captures (CulpritDocument *document, const GArray *captures, const char *state, const char *note)
{
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (CulpritTriage));

  if (captures->len == 0)
    return;
  g_array_set_clear_func (changes, culprit_triage_clear);
  for (guint i = 0; i < captures->len; i++)
    {
      const CulpritTriage *one = &g_array_index (captures, CulpritTriage, i);
      CulpritTriage change = { one->capture, g_strdup (one->identity), g_strdup (state), g_strdup (note) };

      g_array_append_val (changes, change);
    }
  show (document, changes);
  push (log_of (document), changes, TO_UNDO_AS_NEW);
}

void
triage_set (CulpritDocument *document, const GPtrArray *rows, const char *state, const char *note)
{
  g_autoptr (GArray) captures = triage_captures (rows);

  triage_set_captures (document, captures, state, note);
}

/* Changes that are still being written can be undone as well. */
static void
take_back (CulpritDocument *document, Before to)
{
  TriageLog *log = log_of (document);

  if (source_of (log, to)->len > 0 || log->storing)
    push (log, NULL, to);
}

void
triage_undo (CulpritDocument *document)
{
  take_back (document, TO_REDO);
}

void
triage_redo (CulpritDocument *document)
{
  take_back (document, TO_UNDO);
}
