/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Imports files in a thread and reports progress to the main thread. */
#include "import.h"

#include "background.h"
#include "clean.h"

#define UNIT_NS 1000 /* of latencies whose file does not tell */

typedef struct
{
  char *study;
  char **paths;
  GWeakRef owner;
  ImportProgress progress;
  ImportDone done;
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
  g_weak_ref_clear (&import->owner);
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
tell (gpointer data)
{
  Step *step = data;
  Import *import = g_task_get_task_data (step->task);
  g_autoptr (GObject) owner = g_weak_ref_get (&import->owner);

  if (owner && !g_task_get_completed (step->task))
    import->progress (step->text, owner);
  return G_SOURCE_REMOVE;
}

static void
on_file (guint number, guint all, const char *path, gpointer data)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *clean = culprit_clean_line (name);
  Step *step = g_new (Step, 1);

  *step = (Step) { g_object_ref (data), g_strdup_printf ("Importing %s, %u of %u", clean, number, all) };
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, tell, step, step_free);
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
    culprit_import_files (import->study, files, &options, UNIT_NS, cancellable, on_file, task, tally, &error);
  if (error && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_ptr_array_add (tally->problems, g_strdup (error->message));
  g_task_return_pointer (task, tally, tally_free);
}

static void
on_done (GObject *source, GAsyncResult *result, gpointer data)
{
  Import *import = g_task_get_task_data (G_TASK (result));
  CulpritImportTally *tally = g_task_propagate_pointer (G_TASK (result), NULL);
  g_autoptr (GObject) owner = g_weak_ref_get (&import->owner);

  if (owner)
    import->done (tally, owner);
  tally_free (tally);
}

void
import_files (const char *study,
              const GPtrArray *paths,
              GCancellable *cancellable,
              GObject *owner,
              ImportProgress progress,
              ImportDone done)
{
  Import *import = g_new0 (Import, 1);
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, on_done, NULL);

  import->study = g_strdup (study);
  import->paths = g_new0 (char *, paths->len + 1);
  for (guint i = 0; i < paths->len; i++)
    import->paths[i] = g_strdup (g_ptr_array_index (paths, i));
  g_weak_ref_init (&import->owner, owner);
  import->progress = progress;
  import->done = done;
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, import, import_free);
  background_run (task, run);
}
