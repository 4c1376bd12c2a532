/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Creates the widget for each kind of field. */
#include "record/field-input.h"

#include "show.h"

typedef struct
{
  void (*changed) (gpointer data);
  gpointer data;
} Listener;

static void
on_changed (Listener *listener)
{
  listener->changed (listener->data);
}

static void
listener_free (gpointer data, GClosure *closure)
{
  g_free (data);
}

static GtkWidget *
choice_new (const Field *field)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

  for (const FieldChoice *choice = field_choices (field); choice->value; choice++)
    show_in_list (titles, choice->title);
  return gtk_drop_down_new (G_LIST_MODEL (g_steal_pointer (&titles)), NULL);
}

static GtkWidget *
entry_new (const Field *field)
{
  GtkWidget *entry = gtk_entry_new ();

  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), field->hint);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 12);
  return entry;
}

GtkWidget *
field_input_new (const Field *field, void (*changed) (gpointer data), gpointer data)
{
  Listener *listener = g_new (Listener, 1);
  GtkWidget *input;
  const char *signal = "changed";

  *listener = (Listener) { changed, data };
  if (field_choices (field))
    {
      input = choice_new (field);
      signal = "notify::selected";
    }
  else if (field->kind == FIELD_SWITCH)
    {
      input = gtk_switch_new ();
      gtk_widget_set_halign (input, GTK_ALIGN_START);
      signal = "notify::active";
    }
  else
    input = entry_new (field);
  gtk_widget_set_valign (input, GTK_ALIGN_CENTER);
  gtk_widget_set_hexpand (input, TRUE);
  gtk_widget_set_name (input, field->key);
  show_tooltip (input, field->explain);
  field_input_set (field, input, NULL);
  g_signal_connect_data (input, signal, G_CALLBACK (on_changed), listener, listener_free, G_CONNECT_SWAPPED);
  return input;
}

const char *
field_input_text (const Field *field, GtkWidget *input)
{
  if (field_choices (field))
    return field_choices (field)[gtk_drop_down_get_selected (GTK_DROP_DOWN (input))].value;
  if (field->kind == FIELD_SWITCH)
    return gtk_switch_get_active (GTK_SWITCH (input)) ? "true" : "";
  return gtk_editable_get_text (GTK_EDITABLE (input));
}

static gboolean
choose (const Field *field, GtkWidget *input, const char *text)
{
  for (guint i = 0; field_choices (field)[i].value; i++)
    if (!text || g_str_equal (field_choices (field)[i].value, text))
      {
        gtk_drop_down_set_selected (GTK_DROP_DOWN (input), i);
        return TRUE;
      }
  return FALSE;
}

gboolean
field_input_set (const Field *field, GtkWidget *input, const char *text)
{
  text = text ? text : field->value;
  if (field_choices (field))
    return choose (field, input, text);
  if (field->kind == FIELD_SWITCH)
    gtk_switch_set_active (GTK_SWITCH (input), g_strcmp0 (text, "true") == 0);
  else
    show_in_field (input, text ? text : "");
  return TRUE;
}

void
field_input_mark (const Field *field, GtkWidget *input, const char *problem)
{
  if (problem)
    gtk_widget_add_css_class (input, "error");
  else
    gtk_widget_remove_css_class (input, "error");
  gtk_accessible_update_state (GTK_ACCESSIBLE (input), GTK_ACCESSIBLE_STATE_INVALID,
                               problem ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
  show_tooltip (input, problem ? problem : field->explain);
}
