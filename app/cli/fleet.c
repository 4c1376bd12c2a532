/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit fleet: checks the options and becomes the Python program that does the work, which starts this one again for
 * every batch of captures. */
#include "command.h"
#include "units.h"

#include <errno.h>
#include <unistd.h>

/* The folder of the Python package: in the sources if this program was not installed. */
static const char *
find_package (const char *self)
{
  return g_str_has_prefix (self, CULPRIT_BUILD "/") ? CULPRIT_SOURCE "/app/fleet" : CULPRIT_DATA "/fleet";
}

/* The Python that has Spark. The caller owns it. */
static char *
find_python (void)
{
  const char *given = g_getenv ("CULPRIT_FLEET_PYTHON");

  return given && *given ? g_canonicalize_filename (given, NULL)
                         : g_build_filename (g_get_user_data_dir (), "culprit", "fleet", "bin", "python", NULL);
}

/* Neither Python nor Java starts in a folder that the user stands in: each takes modules and classes from there, and it
 * may be a stranger's. The program gets to know it for the paths that are relative to it. Names of files are UTF-8 to
 * both, whatever the user's locale. Returns only if it fails. */
static int
become_python (const char *self, const char *package, const char *python, char **arguments)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) command = NULL;
  const char *path = g_getenv ("PYTHONPATH");
  g_autofree char *paths = path && *path ? g_strdup_printf ("%s:%s", package, path) : g_strdup (package);
  g_autofree char *folder = getcwd (NULL, 0);

  if (!folder || chdir ("/") != 0)
    return command_complain ("the current folder: %s; go to another one", g_strerror (errno));
  g_strv_builder_add_many (builder, python, "-m", "culprit_fleet", "--from", folder, NULL);
  g_strv_builder_addv (builder, (const char **) arguments);
  command = g_strv_builder_end (builder);
  g_setenv ("CULPRIT", self, TRUE);
  g_setenv ("PYTHONPATH", paths, TRUE);
  g_setenv ("PYTHONSAFEPATH", "1", TRUE);
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  execv (python, command);
  return command_complain ("%s: cannot be started: %s; run %s/setup again", python, g_strerror (errno), package);
}

int
command_fleet (const Command *command, int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_autofree char *out = NULL;
  g_autofree char *master = NULL;
  g_autofree char *by = NULL;
  g_autofree char *period = NULL;
  gint64 period_ns;
  gint worst = 0;
  gint sample = 0;
  g_auto (GStrv) conf = NULL;
  g_auto (GStrv) latencies = NULL;
  g_autofree char *program = NULL;
  double capture_limit = 0;
  gboolean compact = FALSE;
  const GOptionEntry entries[] = {
    { "out", 0, 0, G_OPTION_ARG_FILENAME, &out, "The folder for facts and results", "FOLDER" },
    { "master", 0, 0, G_OPTION_ARG_STRING, &master, "Where Spark runs (default: local[*], this machine)", "URL" },
    { "by", 0, 0, G_OPTION_ARG_STRING, &by, "Columns of the printed table (default: host,kernel)", "LIST" },
    { "period", 0, 0, G_OPTION_ARG_STRING, &period, "The period of the measured task (default: inferred)", "TIME" },
    { "worst", 0, 0, G_OPTION_ARG_INT, &worst, "Longest late wake-ups to keep in the study (default: 100)", "N" },
    { "sample", 0, 0, G_OPTION_ARG_INT, &sample, "Others to keep, chosen at random (default: 100)", "N" },
    { "latencies", 0, 0, G_OPTION_ARG_STRING_ARRAY, &latencies, "Names of latency results to import too, e.g. '*.hist'",
      "PATTERN" },
    { "capture-limit", 0, 0, G_OPTION_ARG_DOUBLE, &capture_limit, "Give up on a capture after this time (default: 300)",
      "SECONDS" },
    { "program", 0, 0, G_OPTION_ARG_FILENAME, &program, "culprit on the nodes of a cluster (default: send this one)",
      "PATH" },
    { "conf", 0, 0, G_OPTION_ARG_STRING_ARRAY, &conf, "A setting of Spark; can be repeated", "KEY=VALUE" },
    { "compact", 0, 0, G_OPTION_ARG_NONE, &compact, "Rewrite the facts of many jobs into few files", NULL },
    { NULL },
  };
  g_autofree char *link = g_file_read_link ("/proc/self/exe", NULL);
  const char *self = link ? link : "culprit";
  g_auto (GStrv) arguments = g_strdupv (argv + 1);
  const char *package = find_package (self);
  g_autofree char *module = g_build_filename (package, "culprit_fleet", NULL);
  g_autofree char *python = find_python ();
  int status;

  if (!command_parse (command, argc, argv, entries, &options, &status))
    return status;
  if (!out)
    return command_complain ("--out is missing; see culprit help fleet");
  if (!command_parse_time ("period", period, &period_ns))
    return EXIT_BAD;
  if (!g_file_test (module, G_FILE_TEST_IS_DIR))
    return command_complain ("%s: no such folder; install culprit again", module);
  if (!g_file_test (python, G_FILE_TEST_IS_EXECUTABLE))
    return command_complain ("%s: not found; create its Python environment once with %s/setup", python, package);
  return become_python (self, package, python, arguments);
}
