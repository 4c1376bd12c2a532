/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads, writes and words definitions of windows. */
#include "measured.h"

#include "capture/error.h"
#include "filter.h"
#include "probe.h"

#include <string.h>

#define LONGEST 500     /* bytes of a definition */
#define LONGEST_TASK 15 /* bytes, as in the kernel */
#define BETWEEN_ENDS ".."

/* The definitions of a task's windows; the others have their own form. */
static const struct
{
  const char *prefix;
  const char *words; /* %s: the task */
  CulpritMeasuredKind kind;
  gboolean from_waking;
} of_tasks[] = {
  { "wakeup-of/timer:", "from the expiry of its timer until %s runs", CULPRIT_MEASURED_WAKEUP, FALSE },
  { "wakeup-of/waking:", "from the waking of %s until it runs", CULPRIT_MEASURED_WAKEUP, TRUE },
  { "response-of/timer:", "from the expiry of its timer until %s is asleep again", CULPRIT_MEASURED_RESPONSE, FALSE },
  { "response-of/waking:", "from the waking of %s until it is asleep again", CULPRIT_MEASURED_RESPONSE, TRUE },
};

static const char between[] = "between/";
static const char marks[] = "marks:";

static void
end_clear (CulpritMeasuredEnd *end)
{
  g_free (end->system);
  g_free (end->name);
  g_free (end->filter);
  g_free (end->key);
  g_free (end->probe);
  g_free (end->text);
}

void
culprit_measured_free (CulpritMeasured *measured)
{
  g_free (measured->task);
  end_clear (&measured->begin);
  end_clear (&measured->end);
  g_free (measured);
}

void
culprit_measured_options_clear (CulpritMeasuredOptions *options)
{
  g_free (options->wakeup_of);
  g_free (options->response_of);
  g_free (options->between);
  g_free (options->key);
  g_free (options->marks);
}

static gboolean G_GNUC_PRINTF (2, 3) refuse (GError **error, const char *what, ...)
{
  va_list arguments;

  va_start (arguments, what);
  g_propagate_error (error,
                     g_error_new_valist (CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_DEFINITION, what, arguments));
  va_end (arguments);
  return FALSE;
}

static gboolean
parse_task (CulpritMeasured *measured, const char *task, GError **error)
{
  gboolean number = *task && strspn (task, "0123456789") == strlen (task);
  guint64 pid = 0;

  measured->task = g_strdup (task);
  measured->pid = -1;
  if (!*task)
    return refuse (error, "expected the name of a task, or its pid");
  if (!number)
    return strlen (task) <= LONGEST_TASK ||
           refuse (error, "\"%s\" has %zu bytes, and names of tasks %d at most; use what ps -o comm shows, or its pid",
                   task, strlen (task), LONGEST_TASK);
  if (*task == '0' || !g_ascii_string_to_unsigned (task, 10, 1, G_MAXINT32, &pid, NULL))
    return refuse (error, "\"%s\" is no pid; expected 1 to %d, without leading zeros", task, G_MAXINT32);
  measured->pid = pid;
  return TRUE;
}

static gboolean
is_word (const char *text)
{
  return *text && strspn (text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") == strlen (text);
}

/* The slash that ends the filter at @filter: one inside quotes does not. NULL: there is none. */
static const char *
end_of_filter (const char *filter)
{
  gboolean quoted = FALSE;

  for (; *filter; filter++)
    {
      quoted ^= *filter == '"';
      if (*filter == '/' && !quoted)
        return filter;
    }
  return NULL;
}

/* Reads the name of an event of the kernel at @at, up to @stop. */
static gboolean
parse_name (const char *at, const char *stop, CulpritMeasuredEnd *end, GError **error)
{
  const char *colon = memchr (at, ':', stop - at);

  end->system = g_strndup (at, colon ? colon - at : 0);
  end->name = g_strndup (colon ? colon + 1 : at, colon ? stop - colon - 1 : 0);
  if (stop == at)
    return refuse (error, "%s%s%s an event is missing; expected SYSTEM:NAME, e.g. sched:sched_waking",
                   *at ? "before \"" : "at its end", at, *at ? "\"" : "");
  return (is_word (end->system) && is_word (end->name)) ||
         refuse (error, "\"%.*s\" is no event; expected SYSTEM:NAME, e.g. sched:sched_waking", (int) (stop - at), at);
}

/* Reads a probe at @at. Returns where it ends; NULL: it is none. */
static const char *
parse_probe (const char *at, CulpritMeasuredEnd *end, GError **error)
{
  Probe probe;
  gsize length = probe_read (at, &probe);

  if (length == 0)
    refuse (error, "\"%s\" does not begin with a complete probe; expected " PROBE_EXPECTED, at);
  end->probe = g_strndup (at, length);
  end->system = g_strdup (probe.system);
  end->name = g_strdup (probe.event);
  return length > 0 ? at + length : NULL;
}

/* Reads an event at *@text, and leaves there what follows it. */
static gboolean
parse_event (const char **text, CulpritMeasuredEnd *end, GError **error)
{
  const char *at = *text;
  const char *stop = probe_is (at) ? parse_probe (at, end, error) : at;
  g_autofree char *event = NULL;
  g_autoptr (Filter) parsed = NULL;

  if (!stop)
    return FALSE;
  while (!end->probe && *stop && *stop != '/' && !g_str_has_prefix (stop, BETWEEN_ENDS))
    stop++;
  if (!end->probe && !parse_name (at, stop, end, error))
    return FALSE;
  event = g_strndup (at, stop - at);
  if (*stop == '/')
    {
      const char *filter = stop + 1;

      stop = end_of_filter (filter);
      if (!stop || stop == filter)
        return refuse (error, "the filter of %s is empty, or does not end with a slash; expected e.g. %s/pid == 42/",
                       event, event);
      end->filter = g_strndup (filter, stop - filter);
      stop++;
      parsed = filter_parse (end->filter, error);
      if (!parsed)
        return FALSE;
    }
  *text = stop;
  return TRUE;
}

/* "FIELD=FIELD" */
static gboolean
parse_key (CulpritMeasured *measured, const char *key, GError **error)
{
  const char *equal = strchr (key, '=');

  measured->begin.key = equal ? g_strndup (key, equal - key) : NULL;
  measured->end.key = equal ? g_strdup (equal + 1) : NULL;
  return (equal && is_word (measured->begin.key) && is_word (measured->end.key)) ||
         refuse (error, "\"%s\" is no key; expected a field of each event, e.g. pid=next_pid", key);
}

static gboolean
parse_between (CulpritMeasured *measured, const char *text, GError **error)
{
  const char *colon = strchr (text, ':');
  g_autofree char *key = g_strndup (text, colon ? colon - text : 0);
  const char *first = colon ? colon + 1 : "";
  const char *at = first;

  measured->kind = CULPRIT_MEASURED_BETWEEN;
  if ((*key && !parse_key (measured, key, error)) || !parse_event (&at, &measured->begin, error))
    return FALSE;
  if (!g_str_has_prefix (at, BETWEEN_ENDS))
    return refuse (error,
                   "after \"%.*s\" two dots and a second event are expected, e.g. "
                   "irq:irq_handler_entry..sched:sched_switch",
                   (int) (at - first), first);
  at += strlen (BETWEEN_ENDS);
  return parse_event (&at, &measured->end, error) &&
         (!*at || refuse (error, "\"%s\" after the second event; expected nothing", at));
}

static gboolean
parse_marks (CulpritMeasured *measured, const char *text, GError **error)
{
  const char *dots = strstr (text, BETWEEN_ENDS);

  measured->kind = CULPRIT_MEASURED_MARKS;
  if (!dots || dots == text || !dots[strlen (BETWEEN_ENDS)])
    return refuse (error, "\"%s\" is not two texts with two dots between them; expected e.g. begin..end", text);
  measured->begin.text = g_strndup (text, dots - text);
  measured->end.text = g_strdup (dots + strlen (BETWEEN_ENDS));
  return !g_str_equal (measured->begin.text, measured->end.text) ||
         refuse (error, "both texts are the same; expected two different ones, e.g. begin..end");
}

static gboolean
is_clean (const char *text)
{
  if (!g_utf8_validate (text, -1, NULL))
    return FALSE;
  for (; *text; text++)
    if (g_ascii_iscntrl (*text))
      return FALSE;
  return TRUE;
}

static gboolean
parse (CulpritMeasured *measured, const char *text, GError **error)
{
  if (strlen (text) > LONGEST)
    return refuse (error, "longer than %d bytes; use shorter names, texts or filters", LONGEST);
  if (!is_clean (text))
    return refuse (error, "control characters are not possible; use plain text on one line");
  for (guint i = 0; i < G_N_ELEMENTS (of_tasks); i++)
    if (g_str_has_prefix (text, of_tasks[i].prefix))
      {
        measured->kind = of_tasks[i].kind;
        measured->from_waking = of_tasks[i].from_waking;
        return parse_task (measured, text + strlen (of_tasks[i].prefix), error);
      }
  if (g_str_has_prefix (text, between))
    return parse_between (measured, text + strlen (between), error);
  if (g_str_has_prefix (text, marks))
    return parse_marks (measured, text + strlen (marks), error);
  return g_str_equal (text, CULPRIT_WINDOWS_OF_CYCLES) || refuse (error, "\"%s\" defines no windows", text);
}

CulpritMeasured *
culprit_measured_parse (const char *text, GError **error)
{
  g_autoptr (CulpritMeasured) measured = g_new0 (CulpritMeasured, 1);

  return parse (measured, text, error) ? g_steal_pointer (&measured) : NULL;
}

/* The text, which must define windows: @option stated them. NULL with an error. */
static char *
checked (const char *option, char *text, GError **error)
{
  g_autofree char *owned = text;
  g_autoptr (CulpritMeasured) measured = culprit_measured_parse (text, error);

  if (!measured)
    g_prefix_error (error, "--%s: ", option);
  return measured ? g_steal_pointer (&owned) : NULL;
}

static gboolean
are_same (const CulpritMeasuredEnd *begin, const CulpritMeasuredEnd *end)
{
  return g_strcmp0 (begin->probe, end->probe) == 0 && g_strcmp0 (begin->system, end->system) == 0 &&
         g_strcmp0 (begin->name, end->name) == 0 && g_strcmp0 (begin->filter, end->filter) == 0;
}

/* Refuses what is no key, and names its option. */
static gboolean
check_key (const char *key, GError **error)
{
  g_autoptr (CulpritMeasured) measured = g_new0 (CulpritMeasured, 1);

  if (parse_key (measured, key, error))
    return TRUE;
  g_prefix_error (error, "--key: ");
  return FALSE;
}

/* What a definition cannot be when it is asked for, as the recorder does. */
static gboolean
check_between (const char *text, GError **error)
{
  g_autoptr (CulpritMeasured) measured = culprit_measured_parse (text, NULL);

  return !are_same (&measured->begin, &measured->end) ||
         refuse (error, "--between: the same event ends the window as begins it: it would take no time; give another");
}

/* The text for windows between two events. Those between probes have a key of their own. */
static char *
between_of (const CulpritMeasuredOptions *options, GError **error)
{
  gboolean good = !options->key || check_key (options->key, error);
  g_autofree char *text =
      good ? checked ("between",
                      g_strdup_printf ("%s%s:%s", between, options->key ? options->key : "", options->between), error)
           : NULL;
  g_autoptr (CulpritMeasured) measured = text && !options->key ? culprit_measured_parse (text, NULL) : NULL;

  if (!text || !check_between (text, error))
    return NULL;
  return measured && measured->begin.probe && measured->end.probe
             ? checked ("between", g_strconcat (between, PROBE_KEY "=" PROBE_KEY ":", options->between, NULL), error)
             : g_steal_pointer (&text);
}

char *
culprit_measured_from_options (const CulpritMeasuredOptions *options, GError **error)
{
  const char *const task = options->wakeup_of ? options->wakeup_of : options->response_of;
  guint given = !!options->wakeup_of + !!options->response_of + !!options->between + !!options->marks;

  if (given > 1)
    refuse (error, "give only one of --wakeup-of, --response-of, --between and --marks");
  else if (options->from_waking && options->from_timer)
    refuse (error, "give only one of --from-waking and --from-timer");
  else if ((options->from_waking || options->from_timer) && !task)
    refuse (error, "--from-waking and --from-timer belong to --wakeup-of or --response-of");
  else if (options->key && !options->between)
    refuse (error, "--key belongs to --between");
  else if (task)
    return checked (options->wakeup_of ? "wakeup-of" : "response-of",
                    g_strdup_printf ("%s/%s:%s", options->wakeup_of ? "wakeup-of" : "response-of",
                                     options->from_waking ? "waking" : "timer", task),
                    error);
  else if (options->between)
    return between_of (options, error);
  else if (options->marks)
    return checked ("marks", g_strconcat (marks, options->marks, NULL), error);
  return NULL;
}

/* An event with its filter. The caller owns it. */
static char *
word_event (const CulpritMeasuredEnd *end)
{
  g_autofree char *event = end->probe ? g_strdup (end->probe) : g_strconcat (end->system, ":", end->name, NULL);

  return end->filter ? g_strdup_printf ("%s (%s)", event, end->filter) : g_steal_pointer (&event);
}

static char *
word_between (const CulpritMeasured *measured)
{
  g_autofree char *begin = word_event (&measured->begin);
  g_autofree char *end = word_event (&measured->end);
  g_autofree char *words = g_strdup_printf ("from %s to %s", begin, end);

  if (!measured->begin.key)
    return g_steal_pointer (&words);
  if (g_str_equal (measured->begin.key, PROBE_KEY) && g_str_equal (measured->end.key, PROBE_KEY))
    return g_strconcat (words, " in the same thread", NULL);
  return g_strdup_printf ("%s with %s = %s", words, measured->begin.key, measured->end.key);
}

char *
culprit_window_kind_in_words (const char *text)
{
  g_autoptr (CulpritMeasured) measured = culprit_measured_parse (text, NULL);

  if (!measured)
    return g_strdup (text);
  for (guint i = 0; i < G_N_ELEMENTS (of_tasks); i++)
    if (g_str_has_prefix (text, of_tasks[i].prefix))
      {
        g_autofree char *pid = measured->pid >= 0 ? g_strdup_printf ("task %s", measured->task) : NULL;
        g_auto (GStrv) parts = g_strsplit (of_tasks[i].words, "%s", 2);

        return g_strjoin (pid ? pid : measured->task, parts[0], parts[1], NULL);
      }
  if (measured->kind == CULPRIT_MEASURED_BETWEEN)
    return word_between (measured);
  if (measured->kind == CULPRIT_MEASURED_MARKS)
    return g_strdup_printf ("from the mark \"%s\" to the mark \"%s\"", measured->begin.text, measured->end.text);
  return g_strdup ("from expected to observed time");
}
