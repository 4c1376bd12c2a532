/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "other-programs.h"

#include "capture/session.h"
#include "compat.h"
#include "files.h"
#include "outliers/capture-timeline.h"
#include "study/query.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>

/* KernelShark. No option of it sets a time, so it gets a session file like those it writes. */

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
    culprit_document_fail (CULPRIT_DOCUMENT (owner), CULPRIT_ABOUT_PROGRAM, error ? error->message : failed->message);
}

void
kernelshark_open (CulpritDocument *document)
{
  g_autofree char *program = g_find_program_in_path (PROGRAM);
  CulpritRow *row = culprit_document_chosen_row (document);

  if (!program || !row)
    {
      culprit_document_fail (document, CULPRIT_ABOUT_PROGRAM,
                             program ? "Select a late wake-up first"
                                     : "KernelShark is not installed: install the package kernelshark and try again");
      return;
    }
  culprit_document_read_capture (document, G_OBJECT (document), NULL, write_session, late_window_new (row), g_free,
                                 on_session, g_free);
}

/* A file manager on the session bus is asked to show the file; without one, the folder is opened with the default
 * program. */

#define NAME "org.freedesktop.FileManager1"
#define OBJECT "/org/freedesktop/FileManager1"

/* Is there a file manager? */

typedef struct
{
  GObject *owner;
  void (*ready) (GObject *owner, gboolean there);
} Question;

/* The default program for folders, or NULL. */
static GAppInfo *
folder_program (void)
{
  return g_app_info_get_default_for_type ("inode/directory", FALSE);
}

static void
on_names (GObject *bus, GAsyncResult *result, gpointer data)
{
  g_autofree Question *question = data;
  g_autoptr (GObject) owner = question->owner;
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (bus), result, NULL);
  g_autoptr (GAppInfo) program = folder_program ();
  g_autofree const char **names = NULL;

  if (reply)
    g_variant_get (reply, "(^a&s)", &names);
  question->ready (owner, program || (names && g_strv_contains (names, NAME)));
}

static void
on_bus (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GDBusConnection) bus = g_bus_get_finish (result, NULL);
  Question *question = data;
  g_autoptr (GAppInfo) program = NULL;

  if (bus)
    {
      g_dbus_connection_call (bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                              "ListActivatableNames", NULL, G_VARIANT_TYPE ("(as)"), G_DBUS_CALL_FLAGS_NONE, -1, NULL,
                              on_names, question);
      return;
    }
  program = folder_program ();
  question->ready (question->owner, program != NULL);
  g_object_unref (question->owner);
  g_free (question);
}

void
file_manager_ask (GObject *owner, void (*ready) (GObject *owner, gboolean there))
{
  Question *question = g_new (Question, 1);

  *question = (Question) { g_object_ref (owner), ready };
  g_bus_get (G_BUS_TYPE_SESSION, NULL, on_bus, question);
}

/* Showing. */

static void
open_folder (const char *file)
{
  g_autofree char *folder = g_path_get_dirname (file);

  compat_show (NULL, folder);
}

static void
on_shown (GObject *bus, GAsyncResult *result, gpointer data)
{
  g_autofree char *file = data;
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (bus), result, NULL);

  if (!reply)
    open_folder (file);
}

static void
show (const char *file)
{
  g_autoptr (GDBusConnection) bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);
  g_autofree char *uri = g_filename_to_uri (file, NULL, NULL);
  const char *const uris[] = { uri, NULL };

  if (bus && uri)
    g_dbus_connection_call (bus, NAME, OBJECT, NAME, "ShowItems", g_variant_new ("(^ass)", uris, ""), NULL,
                            G_DBUS_CALL_FLAGS_NONE, -1, NULL, on_shown, g_strdup (file));
  else
    open_folder (file);
}

static gpointer
find_file (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error)
{
  g_autofree char *file = culprit_query_capture_file (study, *(const gint64 *) data, error);

  return file ? g_canonicalize_filename (file, NULL) : NULL;
}

static void
on_file (GObject *document, gpointer result, const GError *error)
{
  g_autofree char *file = result;

  if (file)
    show (file);
  else
    culprit_document_fail (CULPRIT_DOCUMENT (document), CULPRIT_ABOUT_PROGRAM, error->message);
}

void
file_manager_show (CulpritDocument *document)
{
  gint64 capture = culprit_document_capture (document);

  if (capture != 0)
    culprit_document_read_capture (document, G_OBJECT (document), NULL, find_file, g_memdup2 (&capture, sizeof capture),
                                   g_free, on_file, g_free);
}
