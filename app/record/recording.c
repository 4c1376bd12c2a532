/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Follows a recorder and puts into the study what it says. A capture is written under another name until it is whole.
 */
#include "recording.h"

#include "json-private.h"
#include "session.h"
#include "study/import.h"
#include "study/record.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

typedef struct
{
  CulpritSession *session;
  CulpritStudy *study;
  const CulpritRecordingOptions *options;
  CulpritRecordingEvent event;
  gpointer data;
  CulpritRecordingResult *result;
  JsonObject *facts;
  char *folder;      /* for captures */
  char *run_name;    /* of the present run */
  gint64 run;        /* its number in the study; 0: none has begun */
  guint64 run_place; /* its number in the recording */
  char *part;        /* file that a capture is being written to; NULL: none */
  char *log;         /* file of its cycle log */
  FILE *file;
  gint64 written;
} Recording;

void
culprit_recording_result_clear (CulpritRecordingResult *result)
{
  g_clear_pointer (&result->name, g_free);
  g_clear_pointer (&result->reason, g_free);
}

const char *
culprit_recording_reason (const char *reason)
{
  static const struct
  {
    const char *reason;
    const char *text;
  } reasons[] = { { "captures", "all captures were taken" },
                  { "cycles", "all cycles were measured" },
                  { "limit", "the time was over" },
                  { "stopped", "it was stopped" } };

  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    if (g_strcmp0 (reason, reasons[i].reason) == 0)
      return reasons[i].text;
  return NULL;
}

static gboolean
fail_writing (const char *path, GError **error)
{
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: cannot be written: %s", path, g_strerror (errno));
  return FALSE;
}

/* "study.culprit" has its captures in "study.captures" beside it. */
static char *
captures_folder (const char *study)
{
  g_autofree char *stem =
      g_str_has_suffix (study, ".culprit") ? g_strndup (study, strlen (study) - strlen (".culprit")) : g_strdup (study);

  return g_strconcat (stem, ".captures", NULL);
}

/* What was written of a capture that did not come whole. */
static void
drop_part (Recording *recording)
{
  if (recording->file)
    fclose (recording->file);
  recording->file = NULL;
  if (recording->part)
    g_unlink (recording->part);
  if (recording->log)
    g_unlink (recording->log);
  g_clear_pointer (&recording->part, g_free);
  g_clear_pointer (&recording->log, g_free);
}

/* Opens the study and finds the recording's name in it. A new study is not made before there is a run to store. */
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
begin_run (Recording *recording, JsonObject *line, GError **error)
{
  const char *tracing = json_member_text (line, "tracing");
  gboolean both = g_strcmp0 (json_member_text (recording->options->request, "tracing"), "both") == 0;
  gboolean traced = g_strcmp0 (tracing, "on") == 0;
  CulpritRecordedRun recorded = { .traced = traced, .request = recording->options->request, .facts = recording->facts };

  if (!open_study (recording, error))
    return FALSE;
  recorded.recording = recording->result->name;
  recording->run_place = json_member_int (line, "run", 0);
  g_free (recording->run_name);
  recording->run_name = both ? g_strdup_printf ("%s/%s-%" G_GUINT64_FORMAT, recording->result->name,
                                                traced ? "on" : "off", (recording->run_place + 1) / 2)
                             : g_strdup (recording->result->name);
  recorded.name = recording->run_name;
  recording->result->runs++;
  return culprit_study_begin_run (recording->study, &recorded, &recording->run, error);
}

/* Where the capture goes, less what its files end with; a name that no other capture has. The caller owns it. */
static char *
capture_stem (const Recording *recording, gint64 capture)
{
  g_autofree char *name = g_strdelimit (g_strdup (recording->result->name), "/", '-');

  for (guint number = 1;; number++)
    {
      g_autofree char *again = number > 1 ? g_strdup_printf ("-%u", number) : g_strdup ("");
      g_autofree char *stem =
          g_strdup_printf ("%s/%s-%03" G_GINT64_FORMAT "%s", recording->folder, name, capture, again);
      g_autofree char *file = g_strconcat (stem, ".dat", NULL);
      g_autofree char *log = g_strconcat (stem, ".json", NULL);

      if (!g_file_test (file, G_FILE_TEST_EXISTS) && !g_file_test (log, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&stem);
    }
}

/* The cycle log stands before the capture does, so that nobody finds a capture without it. */
static gboolean
begin_capture (Recording *recording, JsonObject *line, GError **error)
{
  g_autofree char *stem = capture_stem (recording, json_member_int (line, "capture", 0));
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), line);
  g_autofree char *text = json_to_string (node, FALSE);

  drop_part (recording);
  if (g_mkdir_with_parents (recording->folder, 0777) != 0)
    return fail_writing (recording->folder, error);
  recording->part = g_strconcat (stem, ".dat" CULPRIT_PART_SUFFIX, NULL);
  recording->log = g_strconcat (stem, ".json", NULL);
  if (!g_file_set_contents (recording->log, text, -1, error))
    return FALSE;
  recording->file = g_fopen (recording->part, "wbe");
  recording->written = 0;
  return recording->file || fail_writing (recording->part, error);
}

static gboolean
write_data (Recording *recording, JsonObject *line, GError **error)
{
  const char *text = json_member_text (line, "base64");
  gsize size;
  g_autofree guint8 *bytes = g_base64_decode (text ? text : "", &size);

  if (!recording->file)
    return TRUE;
  recording->written += size;
  return fwrite (bytes, 1, size, recording->file) == size || fail_writing (recording->part, error);
}

static void
tell_import (Recording *recording, const char *path, const CulpritImportResult *imported)
{
  g_autoptr (JsonObject) line = json_object_new ();

  json_object_set_string_member (line, "type", "imported");
  json_object_set_int_member (line, "capture", imported->capture);
  json_object_set_string_member (line, "file", path);
  json_object_set_int_member (line, "latency_ns", imported->latency_ns);
  json_object_set_int_member (line, "ordinary_windows", imported->ordinary_windows);
  if (imported->no_windows || imported->warning)
    json_object_set_string_member (line, "warning", imported->no_windows ? imported->no_windows : imported->warning);
  recording->event (line, recording->data);
}

static gboolean
import_capture (Recording *recording, const char *path, GError **error)
{
  const CulpritImportOptions options = { .run = recording->run_name };
  CulpritImportResult imported;

  if (!culprit_study_import (recording->study, path, &options, NULL, &imported, error))
    return FALSE;
  recording->result->captures++;
  tell_import (recording, path, &imported);
  culprit_import_result_clear (&imported);
  return TRUE;
}

static gboolean
end_capture (Recording *recording, JsonObject *line, GError **error)
{
  g_autofree char *path = NULL;
  int closed;

  if (!recording->file)
    return TRUE;
  closed = fclose (g_steal_pointer (&recording->file));
  if (closed != 0)
    return fail_writing (recording->part, error);
  if (recording->written != json_member_int (line, "size_bytes", -1))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: the capture came incomplete", recording->part);
      return FALSE;
    }
  path = g_strndup (recording->part, strlen (recording->part) - strlen (CULPRIT_PART_SUFFIX));
  if (g_rename (recording->part, path) != 0)
    return fail_writing (path, error);
  g_clear_pointer (&recording->part, g_free);
  g_clear_pointer (&recording->log, g_free);
  return import_capture (recording, path, error);
}

/* Takes in a line. Those with parts of a capture are for this program alone. */
static gboolean
take_line (Recording *recording, JsonObject *line, GError **error)
{
  const char *type = json_member_text (line, "type");

  if (g_str_equal (type, "data"))
    return write_data (recording, line, error);
  recording->event (line, recording->data);
  if (g_str_equal (type, "samples"))
    return recording->run == 0 || culprit_study_add_samples (recording->study, recording->run, line, error);
  if (g_str_equal (type, "facts") && !recording->facts)
    recording->facts = json_object_ref (line);
  if (g_str_equal (type, "end"))
    recording->result->reason = g_strdup (json_member_text (line, "reason"));
  if (g_str_equal (type, "run"))
    return begin_run (recording, line, error);
  if (g_str_equal (type, "capture"))
    return begin_capture (recording, line, error);
  if (g_str_equal (type, "capture-end"))
    return end_capture (recording, line, error);
  if (g_str_equal (type, "run-end") && recording->run != 0)
    return culprit_study_end_run (recording->study, recording->run, line, error);
  return TRUE;
}

/* Follows the recorder to its end. After a problem of our own it is asked to stop and heard out, so that it has put
 * everything in order when we are done. */
static gboolean
follow (Recording *recording, GError **error)
{
  GError *own = NULL;
  GError *theirs = NULL;
  JsonObject *line;

  while ((line = culprit_session_read (recording->session, &theirs)))
    {
      if (!own && !take_line (recording, line, &own))
        culprit_session_stop (recording->session);
      json_object_unref (line);
    }
  if (own)
    g_clear_error (&theirs);
  if (!own && !theirs)
    return TRUE;
  g_propagate_error (error, own ? own : theirs);
  return FALSE;
}

static void
on_cancelled (GCancellable *cancellable, gpointer session)
{
  culprit_session_stop (session);
}

static void
recording_clear (Recording *recording)
{
  drop_part (recording);
  g_clear_pointer (&recording->study, culprit_study_close);
  g_clear_pointer (&recording->session, culprit_session_free);
  g_clear_pointer (&recording->facts, json_object_unref);
  g_free (recording->folder);
  g_free (recording->run_name);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Recording, recording_clear)

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
  gboolean good;
  gulong handler;

  *result = (CulpritRecordingResult) { 0 };
  if (g_file_test (options->study, G_FILE_TEST_EXISTS) && !open_study (&recording, error))
    return FALSE;
  recording.session = culprit_session_start (target, "record", options->request, error);
  if (!recording.session)
    return FALSE;
  handler = g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), recording.session, NULL);
  good = follow (&recording, error);
  g_cancellable_disconnect (cancellable, handler);
  return good;
}
