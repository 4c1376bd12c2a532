/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs queries on the study in threads. */
#include "background.h"
#include "document.h"

typedef struct
{
  char *path;
  DocumentRead read;
  gpointer data;
  GDestroyNotify data_destroy;
  DocumentReady ready;
  GDestroyNotify destroy;
} Question;

static void
question_free (gpointer data)
{
  Question *question = data;

  if (question->data_destroy)
    question->data_destroy (question->data);
  g_free (question->path);
  g_free (question);
}

static void
on_cancelled (GCancellable *cancellable, CulpritStudy *study)
{
  culprit_study_interrupt (study);
}

static void
answer (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Question *question = data;
  GError *error = NULL;
  g_autoptr (CulpritStudy) study = culprit_study_open (question->path, CULPRIT_STUDY_READ, &error);
  gulong cancelled =
      study && cancellable ? g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), study, NULL) : 0;
  gpointer result = study ? question->read (study, question->data, cancellable, &error) : NULL;

  g_cancellable_disconnect (cancellable, cancelled);

  if (result)
    g_task_return_pointer (task, result, question->destroy);
  else
    g_task_return_error (task, error ? error : g_error_new (G_IO_ERROR, G_IO_ERROR_FAILED, "no result"));
}

/* @data: a GWeakRef of who asked. */
static void
on_answer (GObject *source, GAsyncResult *result, gpointer data)
{
  GWeakRef *reference = data;
  g_autoptr (GObject) owner = g_weak_ref_get (reference);
  GTask *task = G_TASK (result);
  Question *question = g_task_get_task_data (task);
  GError *error = NULL;
  gpointer value = g_task_propagate_pointer (task, &error);

  if (owner && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    question->ready (owner, value, error);
  else if (value && question->destroy)
    question->destroy (value);
  g_clear_error (&error);
  g_weak_ref_clear (reference);
  g_free (reference);
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
  Question *question = g_new (Question, 1);
  GWeakRef *reference = g_new (GWeakRef, 1);
  g_autoptr (GTask) task = NULL;

  *question = (Question) { g_strdup (culprit_document_path (document)), read, data, data_destroy, ready, destroy };
  g_weak_ref_init (reference, owner);
  task = g_task_new (NULL, cancellable, on_answer, reference);
  g_task_set_task_data (task, question, question_free);
  background_run (task, answer);
}
