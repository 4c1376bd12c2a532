/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where there is no study yet, its name is asked for, and one beside the files suggested. */
#include "window-import.h"

#include "compat.h"
#include "opening.h"
#include "window-actions.h"

#include <string.h>

#define WAITING "import-waiting" /* the files, as data of the window */
#define MOST_TRIED 1000

/* A study beside the first of @paths, called like their folder, that is not there yet. The caller owns it. */
static char *
suggest (const GPtrArray *paths)
{
  const char *first = g_ptr_array_index (paths, 0);
  g_autofree char *folder = g_path_get_dirname (first);
  g_autofree char *called =
      g_file_test (first, G_FILE_TEST_IS_DIR) ? g_path_get_basename (first) : g_path_get_basename (folder);
  const char *name = strpbrk (called, "/.") == called ? "study" : called;

  for (guint i = 1; i < MOST_TRIED; i++)
    {
      g_autofree char *file = i > 1 ? g_strdup_printf ("%s-%u.culprit", name, i) : g_strconcat (name, ".culprit", NULL);
      g_autofree char *path = g_build_filename (folder, file, NULL);

      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&path);
    }
  return g_build_filename (folder, "study.culprit", NULL);
}

/* Imports into the study of @window, which there is. */
static void
import (CulpritStudyWindow *window, const GPtrArray *paths)
{
  culprit_document_import (culprit_study_window_document (window), paths);
}

static void
import_into_new (CulpritStudyWindow *window, const char *path, const GPtrArray *paths)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (window));

  import (opening_begin (CULPRIT_APPLICATION (application), path, NULL), paths);
}

static void
on_named (GPtrArray *files, gpointer window)
{
  const char *path = g_file_peek_path (g_ptr_array_index (files, 0));
  g_autoptr (GPtrArray) paths = g_object_steal_data (window, WAITING);

  if (path && paths)
    import_into_new (window, path, paths);
}

static void
ask (CulpritStudyWindow *window, const GPtrArray *paths)
{
  GPtrArray *waiting = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *suggested = suggest (paths);
  g_autofree char *folder = g_path_get_dirname (suggested);
  g_autofree char *name = g_path_get_basename (suggested);

  for (guint i = 0; i < paths->len; i++)
    g_ptr_array_add (waiting, g_strdup (g_ptr_array_index (paths, i)));
  g_object_set_data_full (G_OBJECT (window), WAITING, waiting, (GDestroyNotify) g_ptr_array_unref);
  compat_save (GTK_WINDOW (window), "New Study for the Imported Files", folder, name, on_named, window);
}

void
window_import (CulpritStudyWindow *window, const GPtrArray *paths)
{
  if (culprit_study_window_document (window))
    import (window, paths);
  else
    ask (window, paths);
}

void
window_import_beside (CulpritStudyWindow *window, const GPtrArray *paths)
{
  g_autofree char *suggested = suggest (paths);

  if (culprit_study_window_document (window))
    import (window, paths);
  else
    import_into_new (window, suggested, paths);
}
