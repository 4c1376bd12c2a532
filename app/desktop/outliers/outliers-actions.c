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

static const GActionEntry actions[] = {
  { .name = "triage", .activate = triage, .parameter_type = "s" },
  { .name = "note", .activate = note, .parameter_type = "s" },
  { .name = "group", .state = "false", .change_state = group },
};

void
outliers_actions_add (GActionMap *map, OutliersPage *page)
{
  g_action_map_add_action_entries (map, actions, G_N_ELEMENTS (actions), page);
}
