/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the log of a recording: one row per event, with time and sentence. The oldest rows are removed when there are
 * too many. */
#include "record/live-log.h"

#include "record/words.h"
#include "show.h"

#define MOST_ROWS 500

static GtkListBox *
list_of (GtkWidget *log)
{
  return g_object_get_data (G_OBJECT (log), "list");
}

/* A row is followed to its capture. */
static void
on_row (GtkListBox *list, GtkListBoxRow *row, gpointer data)
{
  gint64 capture = GPOINTER_TO_SIZE (g_object_get_data (G_OBJECT (row), "capture"));

  if (capture == 0)
    return;
  gtk_widget_activate_action (GTK_WIDGET (list), "win.capture", "x", capture);
  gtk_widget_activate_action (GTK_WIDGET (list), "win.page", "s", "outliers");
}

static GtkWidget *
make_label (const char *text, const char *class)
{
  GtkWidget *label = show_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_yalign (GTK_LABEL (label), 0);
  if (class)
    gtk_widget_add_css_class (label, class);
  return label;
}

/* After the row was laid out: shows the end of the list. */
static gboolean
scroll_down (gpointer data)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (data));

  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
  return G_SOURCE_REMOVE;
}

static void
add_row (GtkWidget *log, LogKind kind, const char *text, gint64 capture)
{
  static const char *const icons[] = { NULL, "dialog-warning-symbolic", "dialog-error-symbolic" };
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *time = g_date_time_format (now, "%H:%M:%S");
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *label = make_label (text, NULL);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box), make_label (time, "dim-label"));
  if (icons[kind])
    gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name (icons[kind]));
  gtk_box_append (GTK_BOX (box), label);
  if (capture != 0)
    gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("go-next-symbolic"));
  gtk_widget_add_css_class (box, "log-row");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), capture != 0);
  show_tooltip (row, capture != 0 ? "Show this capture" : NULL);
  g_object_set_data (G_OBJECT (row), "capture", GSIZE_TO_POINTER ((gsize) capture));
  gtk_list_box_append (list_of (log), row);
  if (gtk_list_box_get_row_at_index (list_of (log), MOST_ROWS))
    gtk_list_box_remove (list_of (log), GTK_WIDGET (gtk_list_box_get_row_at_index (list_of (log), 0)));
  g_idle_add_full (G_PRIORITY_LOW, scroll_down, g_object_ref (log), g_object_unref);
}

void
live_log_say (GtkWidget *log, LogKind kind, const char *text)
{
  add_row (log, kind, text, 0);
}

void
live_log_clear (GtkWidget *log)
{
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (list_of (log), 0)))
    gtk_list_box_remove (list_of (log), GTK_WIDGET (row));
}

void
live_log_take (GtkWidget *log, const CulpritMessage *message)
{
  g_autofree char *words = culprit_message_words (message, CULPRIT_IN_WINDOW);

  if (words)
    add_row (log, culprit_message_warns (message) ? LOG_WARNING : LOG_PLAIN, words,
             message->type == CULPRIT_MESSAGE_IMPORTED ? message->capture : 0);
}

GtkWidget *
live_log_new (void)
{
  GtkWidget *log = gtk_scrolled_window_new ();
  GtkWidget *list = gtk_list_box_new ();

  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, "Recording log", -1);
  g_signal_connect (list, "row-activated", G_CALLBACK (on_row), NULL);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (log), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (log), list);
  gtk_widget_set_vexpand (log, TRUE);
  g_object_set_data (G_OBJECT (log), "list", list);
  return log;
}
