/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of a list, each with the time and a sentence. The oldest go when there are too many. */
#include "record/live-log.h"

#include "json-private.h"
#include "units.h"

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
  GtkWidget *label = gtk_label_new (text);

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
  gtk_widget_set_tooltip_text (row, capture != 0 ? "Show this capture" : NULL);
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

/* Lines. */

static void
say_calibration (GtkWidget *log, JsonObject *line)
{
  g_autofree char *median = culprit_time_format (json_member_int (line, "latency_median_ns", 0));
  g_autofree char *shortest = culprit_time_format (json_member_int (line, "shortest_period_ns", 0));
  g_autofree char *text =
      g_strdup_printf ("Under tracing a wake-up takes %s here; the shortest sound period is %s.", median, shortest);

  live_log_say (log, LOG_PLAIN, text);
}

static void
say_imported (GtkWidget *log, JsonObject *line)
{
  g_autofree char *latency = culprit_time_format (json_member_int (line, "latency_ns", 0));
  const char *warning = json_member_text (line, "warning");
  gint64 capture = json_member_int (line, "capture", 0);
  gint64 ordinary = json_member_int (line, "ordinary_windows", 0);
  g_autofree char *text = g_strdup_printf (
      "Capture %" G_GINT64_FORMAT ": %s late, beside %" G_GINT64_FORMAT " ordinary wake-up%s%s%s", capture, latency,
      ordinary, culprit_plural (ordinary), warning ? "; " : ".", warning ? warning : "");

  add_row (log, warning ? LOG_WARNING : LOG_PLAIN, text, capture);
}

static void
say_run (GtkWidget *log, JsonObject *line)
{
  const char *tracing = json_member_text (line, "tracing");
  g_autofree char *text = g_strdup_printf ("Run %" G_GINT64_FORMAT " begins, tracing %s.",
                                           json_member_int (line, "run", 0), tracing ? tracing : "off");

  live_log_say (log, LOG_PLAIN, text);
}

static void
say_run_end (GtkWidget *log, JsonObject *line)
{
  g_autofree char *max = culprit_time_format (json_member_int (line, "max_ns", 0));
  gint64 faults = json_member_int (line, "page_faults", 0);
  gint64 cycles = json_member_int (line, "cycles", 0);
  g_autofree char *spoilt = faults > 0 ? g_strdup_printf (" The measuring threads had %" G_GINT64_FORMAT
                                                          " page faults, which should be none.",
                                                          faults)
                                       : g_strdup ("");
  g_autofree char *text =
      g_strdup_printf ("Run %" G_GINT64_FORMAT " ends after %" G_GINT64_FORMAT
                       " cycle%s, the latest %s; %" G_GINT64_FORMAT " late, %" G_GINT64_FORMAT " missed.%s",
                       json_member_int (line, "run", 0), cycles, culprit_plural (cycles), max,
                       json_member_int (line, "late", 0), json_member_int (line, "missed", 0), spoilt);

  live_log_say (log, faults > 0 ? LOG_WARNING : LOG_PLAIN, text);
}

static void
say_note (GtkWidget *log, JsonObject *line)
{
  const char *text = json_member_text (line, "text");

  if (text)
    live_log_say (log, LOG_WARNING, text);
}

void
live_log_take (GtkWidget *log, JsonObject *line)
{
  static const struct
  {
    const char *type;
    void (*say) (GtkWidget *log, JsonObject *line);
  } told[] = { { "calibration", say_calibration },
               { "run", say_run },
               { "imported", say_imported },
               { "run-end", say_run_end },
               { "note", say_note } };

  for (guint i = 0; i < G_N_ELEMENTS (told); i++)
    if (g_strcmp0 (json_member_text (line, "type"), told[i].type) == 0)
      told[i].say (log, line);
}

GtkWidget *
live_log_new (void)
{
  GtkWidget *log = gtk_scrolled_window_new ();
  GtkWidget *list = gtk_list_box_new ();

  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, "What happened", -1);
  g_signal_connect (list, "row-activated", G_CALLBACK (on_row), NULL);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (log), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (log), list);
  gtk_widget_set_vexpand (log, TRUE);
  g_object_set_data (G_OBJECT (log), "list", list);
  return log;
}
