/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens a capture in KernelShark. No option of KernelShark sets a time, so it gets a session file like those it
 * writes. */
#include "kernelshark.h"

#include "capture/session.h"
#include "files.h"
#include "outliers/capture-timeline.h"
#include "study/query.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>

#define PROGRAM "kernelshark"
#define MARGIN_PERCENT 10 /* of the late wake-up, shown on either side */
#define BINS 1024         /* KernelShark makes as many of them as its graph is wide. */

/* What KernelShark writes itself: rows for lost events and marks for wake-ups are its default plugins. */
static const char session[] =
    "{ \"type\": \"kshark.config.session\",\n"
    "  \"Model\": { \"type\": \"kshark.config.model\", \"range\": [%" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT "],"
    " \"bins\": %d },\n"
    "  \"data streams\": [ { \"type\": \"kshark.config.stream\", \"stream id\": 0,\n"
    "    \"data\": { \"type\": \"kshark.config.data\", \"file\": %s, \"name\": %s, \"time\": %" G_GINT64_FORMAT " },\n"
    "    \"filters\": { \"type\": \"kshark.config.filter\", \"filter mask\": 7 },\n"
    "    \"plugins\": { \"type\": \"kshark.config.plugins\",\n"
    "      \"registered\": [ [\"missed_events\", true], [\"sched_events\", true] ] },\n"
    "    \"CPUPlots\": [%s], \"TaskPlots\": [%d] } ],\n"
    "  \"Markers\": { \"type\": \"kshark.config.markers\", \"markA\": { \"isSet\": true, \"row\": %" G_GUINT64_FORMAT
    " },\n"
    "    \"markB\": { \"isSet\": true, \"row\": %" G_GUINT64_FORMAT " }, \"Active\": \"A\" },\n"
    "  \"ViewTop\": %" G_GUINT64_FORMAT " }\n";

/* @text as JSON. The caller owns it. */
static char *
quote (const char *text)
{
  g_autoptr (JsonNode) node = json_node_init_string (json_node_alloc (), text);

  return json_to_string (node, FALSE);
}

/* The session as JSON. KernelShark accepts a file only with the time of its last change. */
static char *
make_session (const LateWindow *window, const char *file, gint64 changed_s, const CulpritEventRange *range)
{
  guint64 margin_ns = (window->end_ns - window->start_ns) * MARGIN_PERCENT / 100;
  g_autofree char *path = quote (file);
  g_autofree char *buffer = quote (*range->buffer ? range->buffer : "top buffer");
  g_autoptr (GString) cpus = g_string_new (NULL);

  g_string_append_printf (cpus, "%u", window->cpu); /* the late wake-up's first */
  for (guint i = 0; i < range->cpus->len; i++)
    if (g_array_index (range->cpus, guint, i) != window->cpu)
      g_string_append_printf (cpus, ", %u", g_array_index (range->cpus, guint, i));
  return g_strdup_printf (session, window->start_ns - MIN (window->start_ns, margin_ns), window->end_ns + margin_ns,
                          BINS, path, buffer, changed_s, cpus->str, window->pid, range->first, range->last,
                          range->first);
}

static gpointer
fail_errno (const char *path, GError **error)
{
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", path, g_strerror (errno));
  return NULL;
}

/* Writes the session and returns its path. */
static gpointer
write_session (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error)
{
  const LateWindow *asked = data;
  g_autofree char *file = culprit_query_capture_file (study, asked->capture, error);
  g_autofree char *name = g_strdup_printf ("kernelshark-%" G_GINT64_FORMAT ".json", asked->capture);
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "culprit", NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *text = NULL;
  g_auto (CulpritEventRange) range = { 0 };
  GStatBuf status;

  if (!file || !culprit_event_range_read (file, asked->start_ns, asked->end_ns, &range, error))
    return NULL;
  if (g_stat (file, &status) != 0)
    return fail_errno (file, error);
  if (g_mkdir_with_parents (folder, 0700) != 0)
    return fail_errno (folder, error);
  text = make_session (asked, file, status.st_mtime, &range);
  return culprit_write_file (path, text, -1, error) ? g_steal_pointer (&path) : NULL;
}

static void
on_session (GObject *owner, gpointer result, const GError *error)
{
  g_autofree char *path = result;
  g_autoptr (GError) failed = NULL;
  g_autoptr (GSubprocess) started = NULL;

  if (path)
    started = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, &failed, PROGRAM,
                                "-s", path, NULL);
  if (error || failed)
    culprit_document_fail (CULPRIT_DOCUMENT (owner), error ? error->message : failed->message);
}

void
kernelshark_open (CulpritDocument *document)
{
  g_autofree char *program = g_find_program_in_path (PROGRAM);
  CulpritRows *rows = culprit_document_outliers (document);
  CulpritRow *row = rows ? culprit_rows_find (rows, "capture", culprit_document_capture (document)) : NULL;

  if (!program || !row)
    {
      culprit_document_fail (CULPRIT_DOCUMENT (document),
                             program ? "Select a late wake-up first"
                                     : "KernelShark is not installed: install the package kernelshark and try again");
      return;
    }
  culprit_document_read (document, G_OBJECT (document), NULL, write_session, late_window_new (row), g_free, on_session,
                         g_free);
}
