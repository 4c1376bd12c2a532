/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks a file manager on the session bus to show the file; without one, opens the folder with the default program. */
#include "file-manager.h"

#include "compat.h"
#include "study/query.h"

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
    culprit_document_fail (CULPRIT_DOCUMENT (document), error->message);
}

void
file_manager_show (CulpritDocument *document)
{
  gint64 capture = culprit_document_capture (document);

  if (capture != 0)
    culprit_document_read (document, G_OBJECT (document), NULL, find_file, g_memdup2 (&capture, sizeof capture), g_free,
                           on_file, g_free);
}
