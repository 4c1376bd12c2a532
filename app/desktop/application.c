/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens files, remembers recent ones, and applies the colour scheme. */
#include "application.h"

#include "compat.h"
#include "opening.h"
#include "state.h"
#include "window.h"

#include <glib/gstdio.h>

/* Opens the sample study as a copy: the installed file stays unchanged, states and notes go to the copy. */

#define STUDY "sample.culprit"
#define CAPTURES "sample.captures"

/* Where it was installed, or in the folder this was built from. NULL: nowhere. */
static const char *
find_folder (void)
{
  static const char *const folders[] = { CULPRIT_DATA "/sample", CULPRIT_SOURCE "/data/sample" };

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *study = g_build_filename (folders[i], STUDY, NULL);

      if (g_file_test (study, G_FILE_TEST_EXISTS))
        return folders[i];
    }
  return NULL;
}

gboolean
sample_exists (void)
{
  return find_folder () != NULL;
}

static gboolean
copy (const char *from, const char *to, const char *name, GError **error)
{
  g_autoptr (GFile) source = g_file_new_build_filename (from, name, NULL);
  g_autoptr (GFile) target = g_file_new_build_filename (to, name, NULL);

  return g_file_copy (source, target, G_FILE_COPY_OVERWRITE | G_FILE_COPY_TARGET_DEFAULT_PERMS, NULL, NULL, NULL,
                      error);
}

static gboolean
copy_captures (const char *from, const char *to, GError **error)
{
  g_autofree char *source = g_build_filename (from, CAPTURES, NULL);
  g_autofree char *target = g_build_filename (to, CAPTURES, NULL);
  g_autoptr (GDir) folder = g_dir_open (source, 0, error);
  const char *name;

  if (!folder)
    return FALSE;
  g_mkdir_with_parents (target, 0777);
  while ((name = g_dir_read_name (folder)))
    if (!copy (source, target, name, error))
      return FALSE;
  return TRUE;
}

/* A copy of the sample, captures and all, that belongs to the user: made where there is none yet. Its path, which the
 * caller owns; NULL with an error. */
static char *
sample_open (GError **error)
{
  const char *from = find_folder ();
  g_autofree char *to = g_build_filename (g_get_user_data_dir (), "culprit", NULL);
  g_autofree char *study = g_build_filename (to, STUDY, NULL);

  if (g_file_test (study, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&study);
  if (!from)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "the sample study is not installed");
      return NULL;
    }
  g_mkdir_with_parents (to, 0777);
  /* The study last: with it the copy is whole. */
  return copy_captures (from, to, error) && copy (from, to, STUDY, error) ? g_steal_pointer (&study) : NULL;
}

struct _CulpritApplication
{
  GtkApplication parent;
  GSettings *settings;
  GDBusProxy *portal;
};

G_DEFINE_FINAL_TYPE (CulpritApplication, culprit_application, GTK_TYPE_APPLICATION)

/* Light and dark: what was chosen, else what the desktop prefers. */

static gboolean
portal_prefers_dark (CulpritApplication *application)
{
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GVariant) value = NULL;
  g_autoptr (GVariant) inner = NULL;

  if (!application->portal)
    return FALSE;
  answer = g_dbus_proxy_call_sync (application->portal, "Read",
                                   g_variant_new ("(ss)", "org.freedesktop.appearance", "color-scheme"),
                                   G_DBUS_CALL_FLAGS_NO_AUTO_START, 200, NULL, NULL);
  if (!answer)
    return FALSE;
  g_variant_get (answer, "(v)", &value);
  inner = g_variant_is_of_type (value, G_VARIANT_TYPE_VARIANT) ? g_variant_get_variant (value) : g_variant_ref (value);
  return g_variant_is_of_type (inner, G_VARIANT_TYPE_UINT32) && g_variant_get_uint32 (inner) == 1;
}

static void
set_colours (CulpritApplication *application, const char *scheme)
{
  gboolean dark = g_str_equal (scheme, "dark") || (g_str_equal (scheme, "system") && portal_prefers_dark (application));

  g_object_set (gtk_settings_get_default (), "gtk-application-prefer-dark-theme", dark, NULL);
}

static void
change_colours (GSimpleAction *action, GVariant *value, gpointer data)
{
  CulpritApplication *application = data;
  const char *scheme = g_variant_get_string (value, NULL);

  g_simple_action_set_state (action, value);
  set_colours (application, scheme);
  if (application->settings)
    g_settings_set_string (application->settings, "colour-scheme", scheme);
}

/* Windows. */

GSettings *
culprit_application_settings (CulpritApplication *application)
{
  return application->settings;
}

/* Studies are opened, captures come into the study of the window in front. */
static void
application_open (GApplication *base, GFile **files, int n, const char *hint)
{
  CulpritApplication *application = CULPRIT_APPLICATION (base);
  g_autoptr (GPtrArray) others = g_ptr_array_new_with_free_func (g_free);

  for (int i = 0; i < n; i++)
    {
      char *path = g_file_get_path (files[i]);

      if (path && !g_str_has_suffix (path, ".culprit"))
        g_ptr_array_add (others, g_steal_pointer (&path));
      else if (path)
        opening_open (application, path, NULL);
      g_free (path);
    }
  if (others->len > 0)
    window_import (opening_front (application), others);
}

static void
application_activate (GApplication *base)
{
  CulpritStudyWindow *window = opening_find_empty (CULPRIT_APPLICATION (base));

  gtk_window_present (GTK_WINDOW (window ? window : culprit_study_window_new (CULPRIT_APPLICATION (base))));
}

static void
open_window (GSimpleAction *action, GVariant *value, gpointer data)
{
  gtk_window_present (GTK_WINDOW (culprit_study_window_new (data)));
}

static void
open_recent (GSimpleAction *action, GVariant *value, gpointer data)
{
  opening_open (data, g_variant_get_string (value, NULL), NULL);
}

static void
open_sample (GSimpleAction *action, GVariant *value, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = sample_open (&error);

  if (path)
    opening_open (data, path, NULL);
  else
    compat_alert (gtk_application_get_active_window (data), "Cannot open the sample", error->message);
}

static void
quit (GSimpleAction *action, GVariant *value, gpointer data)
{
  GList *windows = g_list_copy (gtk_application_get_windows (GTK_APPLICATION (data)));

  g_list_free_full (windows, (GDestroyNotify) gtk_window_close);
}

static void
show_about (GSimpleAction *action, GVariant *value, gpointer data)
{
  gtk_show_about_dialog (gtk_application_get_active_window (data), "program-name", "Culprit", "version",
                         CULPRIT_VERSION, "comments",
                         "Finds the kernel function that made a real-time task late, and says how certain that is.",
                         "license-type", GTK_LICENSE_GPL_3_0, "logo-icon-name", CULPRIT_APPLICATION_ID, NULL);
}

static const GActionEntry actions[] = {
  { .name = "new-window", .activate = open_window },
  { .name = "open-recent", .activate = open_recent, .parameter_type = "s" },
  { .name = "open-sample", .activate = open_sample },
  { .name = "about", .activate = show_about },
  { .name = "quit", .activate = quit },
  { .name = "colours", .parameter_type = "s", .state = "'system'", .change_state = change_colours },
};

static const struct
{
  const char *action;
  const char *keys[3];
} keys[] = {
  { "app.new-window", { "<Control>n" } },
  { "app.quit", { "<Control>q" } },
  { "win.open", { "<Control>o" } },
  { "win.import", { "<Control>i" } },
  { "win.reload", { "F5", "<Control>r" } },
  { "win.search", { "<Control>f" } },
  { "win.copy", { "<Control><Shift>c" } },
  { "win.export-table", { "<Control>e" } },
  { "win.export-picture", { "<Control><Shift>e" } },
  { "win.next", { "<Control>Down" } },
  { "win.previous", { "<Control>Up" } },
  { "win.cancel", { "<Control>period" } },
  { "win.triage::new", { "<Alt>n" } },
  { "win.triage::seen", { "<Alt>s" } },
  { "win.triage::explained", { "<Alt>e" } },
  { "win.triage::ignored", { "<Alt>i" } },
  { "win.details::budget", { "<Alt>b" } },
  { "win.details::tree", { "<Alt>r" } },
  { "win.group", { "<Alt>g" } },
  { "win.verdict", { "<Alt>v" } },
  { "win.traced", { "<Alt>u" } },
  { "win.kernelshark", { "<Alt>k" } },
  { "win.details::timeline", { "<Alt>t" } },
  { "win.timeline-full", { "<Control><Shift>t" } },
  { "win.page::latency", { "<Alt>1" } },
  { "win.page::outliers", { "<Alt>2" } },
  { "win.page::functions", { "<Alt>3" } },
  { "win.page::flame", { "<Alt>f" } },
  { "win.page::stalls", { "<Alt>4" } },
  { "win.page::compare", { "<Alt>5" } },
  { "win.page::record", { "<Alt>6" } },
  { "win.page::fleet", { "<Alt>7" } },
  { "win.show-help-overlay", { "<Control>question", "F1" } },
  { "window.close", { "<Control>w" } },
};

static GSettings *
find_settings (void)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  g_autoptr (GSettingsSchema) schema =
      source ? g_settings_schema_source_lookup (source, CULPRIT_APPLICATION_ID, TRUE) : NULL;

  return schema ? g_settings_new (CULPRIT_APPLICATION_ID) : NULL;
}

static void
application_startup (GApplication *base)
{
  CulpritApplication *application = CULPRIT_APPLICATION (base);
  g_autoptr (GtkCssProvider) style = gtk_css_provider_new ();

  G_APPLICATION_CLASS (culprit_application_parent_class)->startup (base);
  g_action_map_add_action_entries (G_ACTION_MAP (base), actions, G_N_ELEMENTS (actions), base);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_application_set_accels_for_action (GTK_APPLICATION (base), keys[i].action, keys[i].keys);
  gtk_css_provider_load_from_resource (style, "/io/github/culprit/desktop/style.css");
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (style),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  gtk_window_set_default_icon_name (CULPRIT_APPLICATION_ID);
  application->settings = find_settings ();
  application->portal = g_dbus_proxy_new_for_bus_sync (
      G_BUS_TYPE_SESSION, G_DBUS_PROXY_FLAGS_DO_NOT_AUTO_START | G_DBUS_PROXY_FLAGS_DO_NOT_LOAD_PROPERTIES, NULL,
      "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Settings", NULL,
      NULL);
  if (application->settings)
    {
      g_autofree char *scheme = g_settings_get_string (application->settings, "colour-scheme");

      g_action_group_change_action_state (G_ACTION_GROUP (base), "colours", g_variant_new_string (scheme));
    }
  else
    set_colours (application, "system");
}

static void
application_finalize (GObject *object)
{
  state_close ();
  g_clear_object (&CULPRIT_APPLICATION (object)->settings);
  g_clear_object (&CULPRIT_APPLICATION (object)->portal);
  G_OBJECT_CLASS (culprit_application_parent_class)->finalize (object);
}

static void
culprit_application_class_init (CulpritApplicationClass *class)
{
  GApplicationClass *application = G_APPLICATION_CLASS (class);

  application->startup = application_startup;
  application->activate = application_activate;
  application->open = application_open;
  G_OBJECT_CLASS (class)->finalize = application_finalize;
}

static void
culprit_application_init (CulpritApplication *application)
{
}

GtkApplication *
culprit_application_new (void)
{
  return g_object_new (CULPRIT_TYPE_APPLICATION, "application-id", CULPRIT_APPLICATION_ID, "flags",
                       G_APPLICATION_HANDLES_OPEN, "resource-base-path", "/io/github/culprit/desktop", NULL);
}
