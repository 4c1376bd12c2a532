/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One reader for each kind of setting. What depends on several settings is left to the recorder. */
#include "request.h"

#include "clean.h"
#include "json.h"
#include "units.h"

#include <string.h>

#define DEFAULT_LIMIT_NS 120000000000
#define MOST_CPU 1023
#define MOST_SAID 200 /* characters of a value */

/* Each built-in load keeps all CPUs busy with one kind of work. */
const SettingChoice culprit_loads[] = {
  { "none", "None" },
  { "cpu", "Computing", "stress-ng --cpu 0" },
  { "memory", "Memory and its bandwidth", "stress-ng --vm 0 --vm-bytes 50% --vm-keep" },
  { "pages", "Page tables and new processes", "stress-ng --fork 0 --mmap 2" },
  { "disk", "Files and disks", "stress-ng --hdd 1 --iomix 1" },
  { "network", "The network stack and softirqs", "stress-ng --udp 1 --sock 1" },
  { "timers", "Timers and their interrupts", "stress-ng --timer 1 --clock 1" },
  { "switch", "Context switches", "stress-ng --switch 0" },
  { "calls", "System calls and the files of the kernel", "stress-ng --get 1 --procfs 1 --sysfs 1" },
  { "own", "Custom command" },
  { 0 },
};

static const SettingChoice *
find_choice (const SettingChoice *choices, const char *value)
{
  for (; choices->value; choices++)
    if (g_str_equal (choices->value, value))
      return choices;
  return NULL;
}

/* Adds the CPUs of one part of a list: "2" or "4-7". FALSE if it is neither. */
static gboolean
add_cpu_range (JsonArray *cpus, const char *text)
{
  char *end;
  guint64 first = g_ascii_strtoull (text, &end, 10);
  guint64 last = first;

  if (end == text || !g_ascii_isdigit (*text))
    return FALSE;
  if (*end == '-')
    {
      text = end + 1;
      last = g_ascii_strtoull (text, &end, 10);
    }
  if (end == text || *end != '\0' || last < first || last > MOST_CPU)
    return FALSE;
  for (guint64 cpu = first; cpu <= last; cpu++)
    json_array_add_int_element (cpus, cpu);
  return TRUE;
}

static gboolean
set_cpus (JsonObject *object, const char *key, const char *text)
{
  g_auto (GStrv) ranges = g_strsplit (text, ",", -1);
  g_autoptr (JsonArray) cpus = json_array_new ();

  for (char **range = ranges; *range; range++)
    if (!add_cpu_range (cpus, *range))
      return FALSE;
  json_object_set_array_member (object, key, g_steal_pointer (&cpus));
  return TRUE;
}

static void
add_element (JsonObject *object, const char *key, const char *text)
{
  if (!json_object_has_member (object, key))
    json_object_set_array_member (object, key, json_array_new ());
  json_array_add_string_element (json_object_get_array_member (object, key), text);
}

gboolean
culprit_setting_set (JsonObject *object, const Setting *setting, const char *text)
{
  const SettingChoice *load;
  guint64 time_ns;
  gint64 number;

  switch (setting->kind)
    {
    case SETTING_TIME:
      if (!culprit_time_parse (text, &time_ns) || time_ns < (guint64) setting->least ||
          time_ns > (guint64) setting->most)
        return FALSE;
      json_object_set_int_member (object, setting->key, time_ns);
      return TRUE;
    case SETTING_NUMBER:
      if (!g_ascii_string_to_signed (text, 10, setting->least, setting->most, &number, NULL))
        return FALSE;
      json_object_set_int_member (object, setting->key, number);
      return TRUE;
    case SETTING_CPUS:
      return set_cpus (object, setting->key, text);
    case SETTING_SWITCH:
      json_object_set_boolean_member (object, setting->key, g_str_equal (text, "true"));
      return TRUE;
    case SETTING_NAMES:
    case SETTING_FILES:
      add_element (object, setting->key, text);
      return TRUE;
    case SETTING_COMMAND:
      load = find_choice (culprit_loads, text);
      if (load == culprit_loads) /* none */
        return TRUE;
      json_object_set_string_member (object, setting->key, load && load->command ? load->command : text);
      return TRUE;
    default:
      if (setting->choices && !setting->others && !find_choice (setting->choices, text))
        return FALSE;
      json_object_set_string_member (object, setting->key, text);
      return TRUE;
    }
}

char *
culprit_setting_choices (const Setting *setting, const char *mark)
{
  GString *text = g_string_new (NULL);

  for (const SettingChoice *choice = setting->choices; choice->value; choice++)
    g_string_append_printf (text, "%s%s%s",
                            choice == setting->choices           ? ""
                            : choice[1].value || setting->others ? ", "
                                                                 : " or ",
                            choice->value, choice == setting->choices ? mark : "");
  if (setting->others)
    g_string_append (text, " and so on");
  return g_string_free (text, FALSE);
}

char *
culprit_setting_demand (const Setting *setting)
{
  g_autofree char *range = culprit_time_format_range (setting->least, setting->most);
  g_autofree char *choices = setting->choices ? culprit_setting_choices (setting, "") : NULL;

  switch (setting->kind)
    {
    case SETTING_TIME:
      if (setting->most < G_MAXINT64 / 4)
        return g_strdup_printf ("must be a time from %s", range);
      return g_strdup ("must be a time with a unit, e.g. 5ms or 250us");
    case SETTING_NUMBER:
      if (setting->most > G_MAXINT32)
        return g_strdup_printf ("must be a whole number from %" G_GINT64_FORMAT, setting->least);
      return g_strdup_printf ("must be a whole number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT, setting->least,
                              setting->most);
    case SETTING_CPUS:
      return g_strdup_printf ("must be a list of CPUs from 0 to %d, such as 0,2-3", MOST_CPU);
    default:
      return g_strdup_printf ("must be %s", choices ? choices : "a text");
    }
}

char *
culprit_setting_hint (const Setting *setting)
{
  if (setting->hint || setting->kind != SETTING_NUMBER || setting->otherwise == 0)
    return g_strdup (setting->hint);
  return g_strdup_printf ("%" G_GINT64_FORMAT, setting->otherwise);
}

const char *
culprit_setting_option (const Setting *setting)
{
  return setting->option                                        ? setting->option
         : setting->argument || setting->kind == SETTING_SWITCH ? setting->name
                                                                : NULL;
}

gboolean
culprit_option_set (JsonObject *object, const Setting *setting, const char *text, GError **error)
{
  gboolean range = setting->argument && strchr (setting->argument, ',');
  const char *comma = range ? strchr (text, ',') : NULL;
  g_autofree char *first = comma ? g_strndup (text, comma - text) : g_strdup (text);
  g_autofree char *demand = range ? g_strdup_printf ("must be a range such as %s,%s", setting->hint, setting[1].hint)
                                  : culprit_setting_demand (setting);

  if (culprit_setting_set (object, setting, first) &&
      (!range || (comma && culprit_setting_set (object, setting + 1, comma + 1))))
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "--%s \"%s\" %s", culprit_setting_option (setting), text,
               demand);
  return FALSE;
}

static void
add_default (JsonObject *request, const char *key)
{
  const Setting *setting = setting_find (key);
  g_autofree char *hint = culprit_setting_hint (setting);

  if (!json_object_has_member (request, key))
    culprit_setting_set (request, setting, setting->choices ? setting->choices[0].value : hint);
}

const char *
culprit_load_name (const char *command)
{
  const SettingChoice *choice = culprit_loads;

  while (choice->value && g_strcmp0 (choice->command, command) != 0)
    choice++;
  return choice->value;
}

/* Whether @node, of somebody's study, can be a value of @setting. */
static gboolean
is_value (const Setting *setting, JsonNode *node)
{
  static const GType types[] = { [SETTING_TIME] = G_TYPE_INT64,
                                 [SETTING_NUMBER] = G_TYPE_INT64,
                                 [SETTING_SWITCH] = G_TYPE_BOOLEAN,
                                 [SETTING_CHOICE] = G_TYPE_STRING,
                                 [SETTING_TEXT] = G_TYPE_STRING };

  if (setting->kind == SETTING_CPUS || setting->kind == SETTING_NAMES)
    return JSON_NODE_HOLDS_ARRAY (node);
  return json_node_get_value_type (node) == types[setting->kind];
}

static gboolean
has_priority (const char *policy)
{
  return g_str_equal (policy, "fifo") || g_str_equal (policy, "rr");
}

void
culprit_request_like (JsonObject *request, JsonObject *configuration)
{
  static const char *const alike[] = { "period_ns", "policy", "priority",  "cpus",        "method",     "aligned",
                                       "clock",     "events", "wakeup_of", "response_of", "from_timer", "from_waking",
                                       "between",   "key",    "marks",     NULL };
  const char *load = json_member_text (configuration, "load");
  const char *policy = json_member_text (request, "policy");

  for (guint i = 0; alike[i]; i++)
    {
      JsonNode *node = json_object_get_member (configuration, alike[i]);

      if (policy && !has_priority (policy) && g_str_equal (alike[i], "priority"))
        continue;
      if (node && !json_object_has_member (request, alike[i]) && is_value (setting_find (alike[i]), node))
        json_object_set_member (request, alike[i], json_node_copy (node));
    }
  if (load && !json_object_has_member (request, "load") && culprit_load_name (load))
    json_object_set_string_member (request, "load", load);
}

static void
complete_cycles (JsonObject *request)
{
  add_default (request, "period_ns");
  add_default (request, "method");
  add_default (request, "policy");
  if (has_priority (json_member_text (request, "policy")))
    add_default (request, "priority");
}

char *
culprit_request_say_like (JsonObject *request, JsonObject *given)
{
  static const char *const said[] = { "period_ns", "policy", "priority", "cpus", "method", "events", "load" };
  g_autoptr (JsonObject) usual = json_object_new ();
  GString *words = g_string_new (NULL);

  complete_cycles (usual);
  for (guint i = 0; i < G_N_ELEMENTS (said); i++)
    {
      JsonNode *node = json_object_get_member (request, said[i]);
      JsonNode *other = json_object_get_member (usual, said[i]);
      const Setting *setting = setting_find (said[i]);
      g_autofree char *value = !node                           ? NULL
                               : setting->kind == SETTING_TIME ? culprit_time_format (json_node_get_int (node))
                                                               : json_to_string (node, FALSE);
      g_autofree char *clean = node ? culprit_clean_start (value, MOST_SAID, ' ') : NULL;

      if (node && !json_object_has_member (given, said[i]) && !(other && json_node_equal (node, other)))
        g_string_append_printf (words, "%s--%s %s", words->len > 0 ? ", " : "", culprit_setting_option (setting),
                                clean);
    }
  return g_string_free (words, words->len == 0);
}

void
culprit_request_complete (JsonObject *request)
{
  gboolean triggered =
      json_object_has_member (request, "threshold_ns") || json_object_has_member (request, "band_low_ns");
  const char *tracing;

  if (!g_str_equal (culprit_request_action (request), "watch"))
    complete_cycles (request);
  if (!json_object_has_member (request, "tracing"))
    json_object_set_string_member (request, "tracing", triggered ? "on" : "off");
  tracing = json_member_text (request, "tracing");
  if (triggered && !g_str_equal (tracing, "off"))
    add_default (request, "captures");
  if (!json_object_has_member (request, "limit_ns") && !json_object_has_member (request, "cycles") &&
      (culprit_request_number (request, "captures") == 0 || !g_str_equal (tracing, "on")))
    json_object_set_int_member (request, "limit_ns", DEFAULT_LIMIT_NS);
}

gint64
culprit_request_number (JsonObject *request, const char *key)
{
  return json_member_int (request, key, setting_find (key)->otherwise);
}

/* Each by a setting that requests have for it alone. */
static const struct
{
  const char *action;
  const char *setting;
  gboolean blocks; /* The setting is the list of what changes from one run to the next. */
} actions[] = { { "prove", "delays", TRUE }, { "trial", "treatments", TRUE }, { "watch", "wakeup_of" },
                { "watch", "response_of" },  { "watch", "between" },          { "watch", "marks" },
                { "record", NULL } };

static guint
find_action (JsonObject *request)
{
  guint i = 0;

  while (actions[i].setting && !json_object_has_member (request, actions[i].setting))
    i++;
  return i;
}

const char *
culprit_request_action (JsonObject *request)
{
  return actions[find_action (request)].action;
}

JsonArray *
culprit_request_blocks (JsonObject *request)
{
  guint i = find_action (request);

  return actions[i].blocks ? json_object_get_array_member (request, actions[i].setting) : NULL;
}
