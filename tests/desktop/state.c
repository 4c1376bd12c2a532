/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the window keeps is there in the next session, whatever a study is called and whatever is in the file. */
#include "state.h"

#include <gio/gio.h>
#include <glib/gstdio.h>

static void
test_what_was_set_is_there_after_closing (void)
{
  g_autofree char *group = state_group_of ("/tmp/a study [1]\n=ü.culprit");
  g_autofree char *other = state_group_of ("/tmp/a study [2]\n=ü.culprit");
  g_autofree char *text = NULL;

  g_assert_cmpstr (group, !=, other);
  g_assert_null (state_text (group, "form"));
  g_assert_cmpint (state_integer (group, "width", 7), ==, 7);
  state_set_text (group, "form", " two\nlines; “quoted” ");
  state_set_integer (group, "width", -3);
  state_close ();
  text = state_text (group, "form");
  g_assert_cmpstr (text, ==, " two\nlines; “quoted” ");
  g_assert_cmpint (state_integer (group, "width", 7), ==, -3);
  g_assert_null (state_text (other, "form"));
  state_set_text (group, "form", NULL);
  state_close ();
  g_assert_null (state_text (group, "form"));
  state_close ();
}

static void
test_a_damaged_file_keeps_nothing_and_is_replaced (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_state_dir (), "culprit", NULL);
  g_autofree char *path = g_build_filename (folder, "desktop.ini", NULL);

  g_mkdir_with_parents (folder, 0700);
  g_assert_true (g_file_set_contents (path, "\x7f not a key file [", -1, NULL));
  g_assert_cmpint (state_integer ("sizes", "width", 7), ==, 7);
  state_set_integer ("sizes", "width", 5);
  state_close ();
  g_assert_cmpint (state_integer ("sizes", "width", 7), ==, 5);
  state_close ();
}

/* Any object with a property that is an integer. */
static void
test_a_property_is_kept (void)
{
  g_autoptr (GSocketService) first = g_socket_service_new ();
  g_autoptr (GSocketService) next = g_socket_service_new ();
  int backlog;

  state_keep (first, "listen-backlog", "sizes", "backlog");
  g_object_set (first, "listen-backlog", 23, NULL);
  state_close ();
  state_keep (next, "listen-backlog", "sizes", "backlog");
  g_object_get (next, "listen-backlog", &backlog, NULL);
  g_assert_cmpint (backlog, ==, 23);
  state_close ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/state/what-was-set-is-there-after-closing", test_what_was_set_is_there_after_closing);
  g_test_add_func ("/state/a-damaged-file-keeps-nothing-and-is-replaced",
                   test_a_damaged_file_keeps_nothing_and_is_replaced);
  g_test_add_func ("/state/a-property-is-kept", test_a_property_is_kept);
  return g_test_run ();
}
