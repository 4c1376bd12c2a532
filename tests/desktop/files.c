/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A capture's file is shown by a file manager. One test only: a bus takes an application once. */
#include "sample-window.h"

#include <string.h>

#define FILES "org.freedesktop.FileManager1"

static const char interface[] =
    "<node><interface name='" FILES "'><method name='ShowItems'>"
    "<arg type='as' direction='in'/><arg type='s' direction='in'/></method></interface></node>";

static char *shown; /* what was asked for */

static void
on_call (GDBusConnection *bus,
         const char *sender,
         const char *path,
         const char *name,
         const char *method,
         GVariant *arguments,
         GDBusMethodInvocation *invocation,
         gpointer data)
{
  g_autofree const char **uris = NULL;

  g_variant_get (arguments, "(^a&s&s)", &uris, NULL);
  shown = g_strdup (uris[0]);
  g_dbus_method_invocation_return_value (invocation, NULL);
}

static gboolean
is_asked (SampleWindow *sample, gconstpointer data)
{
  return shown != NULL;
}

static void
test_a_file_manager_is_asked_to_show_the_file (SampleWindow *sample, gconstpointer data)
{
  static const GDBusInterfaceVTable table = { .method_call = on_call };
  g_autoptr (GDBusNodeInfo) node = g_dbus_node_info_new_for_xml (interface, NULL);
  g_autoptr (GDBusConnection) bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);
  guint object = g_dbus_connection_register_object (bus, "/org/freedesktop/FileManager1", node->interfaces[0], &table,
                                                    NULL, NULL, NULL);
  guint name = g_bus_own_name_on_connection (bus, FILES, G_BUS_NAME_OWNER_FLAGS_NONE, NULL, NULL, NULL, NULL);

  culprit_study_window_show_page (sample->window, "outliers");
  sample_window_choose (sample, SAMPLE_WINDOW_CAPTURE);
  sample_window_settle ();

  /* Nothing was there when the window began. */
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (sample->window), "show-in-files"));
  g_simple_action_set_enabled (
      G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (sample->window), "show-in-files")), TRUE);
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "show-in-files", NULL);
  sample_window_wait_until (is_asked, sample, NULL);
  g_assert_true (g_str_has_prefix (shown, "file:///"));
  g_assert_true (g_str_has_suffix (shown, "sample.captures/slides-003.dat"));
  g_free (shown);
  g_bus_unown_name (name);
  g_dbus_connection_unregister_object (bus, object);
}

int
main (int argc, char **argv)
{
  GTestDBus *bus = g_test_dbus_new (G_TEST_DBUS_NONE); /* It ends with us: the application keeps its connection. */

  if (!sample_window_begin (&argc, &argv))
    return 77;
  g_test_dbus_up (bus);
  sample_window_add ("/files/a-file-manager-is-asked-to-show-the-file", test_a_file_manager_is_asked_to_show_the_file);
  return g_test_run ();
}
