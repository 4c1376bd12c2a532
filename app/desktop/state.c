/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the state in one GKeyFile. Changes are written together: a divider being dragged changes with every frame. */
#include "state.h"

#include <glib/gstdio.h>

#define SCHEMA "io.github.culprit.Culprit"
#define WRITE_MS 1000

static GKeyFile *file; /* NULL: not read yet */
static guint writing;  /* the source that writes; 0: nothing has changed */
static GSettings *settings;

static char *
file_path (void)
{
  return g_build_filename (g_get_user_state_dir (), "culprit", "desktop.ini", NULL);
}

/* A missing or damaged file is the same as an empty one. */
static GKeyFile *
get (void)
{
  g_autofree char *path = NULL;

  if (file)
    return file;
  path = file_path ();
  file = g_key_file_new ();
  g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL);
  return file;
}

/* If the file cannot be written, nothing is remembered; that is no reason to disturb people. */
static gboolean
write_file (gpointer data)
{
  g_autofree char *path = file_path ();
  g_autofree char *folder = g_path_get_dirname (path);

  writing = 0;
  g_mkdir_with_parents (folder, 0700);
  g_key_file_save_to_file (file, path, NULL);
  return G_SOURCE_REMOVE;
}

static void
write_soon (void)
{
  if (writing == 0)
    writing = g_timeout_add (WRITE_MS, write_file, NULL);
}

/* Characters that a group's name must not contain, such as brackets, are escaped. */
char *
state_group_of (const char *path)
{
  g_autofree char *escaped = g_uri_escape_string (path, "/ ", TRUE);

  return g_strconcat ("study ", escaped, NULL);
}

char *
state_text (const char *group, const char *key)
{
  return g_key_file_get_string (get (), group, key, NULL);
}

void
state_set_text (const char *group, const char *key, const char *text)
{
  g_autofree char *before = state_text (group, key);

  if (g_strcmp0 (before, text) == 0)
    return;
  if (text)
    g_key_file_set_string (get (), group, key, text);
  else
    g_key_file_remove_key (get (), group, key, NULL);
  write_soon ();
}

int
state_integer (const char *group, const char *key, int otherwise)
{
  g_autoptr (GError) error = NULL;
  int value = g_key_file_get_integer (get (), group, key, &error);

  return error ? otherwise : value;
}

void
state_set_integer (const char *group, const char *key, int value)
{
  g_autofree char *text = g_strdup_printf ("%d", value);

  state_set_text (group, key, text);
}

/* Properties. */

typedef struct
{
  char *group;
  char *key;
} Place;

static void
place_free (gpointer data, GClosure *closure)
{
  Place *place = data;

  g_free (place->group);
  g_free (place->key);
  g_free (place);
}

static void
on_property (GObject *object, GParamSpec *spec, const Place *place)
{
  int value;

  g_object_get (object, spec->name, &value, NULL);
  state_set_integer (place->group, place->key, value);
}

void
state_keep (gpointer object, const char *property, const char *group, const char *key)
{
  g_autofree char *kept = state_text (group, key);
  g_autofree char *signal = g_strconcat ("notify::", property, NULL);
  Place *place = g_new (Place, 1);

  *place = (Place) { g_strdup (group), g_strdup (key) };
  if (kept)
    g_object_set (object, property, state_integer (group, key, 0), NULL);
  g_signal_connect_data (object, signal, G_CALLBACK (on_property), place, place_free, 0);
}

GSettings *
state_settings (void)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  g_autoptr (GSettingsSchema) schema =
      source && !settings ? g_settings_schema_source_lookup (source, SCHEMA, TRUE) : NULL;

  if (schema)
    settings = g_settings_new (SCHEMA);
  return settings;
}

void
state_close (void)
{
  g_clear_object (&settings);
  if (writing != 0)
    {
      g_source_remove (writing);
      write_file (NULL);
    }
  g_clear_pointer (&file, g_key_file_free);
}
