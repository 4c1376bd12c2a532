/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wraps the dialogs of GTK 4.8; GtkFileDialog and GtkAlertDialog came with 4.10. */
#include "compat.h"

typedef struct
{
  GtkWindow *parent; /* NULL: it is gone, and perhaps @data with it */
  CompatChosen chosen;
  gpointer data;
  GDestroyNotify destroy; /* of @data, or NULL */
} Asked;

static void
on_response (GtkNativeDialog *dialog, int response, gpointer data)
{
  Asked *asked = data;

  if (response == GTK_RESPONSE_ACCEPT && asked->parent)
    {
      g_autoptr (GListModel) list = gtk_file_chooser_get_files (GTK_FILE_CHOOSER (dialog));
      g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);

      for (guint i = 0; i < g_list_model_get_n_items (list); i++)
        g_ptr_array_add (files, g_list_model_get_item (list, i));
      if (files->len > 0)
        asked->chosen (files, asked->data);
    }
  g_clear_weak_pointer (&asked->parent);
  if (asked->destroy)
    asked->destroy (asked->data);
  g_free (asked);
  g_object_unref (dialog);
}

static GtkFileChooserNative *
make_dialog (GtkWindow *parent,
             const char *title,
             const char *folder,
             GtkFileChooserAction action,
             CompatChosen chosen,
             gpointer data,
             GDestroyNotify destroy)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (title, parent, action, NULL, NULL);
  Asked *asked = g_new (Asked, 1);

  *asked = (Asked) { NULL, chosen, data, destroy };
  g_set_weak_pointer (&asked->parent, parent);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  if (folder)
    {
      g_autoptr (GFile) file = g_file_new_for_path (folder);

      gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (dialog), file, NULL);
    }
  g_signal_connect (dialog, "response", G_CALLBACK (on_response), asked);
  return dialog;
}

void
compat_open (GtkWindow *parent,
             const char *title,
             const char *folder,
             const char *const *filters,
             CompatChosen chosen,
             gpointer data)
{
  GtkFileChooserNative *dialog = make_dialog (parent, title, folder, GTK_FILE_CHOOSER_ACTION_OPEN, chosen, data, NULL);

  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (dialog), TRUE);
  for (; *filters; filters += 2)
    {
      g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();
      g_auto (GStrv) patterns = g_strsplit (filters[1], ";", -1);

      gtk_file_filter_set_name (filter, filters[0]);
      for (guint i = 0; patterns[i]; i++)
        gtk_file_filter_add_pattern (filter, patterns[i]);
      gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (dialog), filter);
    }
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

void
compat_save (GtkWindow *parent,
             const char *title,
             const char *folder,
             const char *name,
             CompatChosen chosen,
             gpointer data,
             GDestroyNotify destroy)
{
  GtkFileChooserNative *dialog =
      make_dialog (parent, title, folder, GTK_FILE_CHOOSER_ACTION_SAVE, chosen, data, destroy);
  g_autofree char *valid = g_filename_display_name (name);

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), valid);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

void
compat_alert (GtkWindow *parent, const char *title, const char *text)
{
  GtkWidget *dialog = gtk_message_dialog_new (parent, GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                                              GTK_MESSAGE_ERROR, GTK_BUTTONS_CLOSE, "%s", title);

  gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (dialog), "%s", text);
  g_signal_connect (dialog, "response", G_CALLBACK (gtk_window_destroy), NULL);
  gtk_window_present (GTK_WINDOW (dialog));
}

void
compat_show (GtkWindow *parent, const char *path)
{
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);

  if (uri)
    gtk_show_uri (parent, uri, GDK_CURRENT_TIME);
}

static void
on_answer (GtkDialog *dialog, int response, gpointer data)
{
  void (*accepted) (gpointer parent) = data;
  g_autoptr (GtkWindow) parent = g_object_ref (gtk_window_get_transient_for (GTK_WINDOW (dialog)));

  gtk_window_set_transient_for (GTK_WINDOW (dialog),
                                NULL); /* It may be finalized last, and would still access its parent. */
  gtk_window_destroy (GTK_WINDOW (dialog));
  if (response == GTK_RESPONSE_ACCEPT)
    accepted (parent);
}

GtkWindow *
compat_ask (GtkWindow *parent,
            const char *title,
            const char *text,
            const char *cancel,
            const char *accept,
            gboolean destructive,
            void (*accepted) (gpointer parent))
{
  GtkWidget *dialog = gtk_message_dialog_new (parent, GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                                              GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE, "%s", title);
  GtkWidget *button;

  gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (dialog), "%s", text);
  gtk_dialog_add_button (GTK_DIALOG (dialog), cancel, GTK_RESPONSE_CANCEL);
  button = gtk_dialog_add_button (GTK_DIALOG (dialog), accept, GTK_RESPONSE_ACCEPT);
  gtk_widget_add_css_class (button, destructive ? "destructive-action" : "suggested-action");
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), GTK_RESPONSE_CANCEL);
  g_signal_connect (dialog, "response", G_CALLBACK (on_answer), accepted);
  return GTK_WINDOW (dialog);
}

void
compat_scroll_to (GtkColumnView *view, guint place)
{
  gtk_widget_activate_action (gtk_widget_get_last_child (GTK_WIDGET (view)), "list.scroll-to-item", "u", place);
}

gboolean
compat_focus_selected (GtkWidget *list)
{
  for (GtkWidget *row = gtk_widget_get_first_child (list); row; row = gtk_widget_get_next_sibling (row))
    if ((gtk_widget_get_state_flags (row) & GTK_STATE_FLAG_SELECTED) && gtk_widget_get_mapped (row))
      return gtk_widget_grab_focus (row);
  return FALSE;
}

static gboolean (*focus_row) (GtkWidget *list, GtkDirectionType direction);

static gboolean
focus_list (GtkWidget *list, GtkDirectionType direction)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (list));
  gboolean is_inside = focus && gtk_widget_is_ancestor (focus, list);

  if (direction != GTK_DIR_TAB_FORWARD && direction != GTK_DIR_TAB_BACKWARD)
    return focus_row (list, direction);
  return !is_inside && (compat_focus_selected (list) || focus_row (list, direction));
}

static gboolean (*grab_label) (GtkWidget *label);
static gboolean (*grab_text) (GtkWidget *text);

/* GTK looks at the last focus again after it has moved it. */
static gboolean
grab_holding (GtkWidget *widget, gboolean (*grab) (GtkWidget *widget))
{
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *focus = root ? gtk_root_get_focus (root) : NULL;
  gboolean grabbed;

  if (focus)
    g_object_ref (focus);
  grabbed = grab (widget);
  g_clear_object (&focus);
  return grabbed;
}

static gboolean
grab_label_holding (GtkWidget *label)
{
  return grab_holding (label, grab_label);
}

static gboolean
grab_text_holding (GtkWidget *text)
{
  return grab_holding (text, grab_text);
}

void
compat_mend_focus (void)
{
  GtkWidgetClass *lists = g_type_class_ref (GTK_TYPE_LIST_VIEW);
  GtkWidgetClass *labels = g_type_class_ref (GTK_TYPE_LABEL);
  GtkWidgetClass *texts = g_type_class_ref (GTK_TYPE_TEXT);

  if (lists->focus == focus_list)
    return;
  focus_row = lists->focus;
  lists->focus = focus_list;
  grab_label = labels->grab_focus;
  labels->grab_focus = grab_label_holding;
  grab_text = texts->grab_focus;
  texts->grab_focus = grab_text_holding;
}

int
compat_title_at (GtkColumnView *view, double x, double y)
{
  GtkWidget *titles = gtk_widget_get_first_child (GTK_WIDGET (view));
  GtkWidget *picked = gtk_widget_pick (titles, x, y, GTK_PICK_DEFAULT);
  int place = 0;

  for (GtkWidget *title = gtk_widget_get_first_child (titles); title; title = gtk_widget_get_next_sibling (title))
    {
      if (picked && (picked == title || gtk_widget_is_ancestor (picked, title)))
        return place;
      place += gtk_widget_get_visible (title);
    }
  return -1;
}

void
compat_align_title (GtkColumnView *view, guint place)
{
  GtkWidget *title = gtk_widget_get_first_child (gtk_widget_get_first_child (GTK_WIDGET (view)));

  for (; title && place > 0; place--)
    title = gtk_widget_get_next_sibling (title);
  if (title && gtk_widget_get_first_child (title))
    gtk_widget_set_halign (gtk_widget_get_first_child (title), GTK_ALIGN_END);
}
