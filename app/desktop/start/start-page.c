/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows buttons bound to actions, and the recent studies as a list. */
#include "start/start-page.h"

#include "application.h"
#include "show.h"

static GtkWidget *
make_label (const char *text, const char *class)
{
  GtkWidget *label = show_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_CENTER);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 70);
  gtk_widget_add_css_class (label, class);
  return label;
}

static GtkWidget *
make_button (const char *label, const char *action, GVariant *target, const char *tooltip)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_actionable_set_action_target_value (GTK_ACTIONABLE (button), target);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  show_tooltip (button, tooltip);
  gtk_widget_set_size_request (button, 150, 40);
  return button;
}

static void
add_recent (GtkWidget *list, const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *folder = g_path_get_dirname (path);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *title = show_label_new (name);
  GtkWidget *place = show_label_new (folder);

  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_xalign (GTK_LABEL (place), 0);
  gtk_label_set_ellipsize (GTK_LABEL (place), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_add_css_class (title, "heading");
  gtk_widget_add_css_class (place, "dim-label");
  gtk_widget_add_css_class (box, "recent-row");
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), place);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", path);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "app.open-recent");
  gtk_list_box_append (GTK_LIST_BOX (list), row);
}

static GtkWidget *
make_recent (char **paths)
{
  GtkWidget *list = gtk_list_box_new ();
  guint shown = 0;

  gtk_widget_add_css_class (list, "frame");
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_set_size_request (list, 480, -1);
  gtk_widget_set_halign (list, GTK_ALIGN_CENTER);
  for (; paths && *paths; paths++)
    if (g_file_test (*paths, G_FILE_TEST_EXISTS))
      {
        add_recent (list, *paths);
        shown++;
      }
  gtk_widget_set_visible (list, shown > 0);
  return list;
}

GtkWidget *
start_page_new (GSettings *settings)
{
  g_auto (GStrv) recent = settings ? g_settings_get_strv (settings, "recent-studies") : NULL;
  GtkWidget *page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18);
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *open = make_button ("Open Study…", "win.open", NULL, "Open a .culprit file");

  gtk_widget_set_halign (page, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (page, GTK_ALIGN_CENTER);
  gtk_widget_set_halign (buttons, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (open, "suggested-action");
  gtk_box_append (GTK_BOX (buttons), open);
  gtk_box_append (GTK_BOX (buttons),
                  make_button ("Import Captures…", "win.import", NULL, "Create a study from trace.dat files"));
  gtk_box_append (GTK_BOX (buttons),
                  make_button ("Record…", "win.new-study", NULL, "Create a study and record late wake-ups into it"));
  if (sample_exists ())
    gtk_box_append (GTK_BOX (buttons), make_button ("Open the Sample", "app.open-sample", NULL,
                                                    "A real case: a function called far too often"));
  gtk_box_append (GTK_BOX (page), make_label ("Which function made it late?", "title-1"));
  gtk_box_append (
      GTK_BOX (page),
      make_label (
          "A study holds many captures of late wake-ups. From all of them together, Culprit finds the kernel function "
          "to blame and says how certain that is. Drop a study or captures here, or start with one of these.",
          "dim-label"));
  gtk_box_append (GTK_BOX (page), buttons);
  gtk_box_append (GTK_BOX (page), make_recent (recent));
  return page;
}
