/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fills the list of recent studies; everything else is in start-page.ui. */
#include "start/start-page.h"

#include "show.h"
#include "state.h"

#include <adwaita.h>
#include <glib/gstdio.h>

#define STUDY "sample.culprit"
#define CAPTURES "sample.captures"

/* The folder with the sample: where it was installed, or the source tree. NULL: there is none. */
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

char *
sample_copy (GError **error)
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
  /* The study last: once it exists, the copy is complete. */
  return copy_captures (from, to, error) && copy (from, to, STUDY, error) ? g_steal_pointer (&study) : NULL;
}

static void
add_recent (GtkListBox *list, const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *title = shown_escaped (name);
  g_autofree char *subtitle = shown_escaped (folder);
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 1);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", path);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "app.open-recent");
  gtk_list_box_append (list, row);
}

void
start_page_add (GtkStack *stack)
{
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource ("/io/github/culprit/desktop/start/start-page.ui");
  GtkListBox *recent = GTK_LIST_BOX (gtk_builder_get_object (builder, "recent"));
  g_auto (GStrv) paths = state_settings () ? g_settings_get_strv (state_settings (), "recent-studies") : NULL;

  for (guint i = 0; paths && paths[i]; i++)
    if (g_file_test (paths[i], G_FILE_TEST_EXISTS))
      add_recent (recent, paths[i]);
  gtk_widget_set_visible (GTK_WIDGET (recent), gtk_list_box_get_row_at_index (recent, 0) != NULL);
  gtk_widget_set_visible (GTK_WIDGET (gtk_builder_get_object (builder, "sample")), find_folder () != NULL);
  gtk_stack_add_named (stack, GTK_WIDGET (gtk_builder_get_object (builder, "page")), "start");
}
