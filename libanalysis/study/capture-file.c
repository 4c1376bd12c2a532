/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the file of a capture, even if it was moved: by size first, then by digest. */
#include "query.h"
#include "statement-private.h"

#include "capture/digest.h"
#include "capture/measured.h"

#include <string.h>
#include <sys/stat.h>

typedef struct
{
  char *file;
  char *digest;
  guint64 size;
} Wanted;

static void
wanted_clear (Wanted *wanted)
{
  g_free (wanted->file);
  g_free (wanted->digest);
}

static gboolean
is_wanted (const Wanted *wanted, const char *path)
{
  g_autofree char *digest = NULL;
  struct stat status;

  if (stat (path, &status) != 0 || !S_ISREG (status.st_mode) || (guint64) status.st_size != wanted->size)
    return FALSE;
  digest = culprit_digest_like (wanted->digest, path, NULL);
  return digest && g_str_equal (digest, wanted->digest);
}

static char *
search_folder (const Wanted *wanted, const char *folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  char *found = NULL;
  const char *name;

  while (dir && !found && (name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (is_wanted (wanted, path))
        found = g_steal_pointer (&path);
    }
  if (dir)
    g_dir_close (dir);
  return found;
}

static gboolean
read_wanted (CulpritStudy *study, gint64 capture, Wanted *wanted, GError **error)
{
  g_autoptr (Statement) statement =
      statement_new (study, "SELECT file, sha256, size_bytes FROM capture WHERE capture_id = ?", error);
  gboolean row;

  if (!statement)
    return FALSE;
  statement_bind (statement, "i", capture);
  if (!statement_step (study, statement, &row, error))
    return FALSE;
  if (!row)
    {
      g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND, "%s: no such capture: %" G_GINT64_FORMAT,
                   study->path, capture);
      return FALSE;
    }
  wanted->file = g_strdup (statement_text (statement, 0));
  wanted->digest = g_strdup (statement_text (statement, 1));
  wanted->size = sqlite3_column_int64 (statement, 2);
  return TRUE;
}

/* Captures of "study.culprit" are in "study.captures". */
static char *
captures_folder (const char *study_path)
{
  const char *end = g_str_has_suffix (study_path, ".culprit") ? study_path + strlen (study_path) - 8 : NULL;
  g_autofree char *stem = end ? g_strndup (study_path, end - study_path) : g_strdup (study_path);

  return g_strconcat (stem, ".captures", NULL);
}

static gboolean
is_below (const char *path, const char *folder)
{
  gsize length = strlen (folder);

  return g_str_has_prefix (path, folder) && (path[length] == '/' || path[length - 1] == '/');
}

/* @anywhere: also where the study says that it is, outside of its own folder. */
static char *
find_file (CulpritStudy *study, gint64 capture, gboolean anywhere, GError **error)
{
  g_autofree char *study_path = g_canonicalize_filename (study->path, NULL);
  g_autofree char *folder = g_path_get_dirname (study_path);
  g_autofree char *captures = captures_folder (study_path);
  g_autofree char *path = NULL;
  Wanted wanted = { 0 };
  char *found;

  if (!read_wanted (study, capture, &wanted, error))
    return NULL;
  path = g_canonicalize_filename (wanted.file, folder);
  found = (anywhere || is_below (path, folder)) && is_wanted (&wanted, path) ? g_steal_pointer (&path) : NULL;
  if (!found)
    found = search_folder (&wanted, captures);
  if (!found)
    found = search_folder (&wanted, folder);
  if (!found)
    g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND,
                 "%s: the capture file is missing or was changed; put it back, or next to the study", wanted.file);
  wanted_clear (&wanted);
  return found;
}

char *
culprit_query_capture_file (CulpritStudy *study, gint64 capture, GError **error)
{
  return find_file (study, capture, TRUE, error);
}

char *
culprit_query_capture_file_beside (CulpritStudy *study, gint64 capture)
{
  return find_file (study, capture, FALSE, NULL);
}

char *
culprit_query_capture_definition (CulpritStudy *study, gint64 capture, guint64 *threshold_ns, GError **error)
{
  g_autoptr (Statement) statement =
      statement_new (study,
                     "SELECT window_kind, trigger_ns FROM capture JOIN run USING (run_id) "
                     "JOIN series USING (series_id) WHERE capture_id = ?",
                     error);
  gboolean row;

  if (!statement)
    return NULL;
  statement_bind (statement, "i", capture);
  if (!statement_step (study, statement, &row, error))
    return NULL;
  *threshold_ns = row ? sqlite3_column_int64 (statement, 1) : 0;
  return g_strdup (row ? statement_text (statement, 0) : CULPRIT_WINDOWS_OF_CYCLES);
}
