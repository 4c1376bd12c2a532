/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the files of captures, even if they were moved: by size first, then by digest. Folders are listed, and files
 * read, once for however many captures. */
#include "study/query.h"
#include "study/statement-private.h"

#include "capture/capture.h"
#include "capture/windows/measured.h"
#include "seeded-hash.h"

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

/* Files beside the study that have the same size. */
typedef struct
{
  GPtrArray *paths;
  guint digested[2]; /* how many of them were, by either kind of digest */
} SameSize;

static void
same_size_free (SameSize *same)
{
  g_ptr_array_unref (same->paths);
  g_free (same);
}

struct _CulpritCaptureFiles
{
  CulpritStudy *study;
  CulpritCapturePlaces places;
  char *folder;           /* of the study */
  GHashTable *beside;     /* size: SameSize; NULL: not listed yet */
  GHashTable *digests[2]; /* path: its digest of either kind; NULL: it cannot be read */
  GHashTable *paths;      /* digest: a path with it */
};

static guint
kind_of (const char *digest)
{
  return g_str_has_suffix (digest, CULPRIT_DIGEST_KIND);
}

/* The digest of the file at @path, of the kind of @like; NULL if it cannot be read. */
static const char *
digest_at (CulpritCaptureFiles *files, const char *path, const char *like)
{
  GHashTable *digests = files->digests[kind_of (like)];
  gpointer digest;

  if (g_hash_table_lookup_extended (digests, path, NULL, &digest))
    return digest;
  digest = culprit_digest_like (like, path, NULL);
  g_hash_table_insert (digests, g_strdup (path), digest);
  if (digest)
    g_hash_table_insert (files->paths, g_strdup (digest), g_strdup (path));
  return digest;
}

static gboolean
is_wanted (CulpritCaptureFiles *files, const Wanted *wanted, const char *path)
{
  struct stat status;

  return stat (path, &status) == 0 && S_ISREG (status.st_mode) && (guint64) status.st_size == wanted->size &&
         g_strcmp0 (digest_at (files, path, wanted->digest), wanted->digest) == 0;
}

/* Links are not followed: they may lead out of the folder. */
static void
list_folder (CulpritCaptureFiles *files, const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir && (name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      struct stat status;
      SameSize *same;

      if (lstat (path, &status) != 0 || !S_ISREG (status.st_mode))
        continue;
      same = g_hash_table_lookup (files->beside, &(gint64) { status.st_size });
      if (!same)
        {
          same = g_new0 (SameSize, 1);
          same->paths = g_ptr_array_new_with_free_func (g_free);
          g_hash_table_insert (files->beside, g_memdup2 (&(gint64) { status.st_size }, sizeof (gint64)), same);
        }
      g_ptr_array_add (same->paths, g_steal_pointer (&path));
    }
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

static void
list_beside (CulpritCaptureFiles *files)
{
  g_autofree char *study_path = g_canonicalize_filename (files->study->path, NULL);
  g_autofree char *captures = captures_folder (study_path);

  files->beside = g_hash_table_new_full (culprit_hash_number, g_int64_equal, g_free, (GDestroyNotify) same_size_free);
  if (!g_file_test (captures, G_FILE_TEST_IS_SYMLINK))
    list_folder (files, captures);
  list_folder (files, files->folder);
}

/* The path of the file beside the study that is @wanted; NULL if there is none. */
static const char *
search_beside (CulpritCaptureFiles *files, const Wanted *wanted)
{
  guint kind = kind_of (wanted->digest);
  const char *found = g_hash_table_lookup (files->paths, wanted->digest);
  SameSize *same;

  if (!files->beside)
    list_beside (files);
  same = g_hash_table_lookup (files->beside, &(gint64) { wanted->size });
  while (!found && same && same->digested[kind] < same->paths->len)
    {
      digest_at (files, g_ptr_array_index (same->paths, same->digested[kind]++), wanted->digest);
      found = g_hash_table_lookup (files->paths, wanted->digest);
    }
  return found;
}

static gboolean
is_below (const char *path, const char *folder)
{
  gsize length = strlen (folder);

  return g_str_has_prefix (path, folder) && (path[length] == '/' || path[length - 1] == '/');
}

CulpritCaptureFiles *
culprit_capture_files_new (CulpritStudy *study, CulpritCapturePlaces places)
{
  CulpritCaptureFiles *files = g_new0 (CulpritCaptureFiles, 1);
  g_autofree char *study_path = g_canonicalize_filename (study->path, NULL);

  files->study = study;
  files->places = places;
  files->folder = g_path_get_dirname (study_path);
  for (guint kind = 0; kind < G_N_ELEMENTS (files->digests); kind++)
    files->digests[kind] = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, g_free);
  files->paths = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, g_free);
  return files;
}

void
culprit_capture_files_free (CulpritCaptureFiles *files)
{
  for (guint kind = 0; kind < G_N_ELEMENTS (files->digests); kind++)
    g_hash_table_unref (files->digests[kind]);
  g_hash_table_unref (files->paths);
  g_clear_pointer (&files->beside, g_hash_table_unref);
  g_free (files->folder);
  g_free (files);
}

char *
culprit_capture_files_find (CulpritCaptureFiles *files, gint64 capture, GError **error)
{
  g_autofree char *path = NULL;
  Wanted wanted = { 0 };
  char *found;

  if (!read_wanted (files->study, capture, &wanted, error))
    return NULL;
  path = g_canonicalize_filename (wanted.file, files->folder);
  if ((files->places == CULPRIT_CAPTURES_ANYWHERE || is_below (path, files->folder)) &&
      is_wanted (files, &wanted, path))
    found = g_steal_pointer (&path);
  else
    found = g_strdup (search_beside (files, &wanted));
  if (!found)
    g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND,
                 "%s: the capture file is missing or was changed; put it back, or next to the study", wanted.file);
  wanted_clear (&wanted);
  return found;
}

char *
culprit_query_capture_file (CulpritStudy *study, gint64 capture, GError **error)
{
  g_autoptr (CulpritCaptureFiles) files = culprit_capture_files_new (study, CULPRIT_CAPTURES_ANYWHERE);

  return culprit_capture_files_find (files, capture, error);
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
