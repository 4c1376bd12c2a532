/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Follows a recorder and stores what it sends in the study. */
#include "recording.h"

#include "capture/windows/measured.h"
#include "json.h"
#include "session.h"
#include "study/import/import-files.h"
#include "study/import/import.h"
#include "study/series.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct _CaptureFile CaptureFile;

static void capture_file_free (CaptureFile *file);

/* Works in an open folder, with new names only: a study, and the folder beside it, may come from a stranger. */

#define MOST_NAMES 100000

struct _CaptureFile
{
  char *folder;
  int dir;
  int file;   /* -1: none is open */
  char *part; /* in the folder, as are the next two; NULL: not created, or finished */
  char *log;
  char *data;
  gint64 written;
};

static gboolean
fail (const CaptureFile *file, const char *name, GError **error)
{
  int problem = errno;
  g_autofree char *path = g_build_filename (file->folder, name, NULL);

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (problem), "%s: cannot be written: %s", path,
               g_strerror (problem));
  return FALSE;
}

static gboolean
open_folder (CaptureFile *file, GError **error)
{
  gboolean there = g_file_test (file->folder, G_FILE_TEST_IS_DIR);
  g_autofree char *above = g_path_get_dirname (file->folder);
  int dir;

  if (g_file_test (file->folder, G_FILE_TEST_IS_SYMLINK)) /* A stranger may have made it. */
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY,
                   "%s: is a link; put a folder in its place, or record into another study", file->folder);
      return FALSE;
    }
  if (g_mkdir_with_parents (file->folder, 0777) != 0)
    return fail (file, NULL, error);
  file->dir = open (file->folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (file->dir < 0)
    return fail (file, NULL, error);
  dir = there ? -1 : open (above, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (dir >= 0)
    {
      fsync (dir);
      close (dir);
    }
  return TRUE;
}

/* A new file; -1 if anything of that name exists. Only its owner may read it: it was recorded by root and has addresses
 * of the kernel that only root may see. */
static int
open_new (const CaptureFile *file, const char *name)
{
  return openat (file->dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

static gboolean
write_all (const CaptureFile *file, int fd, const char *name, const void *bytes, gsize size, GError **error)
{
  const guint8 *at = bytes;

  while (size > 0)
    {
      gssize written = write (fd, at, size);

      if (written < 0 && errno == EINTR)
        continue;
      if (written < 0)
        return fail (file, name, error);
      at += written;
      size -= written;
    }
  return TRUE;
}

/* The cycle log is complete before the capture is, so that nobody finds a capture without it. */
static gboolean
write_log (const CaptureFile *file, int fd, const char *log, GError **error)
{
  gboolean good = write_all (file, fd, file->log, log, strlen (log), error);

  if (good && fsync (fd) != 0)
    good = fail (file, file->log, error);
  close (fd);
  return good;
}

static gboolean
is_there (const CaptureFile *file, const char *name)
{
  struct stat status;

  return fstatat (file->dir, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Creates the log and the part of a capture, with the first stem that is not taken. */
static gboolean
make_files (CaptureFile *file, const char *stem, const char *log, GError **error)
{
  for (guint number = 1; number < MOST_NAMES; number++)
    {
      g_autofree char *again = number > 1 ? g_strdup_printf ("-%u", number) : g_strdup ("");
      g_autofree char *log_name = g_strconcat (stem, again, ".json", NULL);
      g_autofree char *data_name = g_strconcat (stem, again, ".dat", NULL);
      g_autofree char *part_name = g_strconcat (data_name, CULPRIT_PART_SUFFIX, NULL);
      int fd;

      if (is_there (file, data_name) || is_there (file, part_name))
        continue;
      fd = open_new (file, log_name);
      if (fd < 0 && errno == EEXIST)
        continue;
      if (fd < 0)
        return fail (file, log_name, error);
      file->log = g_steal_pointer (&log_name);
      if (!write_log (file, fd, log, error))
        return FALSE;
      file->file = open_new (file, part_name);
      if (file->file < 0)
        return fail (file, part_name, error);
      file->part = g_steal_pointer (&part_name);
      file->data = g_steal_pointer (&data_name);
      return TRUE;
    }
  errno = EEXIST;
  return fail (file, stem, error);
}

/* Begins the capture @number of the recording @name in @folder, which is created if needed; @log is its cycle log. NULL
 * with an error. */
static CaptureFile *
capture_file_new (const char *folder, const char *name, gint64 number, const char *log, GError **error)
{
  CaptureFile *file = g_new0 (CaptureFile, 1);
  g_autofree char *plain = g_strdelimit (g_strdup (name), "/", '-');
  g_autofree char *stem = g_strdup_printf ("%s-%03" G_GINT64_FORMAT, plain, number);

  file->folder = g_strdup (folder);
  file->dir = file->file = -1;
  if (open_folder (file, error) && make_files (file, stem, log, error))
    return file;
  capture_file_free (file);
  return NULL;
}

static gboolean
capture_file_write (CaptureFile *file, const guint8 *bytes, gsize size, GError **error)
{
  file->written += size;
  return write_all (file, file->file, file->part, bytes, size, error);
}

/* Some file systems cannot rename without replacing; a moment ago the name was not taken. */
static gboolean
rename_part (const CaptureFile *file)
{
  if (renameat2 (file->dir, file->part, file->dir, file->data, RENAME_NOREPLACE) == 0)
    return TRUE;
  return errno == EINVAL && renameat (file->dir, file->part, file->dir, file->data) == 0;
}

/* Finishes a capture of @size_bytes. Returns its path, which the caller owns; NULL with an error if it cannot be
 * written or is not complete. */
static char *
capture_file_finish (CaptureFile *file, gint64 size_bytes, GError **error)
{
  if (file->written != size_bytes)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s/%s: the capture was truncated in transfer",
                   file->folder, file->part);
      return NULL;
    }
  if (fsync (file->file) != 0 || !rename_part (file) || fsync (file->dir) != 0)
    {
      fail (file, file->data, error);
      return NULL;
    }
  g_clear_pointer (&file->part, g_free);
  g_clear_pointer (&file->log, g_free);
  return g_build_filename (file->folder, file->data, NULL);
}

/* Removes what was written of an unfinished capture. */
static void
capture_file_free (CaptureFile *file)
{
  if (file->file >= 0)
    close (file->file);
  if (file->part)
    unlinkat (file->dir, file->part, 0);
  if (file->log)
    unlinkat (file->dir, file->log, 0);
  if (file->dir >= 0)
    close (file->dir);
  g_free (file->part);
  g_free (file->log);
  g_free (file->data);
  g_free (file->folder);
  g_free (file);
}

typedef struct
{
  CulpritSession *session;
  CulpritStudy *study;
  const CulpritRecordingOptions *options;
  CulpritRecordingEvent event;
  gpointer data;
  CulpritRecordingResult *result;
  CulpritMessage *facts; /* NULL: none came */
  CulpritMessage *bins;  /* the latest of the run; NULL: none came */
  char *window;          /* what its windows are */
  char *folder;          /* for captures */
  char *run_name;        /* of the current run */
  gint64 run;            /* its number in the study; 0: no run so far */
  CaptureFile *file;     /* being received; NULL: none */
} Recording;

void
culprit_recording_result_clear (CulpritRecordingResult *result)
{
  g_clear_pointer (&result->name, g_free);
  g_clear_pointer (&result->reason, g_free);
}

/* Captures of "study.culprit" are in "study.captures" beside it. */
static char *
captures_folder (const char *study)
{
  g_autofree char *stem =
      g_str_has_suffix (study, ".culprit") ? g_strndup (study, strlen (study) - strlen (".culprit")) : g_strdup (study);

  return g_strconcat (stem, ".captures", NULL);
}

/* A new study is not created before there is a run to store. */
static gboolean
open_study (Recording *recording, GError **error)
{
  if (!recording->study)
    recording->study = culprit_study_open (recording->options->study, CULPRIT_STUDY_CREATE, error);
  return recording->study != NULL;
}

/* The definition of the windows of @request. NULL with an error, which the recorder would refuse them with, or import
 * their captures. The caller owns it. */
static char *
window_of (JsonObject *request, GError **error)
{
  GError *problem = NULL;
  char *window;
  const CulpritMeasuredOptions options = {
    .wakeup_of = (char *) json_member_text (request, "wakeup_of"),
    .response_of = (char *) json_member_text (request, "response_of"),
    .from_timer = json_object_get_boolean_member_with_default (request, "from_timer", FALSE),
    .from_waking = json_object_get_boolean_member_with_default (request, "from_waking", FALSE),
    .between = (char *) json_member_text (request, "between"),
    .key = (char *) json_member_text (request, "key"),
    .marks = (char *) json_member_text (request, "marks"),
  };

  window = culprit_measured_from_options (&options, &problem);
  if (problem)
    g_propagate_error (error, problem);
  if (!window && !problem)
    return g_strdup (CULPRIT_WINDOWS_OF_CYCLES);
  for (const Setting *setting = recording_settings; window && setting->key; setting++)
    if (setting->cyclic && json_object_has_member (request, setting->key))
      {
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                     "--%s is for the test loop, which does not run where another program is measured; leave it out",
                     culprit_setting_option (setting));
        g_clear_pointer (&window, g_free);
      }
  return window;
}

static gboolean
begin_run (Recording *recording, const CulpritMessage *message, GError **error)
{
  const CulpritRecordingOptions *options = recording->options;
  const CulpritFacts *facts = recording->facts ? &recording->facts->facts : NULL;
  gboolean both = g_strcmp0 (json_member_text (options->request, "tracing"), "both") == 0;
  gboolean blocks = culprit_request_blocks (options->request) != NULL;
  gboolean cyclic = g_str_equal (recording->window, CULPRIT_WINDOWS_OF_CYCLES);
  g_auto (CulpritBegunRun) begun = { 0 };
  CulpritRecordedRun recorded = { .series = recording->result->name ? recording->result->name
                                            : options->name         ? options->name
                                                                    : "run",
                                  .begins = !recording->result->name && options->turn <= 1,
                                  .traced = message->traced,
                                  .turn = both     ? (message->run + 1) / 2
                                          : blocks ? message->run
                                                   : options->turn,
                                  .request = options->request,
                                  .window = cyclic ? NULL : recording->window,
                                  .host = facts ? facts->host : NULL,
                                  .kernel = facts ? facts->kernel : NULL,
                                  .machine = facts ? facts->machine : NULL,
                                  .facts = facts ? recording->facts->json : NULL };

  if (!open_study (recording, error) || !culprit_study_begin_run (recording->study, &recorded, &begun, error))
    return FALSE;
  recording->run = begun.run;
  g_free (recording->run_name);
  recording->run_name = g_steal_pointer (&begun.name);
  g_free (recording->result->name);
  recording->result->name = g_steal_pointer (&begun.series);
  recording->result->runs++;
  culprit_study_settle (recording->study, TRUE);
  return TRUE;
}

static gboolean
begin_capture (Recording *recording, const CulpritMessage *message, GError **error)
{
  g_clear_pointer (&recording->file, capture_file_free);
  recording->file =
      capture_file_new (recording->folder, recording->result->name, message->capture, message->json, error);
  return recording->file != NULL;
}

/* Reports it unless it was already in the study. @window: what its windows are; NULL: what its log tells. */
static gboolean
import_capture (Recording *recording, const char *path, const char *run, const char *window, GError **error)
{
  const CulpritImportOptions options = { .run = run, .window = window };
  g_autoptr (CulpritMessage) message = NULL;
  CulpritImportResult imported;

  if (!culprit_study_import (recording->study, path, &options, NULL, &imported, error))
    return FALSE;
  culprit_study_settle (recording->study, TRUE);
  message = culprit_message_imported (path, &imported);
  if (imported.outcome != CULPRIT_IMPORT_KNOWN)
    recording->event (message, recording->data);
  culprit_import_result_clear (&imported);
  return TRUE;
}

static gboolean
end_capture (Recording *recording, const CulpritMessage *message, GError **error)
{
  g_autofree char *path = capture_file_finish (recording->file, message->size_bytes, error);

  g_clear_pointer (&recording->file, capture_file_free);
  if (!path || !import_capture (recording, path, recording->run_name, recording->window, error))
    return FALSE;
  recording->result->captures++;
  return TRUE;
}

/* Imports what killed recordings left; a file that cannot be read is only reported. */
static gboolean
bring_in_leftovers (Recording *recording, GError **error)
{
  g_autoptr (GPtrArray) leftovers = culprit_study_leftovers (recording->study, recording->folder, error);

  for (guint i = 0; leftovers && i < leftovers->len; i++)
    {
      const CulpritLeftover *leftover = g_ptr_array_index (leftovers, i);
      g_autoptr (CulpritMessage) note = NULL;
      g_autofree char *text = NULL;
      GError *problem = NULL;

      if (import_capture (recording, leftover->path, leftover->run, NULL, &problem))
        continue;
      if (culprit_import_is_over (problem))
        {
          g_propagate_error (error, problem);
          return FALSE;
        }
      text = problem->domain == CULPRIT_STUDY_ERROR
                 ? g_strdup_printf ("%s: cannot be stored in %s", leftover->path, problem->message)
                 : g_strdup (problem->message);
      note = culprit_message_note (text);
      g_error_free (problem);
      recording->event (note, recording->data);
    }
  return leftovers != NULL;
}

/* Stores the latencies that the kernel had counted last, if any. */
static gboolean
store_bins (Recording *recording, GError **error)
{
  g_autoptr (CulpritMessage) bins = g_steal_pointer (&recording->bins);

  return !bins || culprit_study_add_latencies (recording->study, recording->run, bins->latencies, error);
}

/* Handles a message; the session ensures that those of a run or capture are inside one. Samples are settled with the
 * progress that follows: there may be many. */
static gboolean
take_message (Recording *recording, CulpritMessage *message, GError **error)
{
  if (message->type != CULPRIT_MESSAGE_DATA)
    recording->event (message, recording->data);
  switch (message->type)
    {
    case CULPRIT_MESSAGE_FACTS:
      recording->facts = culprit_message_ref (message);
      return TRUE;
    case CULPRIT_MESSAGE_RUN:
      return begin_run (recording, message, error);
    case CULPRIT_MESSAGE_SAMPLES:
      return culprit_study_add_samples (recording->study, recording->run, &message->samples, error);
    case CULPRIT_MESSAGE_BINS:
      g_clear_pointer (&recording->bins, culprit_message_unref);
      recording->bins = culprit_message_ref (message);
      return TRUE;
    case CULPRIT_MESSAGE_CAPTURE:
      return begin_capture (recording, message, error);
    case CULPRIT_MESSAGE_DATA:
      return capture_file_write (recording->file, message->data.bytes, message->data.size, error);
    case CULPRIT_MESSAGE_CAPTURE_END:
      return end_capture (recording, message, error);
    case CULPRIT_MESSAGE_PROGRESS:
      culprit_study_settle (recording->study, FALSE);
      return TRUE;
    case CULPRIT_MESSAGE_RUN_END:
      if (!store_bins (recording, error) ||
          !culprit_study_end_run (recording->study, recording->run, &message->totals, error))
        return FALSE;
      culprit_study_settle (recording->study, TRUE);
      return TRUE;
    case CULPRIT_MESSAGE_END:
      recording->result->reason = g_strdup (message->text);
      return TRUE;
    default:
      return TRUE;
    }
}

/* Follows the recorder to its end. After a problem on our side it is told to stop and still read to the end, so that it
 * has restored everything by then. */
static gboolean
follow (Recording *recording, GError **error)
{
  GError *own = NULL;
  GError *theirs = NULL;
  CulpritMessage *message;

  while ((message = culprit_session_read (recording->session, &theirs)))
    {
      if (!own && !take_message (recording, message, &own))
        culprit_session_stop (recording->session);
      culprit_message_unref (message);
    }
  store_bins (recording, own ? NULL : &own); /* of a run that was cut off */
  if (own)
    g_clear_error (&theirs);
  if (!own && !theirs)
    return TRUE;
  g_propagate_error (error, own ? own : theirs);
  return FALSE;
}

static void
recording_clear (Recording *recording)
{
  g_clear_pointer (&recording->file, capture_file_free);
  g_clear_pointer (&recording->session, culprit_session_free);
  g_clear_pointer (&recording->facts, culprit_message_unref);
  g_clear_pointer (&recording->bins, culprit_message_unref);
  g_free (recording->window);
  g_free (recording->folder);
  g_free (recording->run_name);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Recording, recording_clear)

static gboolean
record (Recording *recording, const CulpritTarget *target, GCancellable *cancellable, GError **error)
{
  const CulpritRecordingOptions *options = recording->options;
  const char *action = culprit_request_action (options->request);

  recording->window = window_of (options->request, error);
  if (!recording->window)
    return FALSE;
  if (g_file_test (options->study, G_FILE_TEST_EXISTS) &&
      !(open_study (recording, error) && bring_in_leftovers (recording, error)))
    return FALSE;
  recording->session = culprit_session_start (target, action, options->request, cancellable, error);
  if (!recording->session)
    return FALSE;
  culprit_target_store (target, options->request);
  if (options->explains)
    json_object_set_object_member (options->request, "explains", json_object_ref (options->explains));
  return follow (recording, error);
}

/* Closes the study, and tells if it is not whole without its log. */
static void
end_study (Recording *recording)
{
  g_autofree char *unsettled = recording->study ? culprit_study_end (g_steal_pointer (&recording->study)) : NULL;
  g_autoptr (CulpritMessage) note = unsettled ? culprit_message_note (unsettled) : NULL;

  if (note)
    recording->event (note, recording->data);
}

gboolean
culprit_record (const CulpritTarget *target,
                const CulpritRecordingOptions *options,
                GCancellable *cancellable,
                CulpritRecordingEvent event,
                gpointer data,
                CulpritRecordingResult *result,
                GError **error)
{
  g_auto (Recording) recording = {
    .options = options, .event = event, .data = data, .result = result, .folder = captures_folder (options->study)
  };
  GError *problem = NULL;
  gboolean done;

  *result = (CulpritRecordingResult) { 0 };
  done = record (&recording, target, cancellable, &problem);
  end_study (&recording);
  if (done)
    return TRUE;
  if (g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_CANCELLED)) /* before it began */
    {
      g_error_free (problem);
      result->reason = g_strdup ("stopped");
      return TRUE;
    }
  g_propagate_error (error, problem);
  return FALSE;
}
