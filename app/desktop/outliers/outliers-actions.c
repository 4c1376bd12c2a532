/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps the window's actions to functions of the Outliers page. */
#include "outliers/outliers-actions.h"

static void
triage (GSimpleAction *action, GVariant *value, gpointer data)
{
  outliers_page_triage (data, g_variant_get_string (value, NULL));
}

static void
note (GSimpleAction *action, GVariant *value, gpointer data)
{
  outliers_page_note (data, g_variant_get_string (value, NULL));
}

static void
group (GSimpleAction *action, GVariant *value, gpointer data)
{
  g_simple_action_set_state (action, value);
  outliers_page_group (data, g_variant_get_boolean (value));
}

/* What is shown already is shown no longer. */
static void
show_cause (GSimpleAction *action, GVariant *value, gpointer data)
{
  g_autoptr (GVariant) state = g_action_get_state (G_ACTION (action));
  gboolean shown = g_variant_equal (state, value);

  outliers_page_show_cause (data, shown ? "" : g_variant_get_string (value, NULL));
}

/* Those of which the caller knows why: a host's. */
static void
show_captures (GSimpleAction *action, GVariant *value, gpointer data)
{
  g_autoptr (GVariant) list = g_variant_get_child_value (value, 1);
  g_autoptr (GArray) captures = g_array_new (FALSE, FALSE, sizeof (gint64));
  const char *whose;
  gsize n;
  const gint64 *numbers = g_variant_get_fixed_array (list, &n, sizeof *numbers);

  g_variant_get_child (value, 0, "&s", &whose);
  g_array_append_vals (captures, numbers, n);
  outliers_page_show_captures (data, captures, whose);
}

static void
on_cause (OutliersPage *page, GParamSpec *spec, GSimpleAction *action)
{
  g_autofree char *cause = NULL;

  g_object_get (page, "cause", &cause, NULL);
  g_simple_action_set_state (action, g_variant_new_string (cause));
}

static const GActionEntry actions[] = {
  { .name = "triage", .activate = triage, .parameter_type = "s" },
  { .name = "note", .activate = note, .parameter_type = "s" },
  { .name = "cause", .activate = show_cause, .parameter_type = "s", .state = "''" },
  { .name = "captures", .activate = show_captures, .parameter_type = "(sax)" },
  { .name = "group", .state = "false", .change_state = group },
};

void
outliers_actions_add (GActionMap *map, OutliersPage *page)
{
  g_action_map_add_action_entries (map, actions, G_N_ELEMENTS (actions), page);
  g_signal_connect_object (page, "notify::cause", G_CALLBACK (on_cause), g_action_map_lookup_action (map, "cause"), 0);
}
