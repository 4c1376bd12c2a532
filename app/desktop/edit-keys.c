/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Not accelerators, which would come before the fields: a controller in the bubble phase. */
#include "edit-keys.h"

static const struct
{
  const char *key;
  const char *action;
} edit_keys[] = {
  { "<Control>z", "win.undo" },
  { "<Control><Shift>z", "win.redo" },
  { "<Control>c", "win.copy" },
};

/* A field leaves a key as well when it has nothing to take back. */
static gboolean
on_edit_key (GtkWidget *window, GVariant *arguments, gpointer action)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (window));

  return !(focus && GTK_IS_EDITABLE (focus)) && gtk_widget_activate_action (window, action, NULL);
}

void
edit_keys_add (GtkWidget *window)
{
  GtkEventController *controller = gtk_shortcut_controller_new ();

  for (guint i = 0; i < G_N_ELEMENTS (edit_keys); i++)
    gtk_shortcut_controller_add_shortcut (
        GTK_SHORTCUT_CONTROLLER (controller),
        gtk_shortcut_new (gtk_shortcut_trigger_parse_string (edit_keys[i].key),
                          gtk_callback_action_new (on_edit_key, (gpointer) edit_keys[i].action, NULL)));
  gtk_widget_add_controller (window, controller);
}
