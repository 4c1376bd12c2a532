/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds tasks' names in the saved command lines, one per line, e.g. "128 cyclictest". */
#include "capture-private.h"
#include "seeded-hash.h"

#include <stdlib.h>

GHashTable *
comms_new (const char *cmdlines)
{
  GHashTable *comms = g_hash_table_new (culprit_hash_direct, NULL);

  for (const char *line = cmdlines; line && *line; line = *line ? line + 1 : line)
    {
      char *rest = (char *) line;
      /* White space is not skipped: line ends are white space too, and would be skipped once more from each of them. */
      glong pid = g_ascii_isdigit (*line) ? strtol (line, &rest, 10) : -1;

      if (pid >= 0 && pid <= G_MAXINT32 && *rest == ' ' &&
          !g_hash_table_contains (comms, GINT_TO_POINTER ((gint) pid)))
        g_hash_table_insert (comms, GINT_TO_POINTER ((gint) pid), rest + 1);
      line = rest + strcspn (rest, "\n");
    }
  return comms;
}

char *
capture_find_comm (const TraceFile *file, gint32 pid)
{
  const char *name = g_hash_table_lookup (file->comms, GINT_TO_POINTER (pid));
  g_autofree char *comm = name ? g_strndup (name, strcspn (name, "\n")) : NULL;

  return comm ? g_utf8_make_valid (comm, -1) : NULL;
}
