/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields that no recorder knows, and what all fields have in common. */
#include "record/fields.h"

static const SettingChoice targets[] = {
  { "local", "This machine" }, { "ssh", "SSH" }, { "vm", "Virtual machine" }, { 0 }
};
static const SettingChoice triggers[] = { { "none", "None: latencies only" },
                                          { "threshold", "Later than a threshold" },
                                          { "band", "Latency within a band" },
                                          { 0 } };

static const Setting own_fields[] = {
  { "target", SETTING_CHOICE, .choices = targets, .name = "target", .title = "Machine",
    .help = "The machine whose wake-ups are measured", .group = GROUP_TARGET },
  { "host", SETTING_TEXT, .name = "host", .title = "Host", .hint = "root@board", .where = "target=ssh",
    .help = "SSH host; culprit-recorder must be installed there, with root access", .group = GROUP_TARGET,
    .needed = true },
  { "trigger", SETTING_CHOICE, .choices = triggers, .name = "trigger", .title = "Capture",
    .help = "Which wake-ups to capture with their trace", .group = GROUP_TRIGGER },
  { "run", SETTING_TEXT, .name = "run", .title = "Name", .first = "run", .hint = "run",
    .help = "Name in the study; a number is added if it exists already", .group = GROUP_RUN },
  { "load", SETTING_CHOICE, .choices = culprit_loads, .name = "load", .title = "Load",
    .help = "Background load while measuring", .group = GROUP_LOAD },
  { "load_command", SETTING_TEXT, .name = "load_command", .title = "Command", .hint = "stress-ng --usb 1",
    .where = "load=own", .help = "Run by sh -c on the target", .group = GROUP_LOAD, .needed = true },
  { 0 },
};

void
field_each (SettingGroup group, void (*act) (const Setting *field, gpointer data), gpointer data)
{
  const Setting *const tables[] = { own_fields, recording_settings, culprit_vm_settings };

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    for (const Setting *field = tables[i]; field->key; field++)
      if (field->title && field->group == group)
        act (field, data);
}

const SettingChoice *
field_choice (const Setting *field, guint place)
{
  const SettingChoice *choice = &field->choices[place];

  if (field->open.value)
    choice = place == 0 ? &field->open : choice - 1;
  return choice->value ? choice : NULL;
}

char *
field_problem (const Setting *field, const char *text)
{
  g_autoptr (JsonObject) object = json_object_new ();
  g_autofree char *demand = NULL;

  if (strspn (text, " ") == strlen (text))
    return field->needed ? g_strdup_printf ("“%s” is needed.", field->title) : NULL;
  if (g_strcmp0 (text, field->open.value) == 0 || culprit_setting_set (object, field, text))
    return NULL;
  demand = culprit_setting_demand (field);
  return g_strdup_printf ("“%s” %s.", field->title, demand);
}

void
field_store (const Setting *field, const char *text, JsonObject *object)
{
  gboolean listed = field->kind == SETTING_NAMES || field->kind == SETTING_FILES;
  g_auto (GStrv) parts = text && listed ? g_strsplit_set (text, field->kind == SETTING_FILES ? ";" : " ,", -1) : NULL;

  for (char **part = parts; part && *part; part++)
    if (*g_strstrip (*part))
      culprit_setting_set (object, field, *part);
  if (text && !listed && g_strcmp0 (text, field->open.value) != 0)
    culprit_setting_set (object, field, text);
}
