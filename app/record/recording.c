/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Follows a recorder and stores what it sends in the study. */
#include "recording.h"

#include "capture-file.h"
#include "json-private.h"
#include "session.h"
#include "study/leftovers.h"
#include "study/series.h"

#include <string.h>

typedef struct
{
  CulpritSession *session;
  CulpritStudy *study;
  const CulpritRecordingOptions *options;
  CulpritRecordingEvent event;
  gpointer data;
  CulpritRecordingResult *result;
  CulpritMessage *facts; /* NULL: none came */
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

/* Opens the study and chooses the recording's name in it. A new study is not created before there is a run to store. */
static gboolean
open_study (Recording *recording, GError **error)
{
  const CulpritRecordingOptions *options = recording->options;

  if (recording->study)
    return TRUE;
  recording->study = culprit_study_open (options->study, CULPRIT_STUDY_CREATE, error);
  if (!recording->study)
    return FALSE;
  recording->result->name = culprit_study_new_run_name (recording->study, options->name ? options->name : "run", error);
  return recording->result->name != NULL;
}

static gboolean
begin_run (Recording *recording, const CulpritMessage *message, GError **error)
{
  const CulpritFacts *facts = recording->facts ? &recording->facts->facts : NULL;
  gboolean both = g_strcmp0 (json_member_text (recording->options->request, "tracing"), "both") == 0;
  CulpritRecordedRun recorded = { .traced = message->traced,
                                  .turn = both ? (message->run + 1) / 2 : 0,
                                  .request = recording->options->request,
                                  .host = facts ? facts->host : NULL,
                                  .kernel = facts ? facts->kernel : NULL,
                                  .machine = facts ? facts->machine : NULL,
                                  .facts = facts ? recording->facts->json : NULL };

  if (!open_study (recording, error))
    return FALSE;
  recorded.series = recording->result->name;
  g_free (recording->run_name);
  recording->run_name = culprit_series_run_name (recorded.series, recorded.traced, recorded.turn);
  recorded.name = recording->run_name;
  recording->result->runs++;
  return culprit_study_begin_run (recording->study, &recorded, &recording->run, error);
}

static gboolean
begin_capture (Recording *recording, const CulpritMessage *message, GError **error)
{
  g_clear_pointer (&recording->file, capture_file_free);
  recording->file =
      capture_file_new (recording->folder, recording->result->name, message->capture, message->json, error);
  return recording->file != NULL;
}

/* Reports it unless it was already in the study. */
static gboolean
import_capture (Recording *recording, const char *path, const char *run, GError **error)
{
  const CulpritImportOptions options = { .run = run };
  g_autoptr (CulpritMessage) message = NULL;
  CulpritImportResult imported;

  if (!culprit_study_import (recording->study, path, &options, NULL, &imported, error))
    return FALSE;
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
  if (!path || !import_capture (recording, path, recording->run_name, error))
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
      GError *problem = NULL;

      if (import_capture (recording, leftover->path, leftover->run, &problem))
        continue;
      if (problem->domain == CULPRIT_STUDY_ERROR)
        {
          g_propagate_error (error, problem);
          return FALSE;
        }
      note = culprit_message_note (problem->message);
      g_error_free (problem);
      recording->event (note, recording->data);
    }
  return leftovers != NULL;
}

/* Handles a message; the session ensures that those of a run or capture are inside one. */
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
    case CULPRIT_MESSAGE_CAPTURE:
      return begin_capture (recording, message, error);
    case CULPRIT_MESSAGE_DATA:
      return capture_file_write (recording->file, message->data.bytes, message->data.size, error);
    case CULPRIT_MESSAGE_CAPTURE_END:
      return end_capture (recording, message, error);
    case CULPRIT_MESSAGE_RUN_END:
      return culprit_study_end_run (recording->study, recording->run, &message->totals, error);
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
  g_clear_pointer (&recording->study, culprit_study_close);
  g_clear_pointer (&recording->session, culprit_session_free);
  g_clear_pointer (&recording->facts, culprit_message_unref);
  g_free (recording->folder);
  g_free (recording->run_name);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Recording, recording_clear)

static gboolean
record (Recording *recording, const CulpritTarget *target, GCancellable *cancellable, GError **error)
{
  const CulpritRecordingOptions *options = recording->options;

  if (g_file_test (options->study, G_FILE_TEST_EXISTS) &&
      !(open_study (recording, error) && bring_in_leftovers (recording, error)))
    return FALSE;
  recording->session = culprit_session_start (target, "record", options->request, cancellable, error);
  if (!recording->session)
    return FALSE;
  culprit_target_store (target, options->request);
  return follow (recording, error);
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

  *result = (CulpritRecordingResult) { 0 };
  if (record (&recording, target, cancellable, &problem))
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
