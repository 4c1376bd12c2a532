/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps the window's actions to functions of the Record page, and shows the page where that helps. */
#include "record/record-actions.h"

static void
show_page (GtkWidget *page)
{
  gtk_widget_activate_action (page, "win.page", "s", "record");
}

static void
record_band (GSimpleAction *action, GVariant *value, gpointer page)
{
  const char *run;
  gint64 low_ns;
  gint64 high_ns;

  g_variant_get (value, "(&sxx)", &run, &low_ns, &high_ns);
  show_page (page);
  gtk_widget_activate_action (page, "win.dismiss", NULL);
  record_page_band (page, run, low_ns, high_ns);
}

static void
record_threshold (GSimpleAction *action, GVariant *value, gpointer page)
{
  const char *run;
  gint64 threshold_ns;

  g_variant_get (value, "(&sx)", &run, &threshold_ns);
  show_page (page);
  gtk_widget_activate_action (page, "win.dismiss", NULL);
  record_page_threshold (page, run, threshold_ns);
}

static void
record_in_turn (GSimpleAction *action, GVariant *value, gpointer page)
{
  show_page (page);
  gtk_widget_activate_action (page, "win.dismiss", NULL);
  record_page_in_turn (page, g_variant_get_string (value, NULL));
}

static void
record_like (GSimpleAction *action, GVariant *value, gpointer page)
{
  const char *run;
  const char *graph;
  gint64 captures;

  g_variant_get (value, "(&s&sx)", &run, &graph, &captures);
  show_page (page);
  gtk_widget_activate_action (page, "win.dismiss", NULL);
  record_page_like (page, run, graph, captures);
}

static void
record_start (GSimpleAction *action, GVariant *value, gpointer page)
{
  record_page_start (page, g_variant_get_string (value, NULL));
  show_page (page);
}

static void
record_stop (GSimpleAction *action, GVariant *value, gpointer page)
{
  record_page_stop (page);
}

static void
record_check (GSimpleAction *action, GVariant *value, gpointer page)
{
  record_page_check (page);
  show_page (page);
}

static void
record_vm (GSimpleAction *action, GVariant *value, gpointer page)
{
  show_page (page);
  record_page_use_vm (page);
}

/* To true it records what the form says. */
static void
change_recording (GSimpleAction *action, GVariant *value, gpointer page)
{
  if (g_variant_get_boolean (value))
    record_page_start (page, NULL);
  else
    record_page_stop (page);
}

static void
on_recording (RecordPage *page, GParamSpec *spec, GSimpleAction *action)
{
  g_simple_action_set_state (action, g_variant_new_boolean (record_page_recording (page)));
  if (record_page_recording (page))
    gtk_widget_activate_action (GTK_WIDGET (page), "win.dismiss", NULL);
}

static const GActionEntry actions[] = {
  { .name = "record-band", .activate = record_band, .parameter_type = "(sxx)" },
  { .name = "record-like", .activate = record_like, .parameter_type = "(ssx)" },
  { .name = "record-threshold", .activate = record_threshold, .parameter_type = "(sx)" },
  { .name = "record-in-turn", .activate = record_in_turn, .parameter_type = "s" },
  { .name = "record-start", .activate = record_start, .parameter_type = "s" },
  { .name = "record-stop", .activate = record_stop },
  { .name = "record-vm", .activate = record_vm },
  { .name = "record-check", .activate = record_check },
  { .name = "recording", .state = "false", .change_state = change_recording },
};

void
record_actions_add (GActionMap *map, RecordPage *page)
{
  g_action_map_add_action_entries (map, actions, G_N_ELEMENTS (actions), page);
  g_signal_connect_object (page, "notify::recording", G_CALLBACK (on_recording),
                           g_action_map_lookup_action (map, "recording"), 0);
}
