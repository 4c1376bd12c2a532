/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An option for each setting that has one; what they are given is read by record/request.c. */
#include "record-options.h"

#include "command.h"

static void
add_entry (RecordOptions *options, GOptionEntry entry)
{
  g_array_append_val (options->entries, entry);
}

/* "How the task waits: nanosleep (default) or poll", "Maximum call depth (default: no limit)". */
static const char *
describe (RecordOptions *options, const Setting *setting)
{
  g_autofree char *choices =
      setting->choices ? culprit_setting_choices (setting, setting->hint ? "" : " (default)") : NULL;
  g_autofree char *hint = setting->needed ? NULL : culprit_setting_hint (setting);
  char *help = g_strdup_printf ("%s%s%s%s%s%s", setting->help, choices ? ": " : "", choices ? choices : "",
                                hint ? " (default: " : "", hint ? hint : "", hint ? ")" : "");

  g_ptr_array_add (options->helps, help);
  return help;
}

/* Those of @table, or of them only those with these @keys. */
static void
add_settings (RecordOptions *options, const Setting *table, const char *const *keys)
{
  for (const Setting *setting = table; setting->key; setting++)
    if (culprit_setting_option (setting) && (!keys || g_strv_contains (keys, setting->key)))
      {
        SettingOption *option = &options->settings[options->n++];
        gboolean repeats = setting->kind == SETTING_NAMES || setting->kind == SETTING_FILES;
        gboolean is_switch = setting->kind == SETTING_SWITCH;

        g_assert (options->n <= MOST_SETTINGS);
        option->table = table;
        option->setting = setting;
        add_entry (options, (GOptionEntry) { culprit_setting_option (setting), 0, 0,
                                             is_switch ? G_OPTION_ARG_NONE
                                             : repeats ? G_OPTION_ARG_STRING_ARRAY
                                                       : G_OPTION_ARG_STRING,
                                             is_switch ? (gpointer) &option->on
                                             : repeats ? (gpointer) &option->texts
                                                       : &option->text,
                                             describe (options, setting), setting->argument });
      }
}

static void
init (RecordOptions *options, gboolean records, const char *name, const char *const *keys)
{
  *options = (RecordOptions) { .helps = g_ptr_array_new_with_free_func (g_free),
                               .entries = g_array_new (TRUE, TRUE, sizeof (GOptionEntry)) };
  if (records)
    {
      add_entry (options, (GOptionEntry) { "run", 0, 0, G_OPTION_ARG_STRING, &options->run, name, "NAME" });
      add_settings (options, recording_settings, keys);
    }
  add_entry (options, (GOptionEntry) { "target", 0, 0, G_OPTION_ARG_STRING, &options->target,
                                       "Machine: local (default), ssh:[USER@]HOST or vm", "TARGET" });
  add_settings (options, culprit_vm_settings, NULL);
}

void
record_options_init (RecordOptions *options, gboolean records)
{
  init (options, records, "Name in the study (default: run)", NULL);
}

void
record_options_init_some (RecordOptions *options, const char *name, const char *const *keys)
{
  init (options, TRUE, name, keys);
}

static gboolean
is_given (const SettingOption *option)
{
  return option->text || option->texts || option->on;
}

gboolean
record_options_have (const RecordOptions *options, const char *key)
{
  for (guint i = 0; i < options->n; i++)
    if (is_given (&options->settings[i]) && g_str_equal (options->settings[i].setting->key, key))
      return TRUE;
  return FALSE;
}

const char *
record_options_given (const RecordOptions *options)
{
  for (guint i = 0; i < options->n; i++)
    if (is_given (&options->settings[i]))
      return culprit_setting_option (options->settings[i].setting);
  return options->target ? "target" : NULL;
}

void
record_options_clear (RecordOptions *options)
{
  for (guint i = 0; i < options->n; i++)
    {
      g_free (options->settings[i].text);
      g_strfreev (options->settings[i].texts);
    }
  g_free (options->target);
  g_free (options->run);
  g_ptr_array_unref (options->helps);
  g_array_unref (options->entries);
}

/* Sets the members of @object for the settings of @table that were given. */
static gboolean
read_settings (const RecordOptions *options, const Setting *table, JsonObject *object, GError **error)
{
  for (guint i = 0; i < options->n; i++)
    {
      const SettingOption *option = &options->settings[i];

      if (option->table != table)
        continue;
      if (option->on && !culprit_option_set (object, option->setting, "true", error))
        return FALSE;
      if (option->text && !culprit_option_set (object, option->setting, option->text, error))
        return FALSE;
      for (char **text = option->texts; text && *text; text++)
        if (!culprit_option_set (object, option->setting, *text, error))
          return FALSE;
    }
  return TRUE;
}

CulpritTarget *
record_options_target (const RecordOptions *options, GError **error)
{
  g_autoptr (CulpritTarget) target = culprit_target_parse (options->target ? options->target : "local", error);

  if (!target || !read_settings (options, culprit_vm_settings, target->vm, error))
    return NULL;
  if (json_object_get_size (target->vm) > 0 && target->kind != CULPRIT_TARGET_VM)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "options --vm-... need --target vm");
      return NULL;
    }
  return g_steal_pointer (&target);
}

JsonObject *
record_options_settings (const RecordOptions *options, GError **error)
{
  g_autoptr (JsonObject) settings = json_object_new ();

  if (options->run && !*options->run)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "--run must not be empty");
      return NULL;
    }
  if (!read_settings (options, recording_settings, settings, error))
    return NULL;
  return g_steal_pointer (&settings);
}

JsonObject *
record_options_request (const RecordOptions *options, GError **error)
{
  JsonObject *request = record_options_settings (options, error);

  if (request)
    culprit_request_complete (request);
  return request;
}

int
target_fail (const CulpritTarget *target, GError *error)
{
  char *words = target ? culprit_target_error_words (error, target->name, CULPRIT_AT_COMMAND) : NULL;

  if (words)
    {
      g_free (error->message);
      error->message = words;
    }
  return command_fail (error);
}
