/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all commands share: options, finding the study, errors. */
#include "command.h"

#include "clean.h"
#include "print.h"
#include "study/profiles.h"
#include "units.h"

#include <glib/gprintf.h>
#include <signal.h>
#include <unistd.h>

/* Computes the verdict for the captures selected on the command line. */

CulpritVerdict *
verdict_begin (
    const Command *command, int argc, char **argv, Options *options, VerdictOptions *own, CulpritStudy **study)
{
  const GOptionEntry entries[] = {
    { "base", 0, 0, G_OPTION_ARG_STRING, &own->base,
      "Run whose ordinary wake-ups to compare with (default: each capture's)", "RUN" },
    { "raw", 0, 0, G_OPTION_ARG_NONE, &own->raw, "Include the tracer's own time", NULL },
    { NULL },
  };
  CulpritFilter filter;
  CulpritEvidenceOptions evidence = { .filter = &filter };
  CulpritVerdict *verdict;
  GError *error = NULL;

  *study = command_begin_with (command, argc, argv, entries, options, &filter, &own->status);
  if (!*study)
    return NULL;
  evidence.base = own->base;
  evidence.raw = own->raw;
  verdict = culprit_verdict_new (*study, &evidence, &error);
  if (!verdict)
    own->status = command_fail (error);
  return verdict;
}

void
verdict_options_clear (VerdictOptions *options)
{
  g_free (options->base);
}

#define STUDY_SUFFIX ".culprit"
#define EXPLAINED 28 /* column where explanations begin */

void
options_clear (Options *options)
{
  g_free (options->study);
  g_free (options->run);
  g_free (options->capture);
  g_free (options->where);
  g_strfreev (options->rest);
}

int
command_complain (const char *message, ...)
{
  va_list arguments;

  g_autofree char *text = NULL;
  g_autofree char *clean = NULL;

  va_start (arguments, message);
  text = g_strdup_vprintf (message, arguments);
  va_end (arguments);
  clean = culprit_clean_line (text);
  g_fprintf (stderr, "culprit: %s\n", clean);
  return EXIT_BAD;
}

gboolean
command_parse_time (const char *name, const char *text, gint64 *time_ns)
{
  guint64 parsed;

  if (!text)
    return TRUE;
  if (!culprit_time_parse (text, &parsed))
    {
      command_complain ("--%s \"%s\" is not a valid time; expected e.g. 5ms or 250us", name, text);
      return FALSE;
    }
  *time_ns = parsed;
  return TRUE;
}

int
command_fail (GError *error)
{
  int status = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ? EXIT_CANCELLED : EXIT_BAD;

  command_complain ("%s", error->message);
  g_error_free (error);
  return status;
}

/* The only study in this folder; if there is none, a copy of @otherwise. NULL with an error if there are several, or
 * none and @otherwise is NULL. */
static char *
find_single_study (const char *otherwise, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (".", 0, error);
  char *found = NULL;
  const char *name;
  guint count = 0;

  while (dir && (name = g_dir_read_name (dir)))
    if (g_str_has_suffix (name, STUDY_SUFFIX) && !g_file_test (name, G_FILE_TEST_IS_SYMLINK))
      {
        g_free (found);
        found = g_strdup (name);
        count++;
      }
  if (!dir || count == 1)
    return found;
  g_free (found);
  if (count == 0 && otherwise && !g_file_test (otherwise, G_FILE_TEST_IS_SYMLINK))
    return g_strdup (otherwise);
  g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND,
               "there %s in this folder; specify one with --study FILE",
               count == 0 ? "is no study (*.culprit)" : "are several studies (*.culprit)");
  return NULL;
}

/* Determines the study: from the option, the environment, or the only one in this folder. */
static gboolean
choose_study (Options *options, StudyUse use, GError **error)
{
  const char *given = g_getenv ("CULPRIT_STUDY");
  gboolean makes = use == STUDY_MAKE;

  if (options->study || use == STUDY_NONE)
    return TRUE;
  options->study = given && *given ? g_strdup (given) : find_single_study (makes ? "study" STUDY_SUFFIX : NULL, error);
  return options->study != NULL;
}

/* The help text below the options; for tables, it includes the meaning of the columns. The caller owns it. */
static char *
describe (const Command *command)
{
  GString *text = g_string_new (command->details);

  if (command->table)
    g_string_append (text, "\n\nColumns of CSV and JSON (text output shows some of them):");
  for (const CulpritColumn *column = command->table ? command->table->columns : NULL; column && column->key; column++)
    {
      g_autofree char *explained = print_wrap (column->explain, EXPLAINED);

      if (!column->of)
        g_string_append_printf (text, "\n  %-*s%s", EXPLAINED - 2, column->key, explained);
    }
  return g_string_free (text, FALSE);
}

/* The entry of the option at @argument; NULL: it is none of @entries. */
static const GOptionEntry *
find_entry (const GArray *entries, const char *argument)
{
  gsize length = strcspn (argument, "=");

  for (guint i = 0; i < entries->len; i++)
    {
      const GOptionEntry *entry = &g_array_index (entries, GOptionEntry, i);

      if (strlen (entry->long_name) + 2 == length && g_str_has_prefix (argument, "--") &&
          strncmp (argument + 2, entry->long_name, length - 2) == 0)
        return entry;
    }
  return NULL;
}

/* GLib silently takes the last value of an option that is given twice, and has no clear words for one that is no
 * text. FALSE: the error was shown. */
static gboolean
check_arguments (char **argv, const GArray *entries)
{
  g_autoptr (GHashTable) given = g_hash_table_new (NULL, NULL);

  for (char **at = argv + 1; *at && !g_str_equal (*at, "--"); at++)
    {
      const GOptionEntry *entry = find_entry (entries, *at);
      gboolean repeats =
          entry && (entry->arg == G_OPTION_ARG_STRING_ARRAY || entry->arg == G_OPTION_ARG_FILENAME_ARRAY);
      gboolean text = entry && (entry->arg == G_OPTION_ARG_STRING || entry->arg == G_OPTION_ARG_STRING_ARRAY);
      const char *value;

      if (!entry || entry->arg == G_OPTION_ARG_NONE)
        continue;
      value = strchr (*at, '=');
      value = value ? value + 1 : *++at;
      if (!value) /* GLib complains of that. */
        return TRUE;
      if (!g_hash_table_add (given, (gpointer) entry) && !repeats)
        {
          command_complain ("--%s is given twice; give it once", entry->long_name);
          return FALSE;
        }
      if (text && !g_utf8_validate (value, -1, NULL))
        {
          command_complain ("--%s \"%s\" is not valid UTF-8; give it in UTF-8", entry->long_name, value);
          return FALSE;
        }
    }
  return TRUE;
}

/* Texts stay as they are given: GLib would convert them from the encoding of the locale. */
static void
add_entries (GArray *entries, GOptionContext *context)
{
  for (guint i = 0; i < entries->len; i++)
    {
      GOptionEntry *entry = &g_array_index (entries, GOptionEntry, i);

      entry->arg = entry->arg == G_OPTION_ARG_STRING         ? G_OPTION_ARG_FILENAME
                   : entry->arg == G_OPTION_ARG_STRING_ARRAY ? G_OPTION_ARG_FILENAME_ARRAY
                                                             : entry->arg;
    }
  g_option_context_add_main_entries (context, (const GOptionEntry *) (gpointer) entries->data, NULL);
}

gboolean
command_parse (const Command *command, int argc, char **argv, const GOptionEntry *own, Options *options, int *status)
{
  const char *name = command->name;
  gboolean json = FALSE;
  gboolean csv = FALSE;
  const GOptionEntry study[] = {
    { "study", 0, 0, G_OPTION_ARG_FILENAME, &options->study, "The study file (*.culprit)", "FILE" },
  };
  const GOptionEntry shared[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, "Print JSON, with times in whole nanoseconds", NULL },
    { "csv", 0, command->has_table ? 0 : G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &csv, "Print comma-separated values",
      NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->rest, NULL, NULL },
  };
  g_autofree char *arguments = g_strdup_printf ("%s - %s", command->arguments, command->summary);
  g_autofree char *program = g_strdup_printf ("culprit %s", name);
  g_autofree char *description = describe (command);
  g_autoptr (GOptionContext) context = g_option_context_new (arguments);
  g_autoptr (GArray) entries = g_array_new (TRUE, FALSE, sizeof (GOptionEntry));
  g_autoptr (GError) error = NULL;

  *status = EXIT_BAD;
  g_set_prgname (program);
  g_option_context_set_description (context, description);
  if (command->study != STUDY_NONE)
    g_array_append_vals (entries, study, G_N_ELEMENTS (study));
  g_array_append_vals (entries, shared, G_N_ELEMENTS (shared));
  for (; own && own->long_name; own++)
    g_array_append_vals (entries, own, 1);
  if (!check_arguments (argv, entries))
    return FALSE;
  add_entries (entries, context);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      command_complain ("%s; see culprit help %s", error->message, name);
      return FALSE;
    }
  g_set_prgname ("culprit");
  if (csv && !command->has_table)
    {
      command_complain ("--csv is only for commands that print a table; use --json");
      return FALSE;
    }
  if (json && csv)
    {
      command_complain ("--json and --csv cannot be used together");
      return FALSE;
    }
  options->format = json ? FORMAT_JSON : csv ? FORMAT_CSV : FORMAT_TEXT;
  if (!options->rest)
    options->rest = g_new0 (char *, 1);
  if (!*command->arguments && options->rest[0])
    {
      command_complain ("unexpected argument \"%s\"; see culprit help %s", options->rest[0], name);
      return FALSE;
    }
  if (*command->arguments && *command->arguments != '[' && !options->rest[0])
    {
      command_complain ("%s is missing; see culprit help %s", command->arguments, name);
      return FALSE;
    }
  if (!choose_study (options, command->study, &error))
    {
      command_complain ("%s", error->message);
      return FALSE;
    }
  return TRUE;
}

CulpritStudy *
command_open (const Options *options)
{
  GError *error = NULL;
  CulpritStudy *study = culprit_study_open (options->study, CULPRIT_STUDY_READ, &error);

  if (!study)
    command_fail (error);
  return study;
}

gboolean
command_tell_left_out (CulpritStudy *study, const char *label, GError **error)
{
  g_autofree char *left_out = NULL;

  if (!culprit_study_left_out (study, label, &left_out, error))
    return FALSE;
  if (left_out)
    command_complain ("%s; see culprit check", left_out);
  return TRUE;
}

/* The filter given by the options, with the capture found in @study. FALSE: the error was shown. */
static gboolean
find_filter (const Options *options, CulpritStudy *study, CulpritFilter *filter)
{
  GError *error = NULL;

  *filter = (CulpritFilter) { options->run, 0, options->where };
  if (options->capture)
    filter->capture = culprit_query_capture_id (study, options->capture, &error);
  if (error)
    command_fail (error);
  return !error;
}

CulpritStudy *
command_begin_with (const Command *command,
                    int argc,
                    char **argv,
                    const GOptionEntry *more,
                    Options *options,
                    CulpritFilter *filter,
                    int *status)
{
  const GOptionEntry filters[] = {
    { "run", 0, 0, G_OPTION_ARG_STRING, &options->run, "Only this run", "NAME" },
    { "capture", 0, 0, G_OPTION_ARG_STRING, &options->capture, "Only this capture", "CAPTURE" },
    { "where", 0, 0, G_OPTION_ARG_STRING, &options->where, "Only rows for which this SQL expression is true",
      "EXPRESSION" },
  };
  g_autoptr (GArray) entries = g_array_new (TRUE, FALSE, sizeof (GOptionEntry));
  g_autoptr (CulpritStudy) study = NULL;

  g_array_append_vals (entries, filters, G_N_ELEMENTS (filters));
  for (; more && more->long_name; more++)
    g_array_append_vals (entries, more, 1);
  if (!command_parse (command, argc, argv, (const GOptionEntry *) (gpointer) entries->data, options, status))
    return NULL;
  *status = EXIT_BAD;
  study = command_open (options);
  return study && find_filter (options, study, filter) ? g_steal_pointer (&study) : NULL;
}

CulpritStudy *
command_begin (const Command *command, int argc, char **argv, Options *options, CulpritFilter *filter, int *status)
{
  return command_begin_with (command, argc, argv, NULL, options, filter, status);
}

/* Signals that end the program in order. */
static sigset_t
ends (void)
{
  struct sigaction hangup;
  sigset_t signals;

  sigemptyset (&signals);
  sigaddset (&signals, SIGINT);
  sigaddset (&signals, SIGTERM);
  if (sigaction (SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) /* by nohup */
    sigaddset (&signals, SIGHUP);
  return signals;
}

/* The second SIGINT or SIGTERM exits at once, in case stopping cleanly takes too long. SIGHUP does not count: for a
 * terminal that was closed it comes twice, from the kernel and from the shell, and SIGTERM may follow. */
static gpointer
wait_for_interrupt (gpointer data)
{
  sigset_t signals = ends ();
  guint urged = 0;

  while (urged < 2)
    {
      int got;

      sigwait (&signals, &got);
      g_cancellable_cancel (data);
      urged += got != SIGHUP;
    }
  _exit (EXIT_CANCELLED);
}

GCancellable *
command_cancellable (void)
{
  GCancellable *cancellable = g_cancellable_new ();
  sigset_t signals = ends ();

  pthread_sigmask (SIG_BLOCK, &signals, NULL);
  g_thread_unref (g_thread_new ("culprit-signals", wait_for_interrupt, cancellable));
  return cancellable;
}
